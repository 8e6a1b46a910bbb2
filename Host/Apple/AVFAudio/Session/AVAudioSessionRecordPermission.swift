// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a program may record. Any thread.

extension AVAudioSession {
    /// Whether a program may record.
    public enum RecordPermission: UInt, Sendable {
        /// The user has not been asked.
        case undetermined = 0x756E_6474
        /// It may not.
        case denied = 0x6465_6E79
        /// It may: the answer here, always.
        case granted = 0x6772_6E74
    }
}
