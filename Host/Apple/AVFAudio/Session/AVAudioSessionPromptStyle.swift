// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The form of announcements. Any thread.

extension AVAudioSession {
    /// The form of announcements.
    public enum PromptStyle: UInt, Sendable {
        /// No announcements.
        case none = 0x6E6F_6E65
        /// A short sound.
        case short = 0x7368_7274
        /// Speech.
        case normal = 0x6E72_6D6C
    }
}
