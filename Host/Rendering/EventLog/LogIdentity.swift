// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The numbers of units and levels in a log. Control threads.

import Synchronization

/// Serial numbers for the entries of a log: an address would soon belong to another object.
enum LogIdentity {
    private static let last = Atomic<UInt>(0)

    /// A number that has never been used before.
    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
