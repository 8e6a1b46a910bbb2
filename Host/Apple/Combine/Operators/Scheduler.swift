// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places where values can be received: queues and run loops. Any thread.

import Dispatch
import Foundation

/// A place where closures are called.
public protocol Scheduler {
    /// Calls a closure soon.
    func schedule(_ action: @escaping () -> Void)
}

/// A closure on its way to another thread.
private struct Travelling: @unchecked Sendable {
    // SAFETY: the program itself has chosen the thread that the closure goes to, as Combine has it.
    let action: () -> Void
}

extension DispatchQueue: Scheduler {
    /// Calls a closure on the queue.
    public func schedule(_ action: @escaping () -> Void) {
        let travelling = Travelling(action: action)
        async { travelling.action() }
    }
}

extension OperationQueue: Scheduler {
    /// Calls a closure as an operation of the queue.
    public func schedule(_ action: @escaping () -> Void) {
        let travelling = Travelling(action: action)
        addOperation { travelling.action() }
    }
}

extension RunLoop: Scheduler {
    /// Calls a closure in the next turn of the loop.
    public func schedule(_ action: @escaping () -> Void) {
        let travelling = Travelling(action: action)
        perform { travelling.action() }
    }
}
