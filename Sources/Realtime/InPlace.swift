// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps a render thread's state where it lies. Any thread.

import Synchronization

/// A member that has the compiler pass the structure that it is in by its address.
///
/// Any other structure, copyable or not, is loaded: for each call of a method that does not mutate it the compiler copies all of
/// it to the stack, which the state of a chain or a unit is too large for.
public struct InPlace: ~Copyable {
    // An atomic has an address, and so has what it is part of.
    private let anchor = Atomic<UInt8>(0)

    public init() {}
}
