// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calls observers of values on a thread of its own, in order. Control threads.

import LinuxSystem
import Synchronization

/// Calls to the program's own functions that wait, one for each parameter at most.
///
/// Such a function may do anything, also take the unit's resources back, which waits for the supervisor. So the supervisor does
/// not call it. The thread runs only while there is something to call. A change that comes while one of the same parameter waits
/// takes its place: observers get the newest value.
final class ObserverQueue: Sendable {
    private struct State {
        var order: [UInt64] = []
        var calls: [UInt64: @Sendable () -> Void] = [:]
        var isRunning = false
    }
    private let state = Mutex(State())

    /// Adds `call`, which informs observers of the parameter at `address`, after all earlier ones.
    func add(_ address: UInt64, _ call: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            if state.calls.updateValue(call, forKey: address) == nil { state.order.append(address) }
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
        while let call = next() { call() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.order.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.calls.removeValue(forKey: state.order.removeFirst())
        }
    }
}
