// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The number of the instances' state, so that both threads ignore reports about an older one. Both threads.

import Synchronization

/// Counts the states that running instances have received.
struct StateCount: @unchecked Sendable {
    // SAFETY: the shared state is one atomic, at an address that lasts until `destroy`.
    private let word: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
    }

    func destroy() { word.deallocate() }

    var now: UInt32 {
        // Acquire: a thread that sees a state's number sees the state.
        @_noLocks get { word.pointee.load(ordering: .acquiring) }
    }

    /// `[control]` Counts one more state, after the instances have received it.
    func advance() { word.pointee.wrappingAdd(1, ordering: .releasing) }
}
