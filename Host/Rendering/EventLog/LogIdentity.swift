// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The numbers by which a log knows units and levels. Control threads.

import Synchronization

/// Serial numbers for what a log knows: an address would soon belong to something else.
enum LogIdentity {
    private static let last = Atomic<UInt>(0)

    /// A number that nothing else has had.
    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
