// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The orientation of a machine. Any thread.

extension AVAudioSession {
    /// The orientation of a machine that records in stereo; unknown here.
    public enum StereoOrientation: Int, Sendable {
        /// Unknown.
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
