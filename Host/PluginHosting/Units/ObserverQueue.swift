// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calls observers of values on a thread of its own, in order. Control threads.

import LinuxSystem
import Synchronization

/// A queue of calls of the program's own functions.
///
/// Such a function may do anything, also take the unit's resources back, which waits for the supervisor. So the supervisor does not
/// call it. The thread runs only while there is something to call.
final class ObserverQueue: Sendable {
    private struct State {
        var calls: [@Sendable () -> Void] = []
        var isRunning = false
    }
    private let state = Mutex(State())

    /// Calls `call` after all that was added before.
    func add(_ call: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            state.calls.append(call)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        // Without a thread the next call tries again.
        guard let thread = try? LinuxSystem.Thread(name: "observers", { [self] in run() }) else {
            return state.withLock { $0.isRunning = false }
        }
        thread.detach()
    }

    private func run() {
        while true {
            let calls = state.withLock { state in
                state.isRunning = !state.calls.isEmpty
                defer { state.calls = [] }
                return state.calls
            }
            guard !calls.isEmpty else { return }
            for call in calls { call() }
        }
    }
}
