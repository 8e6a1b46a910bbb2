// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A state that one thread at a time sees. Any thread.

import Foundation

/// A state that one thread at a time sees.
final class Guarded<State>: @unchecked Sendable {
    // SAFETY: the lock guards the state. The program's own values and closures go where the program sends them, as Combine has it.
    private var state: State
    private let lock = NSLock()

    init(_ state: State) { self.state = state }

    /// Reads or changes the state; the body calls nothing of the program's.
    ///
    /// A value of the program's that goes may call back: the body returns it, so that it goes outside of the lock.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}
