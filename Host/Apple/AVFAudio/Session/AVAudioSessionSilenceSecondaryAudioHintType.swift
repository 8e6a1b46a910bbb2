// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The start and the end of other programs' sound. Any thread.

extension AVAudioSession {
    /// The start or the end of other programs' sound.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// Other programs are silent.
        case end = 0
        /// Other programs play.
        case begin = 1
    }
}
