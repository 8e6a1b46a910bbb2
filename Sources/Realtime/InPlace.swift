// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the state of a render thread at its address. Any thread.

import Synchronization

/// A member that makes the compiler pass the structure around it by address.
///
/// Otherwise each call of a non-mutating method copies the whole structure to the stack, even a noncopyable one. The state of a
/// chain or a unit is too large for that.
public struct InPlace: ~Copyable {
    // An atomic has an address, and so has the structure that contains it.
    private let anchor = Atomic<UInt8>(0)

    /// Makes the member.
    public init() {}
}
