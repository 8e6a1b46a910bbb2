// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events that hold an asset, so that it can be taken away while it plays. Any thread but the render thread.

import Synchronization

/// Counts the started events that hold an asset, and tells when the last of them has left.
final class AssetUse: Sendable {
    private struct State {
        var count = 0
        var isWithdrawn = false
        var completion: (@Sendable () -> Void)?

        /// The closure to call now; it is handed out once.
        mutating func takeCompletion() -> (@Sendable () -> Void)? {
            guard isWithdrawn, count == 0 else { return nil }
            defer { completion = nil }
            return completion
        }
    }

    let id: String
    private let state = Mutex(State())

    init(_ id: String) { self.id = id }

    /// Holds the asset for a starting event; false if it has been taken away.
    func claim() -> Bool {
        state.withLock { state in
            guard !state.isWithdrawn else { return false }
            state.count += 1
            return true
        }
    }

    /// Lets go of the asset for an event that has left; the last one of a withdrawn asset calls its closure.
    func release() {
        let completion = state.withLock { state -> (@Sendable () -> Void)? in
            state.count -= 1
            return state.takeCompletion()
        }
        completion?()
    }

    /// Keeps other events from it, and calls the closure once when no event holds it any more.
    func withdraw(_ completion: (@Sendable () -> Void)?) {
        let completion = state.withLock { state -> (@Sendable () -> Void)? in
            (state.isWithdrawn, state.completion) = (true, completion)
            return state.takeCompletion()
        }
        completion?()
    }
}
