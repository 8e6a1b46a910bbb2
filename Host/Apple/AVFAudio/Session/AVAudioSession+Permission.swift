// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a program may record: on Linux it always may. Any thread.

import Foundation

extension AVAudioSession {
    /// Whether the program may record: it may, always.
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
