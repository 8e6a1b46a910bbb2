// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocking work on a thread of its own, so that a waiting task occupies no thread of the cooperative pool. Any thread.

import LinuxSystem
import Synchronization

/// Runs blocking work for tasks.
enum BlockingWork {
    /// Runs `body` on a new thread with the kernel's name `name`, and suspends the calling task until it is done.
    static func run<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws(HostingError) -> Value
    ) async throws(HostingError) -> Value {
        let result = Outcome<Value>()
        await withCheckedContinuation { continuation in
            do throws(SystemError) {
                let thread = try Thread(name: name) {
                    result.set(Result { () throws(HostingError) in try body() })
                    continuation.resume()
                }
                thread.detach()
            } catch {
                result.set(.failure(.system(error)))
                continuation.resume()
            }
        }
        return try result.get()
    }

    /// The result of work.
    ///
    /// Its lock shows a sanitizer the order that the continuation makes.
    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, HostingError>?>(nil)

        func set(_ new: Result<Value, HostingError>) { result.withLock { $0 = new } }

        func get() throws(HostingError) -> Value {
            // Cannot trap: it is set before the task goes on.
            try result.withLock { $0! }.get()
        }
    }
}
