// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of events in shared memory: one writer, one reader, in different processes. Render threads.

import CWireLayout

/// The writing end. The reader's counter is not trusted: nonsense in it reads as a full ring.
public struct EventRingWriter: @unchecked Sendable {
    // SAFETY: one thread writes; the memory stays mapped while the ring is used.
    private let slots: UnsafeMutablePointer<WireEvent>
    private let written: SharedCounter
    private let read: SharedCounter
    private let capacity: UInt64
    private var position: UInt64

    /// `capacity` is a power of two; `slots` has room for that many events.
    public init(slots: UnsafeMutablePointer<WireEvent>, capacity: Int, written: SharedCounter, read: SharedCounter) {
        self.slots = slots
        self.capacity = UInt64(capacity)
        self.written = written
        self.read = read
        position = written.loadOwn()
    }

    /// Events for which there is room.
    @_noLocks
    public func freeCount() -> Int {
        let used = position &- read.load()
        return used > capacity ? 0 : Int(truncatingIfNeeded: capacity &- used)
    }

    /// Puts an event into the ring; false when it is full. Visible to the reader at once.
    @_noLocks
    public mutating func write(_ event: WireEvent) -> Bool {
        guard freeCount() > 0 else { return false }
        slots[Int(truncatingIfNeeded: position & (capacity &- 1))] = event
        position &+= 1
        written.store(position)
        return true
    }
}

/// The reading end. It keeps its own position and copies each event once before looking at it.
public struct EventRingReader: @unchecked Sendable {
    // SAFETY: one thread reads; the memory stays mapped while the ring is used.
    private let slots: UnsafeMutablePointer<WireEvent>
    private let written: SharedCounter
    private let read: SharedCounter
    private let capacity: UInt64
    private var position: UInt64

    /// `capacity` is a power of two; `slots` has room for that many events.
    public init(slots: UnsafeMutablePointer<WireEvent>, capacity: Int, written: SharedCounter, read: SharedCounter) {
        self.slots = slots
        self.capacity = UInt64(capacity)
        self.written = written
        self.read = read
        position = read.loadOwn()
    }

    /// What a look at the ring found.
    public enum Availability {
        case count(Int)
        /// The writer's counter is not one that an honest writer could have stored.
        case violation
    }

    @_noLocks
    public func available() -> Availability {
        let count = written.load() &- position
        return count > capacity ? .violation : .count(Int(truncatingIfNeeded: count))
    }

    /// Takes the next event. The caller has checked `available()`; each call takes one of those.
    @_noLocks
    public mutating func next() -> WireEvent {
        let event = slots[Int(truncatingIfNeeded: position & (capacity &- 1))]
        position &+= 1
        read.store(position)
        return event
    }
}
