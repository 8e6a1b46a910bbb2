// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which state the instances have, so that neither thread believes what was said of the one before. Both threads.

import Synchronization

/// Counts the states that running instances have been given.
struct StateCount: @unchecked Sendable {
    // SAFETY: the one word is an atomic, at an address that lasts until `destroy`.
    private let word: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
    }

    func destroy() { word.deallocate() }

    var now: UInt32 {
        // Acquire: the state is there for whoever sees its number.
        @_noLocks get { word.pointee.load(ordering: .acquiring) }
    }

    /// `[control]` The instances have been given another.
    func advance() { word.pointee.wrappingAdd(1, ordering: .releasing) }
}
