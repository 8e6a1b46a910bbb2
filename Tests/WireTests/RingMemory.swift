// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring in private memory, with both its counters within a test's reach. Test threads.

import Wire

final class RingMemory: @unchecked Sendable {
    // SAFETY: the pointers never change; the tests are about the memory behind them.
    let capacity: Int
    let slots: UnsafeMutablePointer<WireEvent>
    let written: SharedCounter
    let read: SharedCounter
    /// One word for each slot, which a test writes and reads whenever the slot is written and read.
    ///
    /// ThreadSanitizer does not see the copy of a whole event, but it sees these.
    let witnesses: UnsafeMutablePointer<UInt64>
    private let counters: UnsafeMutableRawPointer

    /// An empty ring whose counters stand at `start`.
    init(capacity: Int, start: UInt64 = 0) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: WireEvent(), count: capacity)
        witnesses = .allocate(capacity: capacity)
        witnesses.initialize(repeating: 0, count: capacity)
        counters = .allocate(byteCount: 128, alignment: 64)
        counters.initializeMemory(as: UInt64.self, repeating: start, count: 16)
        written = SharedCounter(unsafeAddress: counters)
        read = SharedCounter(unsafeAddress: counters + 64)
    }

    deinit {
        slots.deallocate()
        witnesses.deallocate()
        counters.deallocate()
    }

    var writer: EventRingWriter { EventRingWriter(ring) }
    var reader: EventRingReader { EventRingReader(ring) }
    private var ring: EventRing { EventRing(slots: slots, capacity: capacity, written: written, read: read) }
}

extension WireEvent {
    /// An event in which every field holds the same number.
    init(number: UInt64) {
        self.init(
            parameter: number, value: Double(bitPattern: number), sampleTime: Int64(bitPattern: number),
            rampFrameCount: UInt32(truncatingIfNeeded: number))
    }

    /// The number, or nil when the fields contradict each other: a torn event.
    var number: UInt64? {
        let isWhole =
            value == address && sampleTime == Int64(bitPattern: address)
            && rampFrameCount == UInt32(truncatingIfNeeded: address)
        return isWhole ? address : nil
    }
}

/// Both ends of a ring, used by one thread.
final class RingEnds {
    private var writerEnd: EventRingWriter
    private var readerEnd: EventRingReader

    init(_ memory: RingMemory) {
        writerEnd = memory.writer
        readerEnd = memory.reader
    }

    func write(_ number: UInt64) -> Bool { writerEnd.write(WireEvent(number: number)) }
    func next() -> UInt64? { readerEnd.next().number }
    var freeCount: Int { writerEnd.freeCount() }

    /// Events that can be read, or nil when the writer's counter is impossible.
    var available: Int? {
        if case .count(let count) = readerEnd.available() { count } else { nil }
    }
}
