// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of events in shared memory: one writer, one reader, in different processes. Render threads.

import CWireLayout

/// Where a ring lies: its slots and the two counters. Each end makes its own of the same memory.
public struct EventRing: @unchecked Sendable {
    // SAFETY: only places are kept; whoever makes one keeps the memory mapped.
    fileprivate let slots: UnsafeMutablePointer<WireEvent>
    fileprivate let capacity: UInt64
    fileprivate let written: SharedCounter
    fileprivate let read: SharedCounter

    /// `capacity` is a power of two; `slots` has room for that many events.
    public init(slots: UnsafeMutablePointer<WireEvent>, capacity: Int, written: SharedCounter, read: SharedCounter) {
        self.slots = slots
        self.capacity = UInt64(capacity)
        self.written = written
        self.read = read
    }

    /// The slot of the event at a position.
    @_noLocks
    fileprivate func slot(_ position: UInt64) -> UnsafeMutablePointer<WireEvent> {
        slots + Int(truncatingIfNeeded: position & (capacity &- 1))
    }
}

/// The writing end. The reader's counter is not trusted: nonsense in it reads as a full ring.
public struct EventRingWriter: @unchecked Sendable {
    // SAFETY: one thread writes; the memory stays mapped while the ring is used.
    private let ring: EventRing
    private var position: UInt64

    public init(_ ring: EventRing) {
        self.ring = ring
        position = ring.written.loadOwn()
    }

    /// The ring has been formatted anew.
    @_noLocks
    public mutating func startAnew() { position = 0 }

    /// Events for which there is room.
    @_noLocks
    public func freeCount() -> Int {
        let used = position &- ring.read.load()
        return used > ring.capacity ? 0 : Int(truncatingIfNeeded: ring.capacity &- used)
    }

    /// Puts an event into the ring; false when it is full. Visible to the reader at once.
    @_noLocks
    public mutating func write(_ event: WireEvent) -> Bool {
        guard freeCount() > 0 else { return false }
        ring.slot(position).pointee = event
        position &+= 1
        ring.written.store(position)
        return true
    }
}

/// The reading end. It keeps its own position and copies each event once before looking at it.
public struct EventRingReader: @unchecked Sendable {
    // SAFETY: one thread reads; the memory stays mapped while the ring is used.
    private let ring: EventRing
    private var position: UInt64

    public init(_ ring: EventRing) {
        self.ring = ring
        position = ring.read.loadOwn()
    }

    /// The ring has been formatted anew.
    @_noLocks
    public mutating func startAnew() { position = 0 }

    /// What a look at the ring found.
    public enum Availability {
        case count(Int)
        /// The writer's counter is not one that an honest writer could have stored.
        case violation
    }

    @_noLocks
    public func available() -> Availability {
        let count = ring.written.load() &- position
        return count > ring.capacity ? .violation : .count(Int(truncatingIfNeeded: count))
    }

    /// Takes the next event. The caller has checked `available()`; each call takes one of those.
    @_noLocks
    public mutating func next() -> WireEvent {
        let event = ring.slot(position).pointee
        position &+= 1
        ring.read.store(position)
        return event
    }
}
