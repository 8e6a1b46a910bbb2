// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a machine is held. Any thread.

extension AVAudioSession {
    /// How a machine is held that records in stereo; not known here.
    public enum StereoOrientation: Int, Sendable {
        /// Not known.
        case none = 0
        /// Upright.
        case portrait = 1
        /// Upside down.
        case portraitUpsideDown = 2
        /// On its right side.
        case landscapeRight = 3
        /// On its left side.
        case landscapeLeft = 4
    }
}
