// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When other programs begin and end to play. Any thread.

extension AVAudioSession {
    /// When other programs begin and end to play.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// Others are silent.
        case end = 0
        /// Others play.
        case begin = 1
    }
}
