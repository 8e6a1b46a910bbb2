// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The permission to record. Any thread.

extension AVAudioSession {
    /// The permission to record.
    public enum RecordPermission: UInt, Sendable {
        /// The user has not been asked.
        case undetermined = 0x756E_6474
        /// The program may not record.
        case denied = 0x6465_6E79
        /// The program may record: always the case here.
        case granted = 0x6772_6E74
    }
}
