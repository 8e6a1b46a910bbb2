// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events that have arrived but are not due yet, in order of time. Render thread.

import Wire

/// A queue of fixed size, sorted by sample time; events of the same time keep their order.
struct EventQueue: ~Copyable {
    static let capacity = 4096
    private let events: UnsafeMutablePointer<WireEvent>
    private var start = 0
    private var end = 0

    init() {
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: WireEvent(), count: Self.capacity)
    }

    deinit { events.deallocate() }

    /// Inserts an event by its time; false if the queue is full.
    @_noLocks
    mutating func insert(_ event: WireEvent) -> Bool {
        if end == Self.capacity { moveToFront() }
        guard end < Self.capacity else { return false }
        var position = end
        while position > start, events[position - 1].sampleTime > event.sampleTime {
            events[position] = events[position - 1]
            position -= 1
        }
        events[position] = event
        end += 1
        return true
    }

    var isEmpty: Bool {
        @_noLocks get { start == end }
    }

    /// The time of the earliest event; nil if the queue is empty.
    var nextTime: Int64? {
        @_noLocks get { start < end ? events[start].sampleTime : nil }
    }

    /// Removes the earliest event; the queue must not be empty.
    @_noLocks
    mutating func removeFirst() -> WireEvent {
        let event = events[start]
        start += 1
        if start == end {
            start = 0
            end = 0
        }
        return event
    }

    @_noLocks
    private mutating func moveToFront() {
        for position in start..<end { events[position - start] = events[position] }
        end -= start
        start = 0
    }
}
