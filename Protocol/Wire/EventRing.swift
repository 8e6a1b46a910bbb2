// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of events in shared memory: one writer and one reader, in different processes. Render threads.

import CWireLayout

/// The slots and the two counters of a ring; each end makes its own view of the same memory.
public struct EventRing: @unchecked Sendable {
    // SAFETY: only addresses are stored; the maker of a ring keeps the memory mapped.
    fileprivate let slots: UnsafeMutablePointer<WireEvent>
    fileprivate let capacity: UInt64
    fileprivate let written: SharedCounter
    fileprivate let read: SharedCounter

    /// Makes a view of a ring; `capacity` is a power of two, and `slots` has room for that many events.
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

/// The writing end of a ring.
///
/// It does not trust the reader's counter: an impossible value counts as a full ring.
public struct EventRingWriter: @unchecked Sendable {
    // SAFETY: one thread writes; the memory stays mapped while the ring is used.
    private let ring: EventRing
    private var position: UInt64

    /// `[control]` Takes the writing end at the position of the last writer.
    public init(_ ring: EventRing) {
        self.ring = ring
        position = ring.written.loadOwn()
    }

    /// `[render]` Starts again with a ring that has been reformatted.
    @_noLocks
    public mutating func startAnew() { position = 0 }

    /// `[render]` The number of events for which there is room.
    @_noLocks
    public func freeCount() -> Int {
        let used = position &- ring.read.load()
        return used > ring.capacity ? 0 : Int(truncatingIfNeeded: ring.capacity &- used)
    }

    /// `[render]` Writes an event, which the reader sees at once; false if the ring is full.
    @_noLocks
    public mutating func write(_ event: WireEvent) -> Bool {
        guard freeCount() > 0 else { return false }
        ring.slot(position).pointee = event
        position &+= 1
        ring.written.store(position)
        return true
    }
}

/// The reading end of a ring.
///
/// It keeps its own position, and copies each event once before it reads it.
public struct EventRingReader: @unchecked Sendable {
    // SAFETY: one thread reads; the memory stays mapped while the ring is used.
    private let ring: EventRing
    private var position: UInt64

    /// `[control]` Takes the reading end at the position of the last reader.
    public init(_ ring: EventRing) {
        self.ring = ring
        position = ring.read.loadOwn()
    }

    /// `[render]` Starts again with a ring that has been reformatted.
    @_noLocks
    public mutating func startAnew() { position = 0 }

    /// The number of waiting events in a ring.
    public enum Availability {
        /// This number of events waits.
        case count(Int)
        /// The writer's counter is impossible.
        case violation
    }

    /// `[render]` The number of events that can be read.
    @_noLocks
    public func available() -> Availability {
        let count = ring.written.load() &- position
        return count > ring.capacity ? .violation : .count(Int(truncatingIfNeeded: count))
    }

    /// `[render]` Takes the next event; call it at most as often as `available()` allows.
    @_noLocks
    public mutating func next() -> WireEvent {
        let event = ring.slot(position).pointee
        position &+= 1
        ring.read.store(position)
        return event
    }
}
