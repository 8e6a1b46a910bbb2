// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Atomic words in shared memory, and the orderings that the protocol requires. Render threads of both sides.

import CWireLayout
import Synchronization

/// A 64-bit counter that one side writes and the other reads.
@frozen
public struct SharedCounter: @unchecked Sendable {
    // SAFETY: every access is atomic; the maker of a counter keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt64>>

    /// Takes the counter at `address`, which is aligned to 8 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// The address of the counter, for hints to the processor.
    public var address: UnsafeRawPointer {
        @_noLocks get { UnsafeRawPointer(word) }
    }

    /// `[render]` Loads the value.
    ///
    /// Acquire: earlier writes of the other side are visible after the load of a value that it published.
    @inlinable @_noLocks public func load() -> UInt64 { word.pointee.load(ordering: .acquiring) }

    /// `[render]` Stores a value.
    ///
    /// Release: earlier writes of this side are visible to a thread that loads this value.
    @inlinable @_noLocks public func store(_ value: UInt64) { word.pointee.store(value, ordering: .releasing) }

    /// `[render]` The value that this thread stored last.
    ///
    /// Relaxed: there is nothing to synchronise with.
    @inlinable @_noLocks public func loadOwn() -> UInt64 { word.pointee.load(ordering: .relaxed) }
}

/// A 32-bit word on which threads of two processes sleep.
@frozen
public struct SharedFutexWord: @unchecked Sendable {
    // SAFETY: every access is atomic; the maker of a word keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// Takes the word at `address`, which is aligned to 4 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// The address at which the kernel puts threads to sleep and wakes them.
    @inlinable public var address: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self) }
    }

    /// `[render]` Loads the value, with acquire.
    @inlinable @_noLocks public func load() -> UInt32 { word.pointee.load(ordering: .acquiring) }

    /// `[render]` Stores a value, with release.
    @inlinable @_noLocks public func store(_ value: UInt32) { word.pointee.store(value, ordering: .releasing) }

    /// The largest step, wrapping, that `advance` accepts.
    @usableFromInline static let furthestAdvance: UInt32 = 64

    /// `[render]` Stores `value` if it is 1 to 64 ahead of the present value, wrapping; true if it was.
    ///
    /// Another thread may have advanced the word meanwhile; it never goes backwards. Release: the caller's writes are visible
    /// to a thread that loads the value.
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

    /// `[render]` Stores a value before the thread's next loads, in the view of all threads; see `SharedSpinFlag`.
    @inlinable @_noLocks
    public func storeInOrder(_ value: UInt32) { word.pointee.store(value, ordering: .sequentiallyConsistent) }

    /// `[render]` Counts a ring in the top two bits, as the host's doorbell does.
    ///
    /// All other bits must stay zero, or the kernel wakes no thread after a death. It is ordered before the next loads, like
    /// `storeInOrder`.
    @inlinable @_noLocks
    public func countRing() { word.pointee.wrappingAdd(0x4000_0000, ordering: .sequentiallyConsistent) }

    /// `[render]` Clears all bits but the two that count, if any of them is set.
    ///
    /// Relaxed: it publishes nothing.
    @inlinable @_noLocks
    public func clearBelowCount() {
        if word.pointee.load(ordering: .relaxed) & 0x3FFF_FFFF != 0 { word.pointee.bitwiseAnd(0xC000_0000, ordering: .relaxed) }
    }
}

/// A flag that is raised while a thread needs no wake-up, which saves the ringing thread a system call.
///
/// A thread raises it if it will read its doorbell once more before it sleeps, or while it spins. It may spin on the doorbell,
/// or on the replies that the doorbell announces.
///
/// A thread that is about to sleep lowers the flag, and then lets the kernel compare the doorbell. A thread that rings changes
/// the doorbell, and then reads the flag. All four steps are sequentially consistent, so at least one side notices the other.
@frozen
public struct SharedSpinFlag: @unchecked Sendable {
    // SAFETY: every access is atomic; the maker of a flag keeps the memory mapped.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// Takes the flag at `address`, which is aligned to 4 bytes and stays mapped.
    @_noLocks
    public init(unsafeAddress address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// `[render]` Raises the flag.
    ///
    /// Relaxed: the flag may be raised at any time before the doorbell is read. A raised flag is not stored again: a store
    /// would take its cache line from a thread that reads it.
    @inlinable @_noLocks
    public func raise() {
        if word.pointee.load(ordering: .relaxed) == 0 { word.pointee.store(1, ordering: .relaxed) }
    }

    /// `[render]` Lowers the flag, if it is raised: the flag has one writer.
    @inlinable @_noLocks
    public func lower() {
        if word.pointee.load(ordering: .relaxed) != 0 { word.pointee.store(0, ordering: .sequentiallyConsistent) }
    }

    /// `[render]` True if the flag is raised; read it after the doorbell has been changed.
    @inlinable public var isRaised: Bool {
        @_noLocks get { word.pointee.load(ordering: .sequentiallyConsistent) != 0 }
    }
}
