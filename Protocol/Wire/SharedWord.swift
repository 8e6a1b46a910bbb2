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

    /// Where it lies, for hints to the processor.
    public var address: UnsafeRawPointer {
        @_noLocks get { UnsafeRawPointer(word) }
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

    /// Stores before whatever this thread loads next, as everybody sees it: see `SharedSpinFlag`.
    @inlinable @_noLocks
    public func storeInOrder(_ value: UInt32) { word.pointee.store(value, ordering: .sequentiallyConsistent) }

    /// Counts a ring in the top two bits, as the host's doorbell does: the rest has to stay zero, or the kernel wakes
    /// nobody at a death. In order with what is loaded next, as by `storeInOrder`.
    @inlinable @_noLocks
    public func countRing() { word.pointee.wrappingAdd(0x4000_0000, ordering: .sequentiallyConsistent) }

    /// Clears all bits but the two that count, should one be set. Relaxed: nothing is published by it.
    @inlinable @_noLocks
    public func clearBelowCount() {
        if word.pointee.load(ordering: .relaxed) & 0x3FFF_FFFF != 0 { word.pointee.bitwiseAnd(0xC000_0000, ordering: .relaxed) }
    }
}

/// Raised by a thread that will look at its doorbell once more before it sleeps, or looks there, or at what is to be rung for, again and
/// again: whoever rings need not wake it, which takes a system call.
///
/// Who is about to sleep lowers the flag and then has the kernel compare the doorbell; who rings changes the doorbell and
/// then looks at the flag. All four are sequentially consistent: not both sides can miss each other.
@frozen
public struct SharedSpinFlag: @unchecked Sendable {
    // SAFETY: every access goes through an atomic; whoever makes one keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// `address` is aligned to 4 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// Relaxed: it may be raised as early as one likes before the doorbell is looked at. One that is up is left alone: a store
    /// would take its line of the cache from whoever looks there.
    @inlinable @_noLocks
    public func raise() {
        if word.pointee.load(ordering: .relaxed) == 0 { word.pointee.store(1, ordering: .relaxed) }
    }

    /// Does nothing where it is down: it has one writer.
    @inlinable @_noLocks
    public func lower() {
        if word.pointee.load(ordering: .relaxed) != 0 { word.pointee.store(0, ordering: .sequentiallyConsistent) }
    }

    /// Asked by whoever rings, after it has changed the doorbell.
    @inlinable public var isRaised: Bool {
        @_noLocks get { word.pointee.load(ordering: .sequentiallyConsistent) != 0 }
    }
}
