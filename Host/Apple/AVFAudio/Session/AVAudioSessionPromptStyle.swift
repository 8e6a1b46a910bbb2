// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How announcements may sound. Any thread.

extension AVAudioSession {
    /// How announcements may sound.
    public enum PromptStyle: UInt, Sendable {
        /// Not at all.
        case none = 0x6E6F_6E65
        /// As a short sound.
        case short = 0x7368_7274
        /// As speech.
        case normal = 0x6E72_6D6C
    }
}
