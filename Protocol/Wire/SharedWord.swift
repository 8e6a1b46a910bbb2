// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Atomic words in shared memory, and the orderings that the protocol asks for. Render threads of both sides.

import CWireLayout
import Synchronization

/// A 64-bit counter that one side writes and the other reads.
@frozen
public struct SharedCounter: @unchecked Sendable {
    // SAFETY: every access goes through an atomic; whoever makes one keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt64>>

    /// `address` is aligned to 8 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Acquire: whatever the other side wrote before it published this value is visible after the load.
    @inlinable @_noLocks public func load() -> UInt64 { word.pointee.load(ordering: .acquiring) }

    /// Release: whatever this side wrote before is visible to whoever loads this value.
    @inlinable @_noLocks public func store(_ value: UInt64) { word.pointee.store(value, ordering: .releasing) }

    /// The value that this same thread stored last; nothing to synchronise with.
    @inlinable @_noLocks public func loadOwn() -> UInt64 { word.pointee.load(ordering: .relaxed) }
}

/// A 32-bit word that threads of two processes sleep on.
@frozen
public struct SharedFutexWord: @unchecked Sendable {
    // SAFETY: every access goes through an atomic; whoever makes one keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// `address` is aligned to 4 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// What the kernel is told to sleep and wake on.
    @inlinable public var address: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self) }
    }

    @inlinable @_noLocks public func load() -> UInt32 { word.pointee.load(ordering: .acquiring) }

    @inlinable @_noLocks public func store(_ value: UInt32) { word.pointee.store(value, ordering: .releasing) }

    /// How far ahead, wrapping, a value may be that `advance` takes.
    @usableFromInline static let furthestAdvance: UInt32 = 64

    /// Stores `value` if it is ahead of what is there by 1 to 64, wrapping; whether it was.
    ///
    /// Somebody else may have moved the word on in the meantime; it never goes backwards. Release: the caller's
    /// writes are visible to whoever loads the value.
    @inlinable @_noLocks
    public func advance(to value: UInt32) -> Bool {
        var current = word.pointee.load(ordering: .relaxed)
        while value &- current &- 1 < Self.furthestAdvance {
            let stored = word.pointee.weakCompareExchange(
                expected: current, desired: value, successOrdering: .releasing, failureOrdering: .relaxed)
            if stored.exchanged { return true }
            current = stored.original
        }
        return false
    }

    /// Counts a ring in the top two bits, as the host's doorbell does: the rest has to stay zero, or the kernel wakes
    /// nobody at a death.
    @inlinable @_noLocks public func countRing() { add(0x4000_0000) }

    /// Clears all bits but the two that count. Relaxed: nothing is published by it.
    @inlinable @_noLocks public func clearBelowCount() { word.pointee.bitwiseAnd(0xC000_0000, ordering: .relaxed) }

    /// Adds, wrapping; release so that the waker's writes are visible to the woken.
    @inlinable @_noLocks public func add(_ value: UInt32) { word.pointee.wrappingAdd(value, ordering: .releasing) }
}
