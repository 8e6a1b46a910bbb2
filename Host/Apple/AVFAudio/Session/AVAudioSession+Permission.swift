// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The permission to record, which is always granted on Linux. Any thread.

import Foundation

extension AVAudioSession {
    /// The permission to record: always granted.
    public var recordPermission: RecordPermission { .granted }

    /// Grants permission: calls the handler with true, on a thread of Dispatch's.
    public func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        // SAFETY: it is called once, as the program knows.
        nonisolated(unsafe) let response = response
        DispatchQueue.global().async { response(true) }
    }

    /// Grants permission: always true.
    public func requestRecordPermission() async -> Bool { true }
}
