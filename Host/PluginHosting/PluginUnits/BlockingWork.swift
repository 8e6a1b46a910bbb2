// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocking work on a thread of its own, so that a waiting task occupies no thread of the cooperative pool. Any thread.

import LinuxSystem

/// Runs blocking work for tasks.
enum BlockingWork {
    /// Runs `body` on a new thread with the kernel's name `name`, and suspends the calling task until it is done.
    static func run<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws(HostingError) -> Value
    ) async throws(HostingError) -> Value {
        let result: Result<Value, HostingError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                let thread = try Thread(name: name) {
                    continuation.resume(returning: Result { () throws(HostingError) in try body() })
                }
                thread.detach()
            } catch {
                continuation.resume(returning: .failure(.system(error)))
            }
        }
        return try result.get()
    }
}
