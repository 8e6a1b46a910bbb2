// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ends of a ring of events whose other end lies: a script of what it stores, and when. The fuzzer's thread.

import AudioUnits
import ControlMessages
import Wire

extension FuzzTarget {
    static let ringReader = FuzzTarget("ring-reader", seeds: [FuzzedRing.seed(operations: 3, 3, 0, 4, 3, 1, 4, 1)]) { bytes in
        var script = FuzzScript(bytes)
        let memory = FuzzedRing(&script)
        defer { memory.free() }
        var reader = EventRingReader(memory.ring)
        var position = memory.start
        while !script.isAtEnd {
            switch script.byte() % 5 {
            case 0: memory.written.store(script.word())
            case 1: memory.written.store(position &+ script.smallDistance())
            case 2: memory.read.store(script.word())
            case 3: memory.scribble(&script)
            default: take(from: &reader, memory, &position)
            }
        }
    }

    private static func take(from reader: inout EventRingReader, _ memory: FuzzedRing, _ position: inout UInt64) {
        let claimed = memory.written.load() &- position
        switch reader.available() {
        case .violation: precondition(claimed > UInt64(memory.capacity))
        case .count(let count):
            precondition(UInt64(count) == claimed && count <= memory.capacity)
            for _ in 0..<count {
                use(reader.next())
                position &+= 1
            }
            precondition(memory.read.load() == position || count == 0)
        }
    }

    static let ringWriter = FuzzTarget("ring-writer", seeds: [FuzzedRing.seed(operations: 4, 4, 1, 1, 4, 0)]) { bytes in
        var script = FuzzScript(bytes)
        let memory = FuzzedRing(&script)
        defer { memory.free() }
        var writer = EventRingWriter(memory.ring)
        var position = memory.start
        while !script.isAtEnd {
            switch script.byte() % 5 {
            case 0: memory.read.store(script.word())
            case 1: memory.read.store(position &+ script.smallDistance())
            case 2: memory.written.store(script.word())
            case 3: memory.scribble(&script)
            default: put(into: &writer, memory, &position)
            }
        }
    }

    private static func put(into writer: inout EventRingWriter, _ memory: FuzzedRing, _ position: inout UInt64) {
        let used = position &- memory.read.load()
        precondition(writer.freeCount() == (used > UInt64(memory.capacity) ? 0 : memory.capacity - Int(used)))
        let isWritten = writer.write(WireEvent(parameter: position, value: 1, sampleTime: 0))
        precondition(isWritten == (used < UInt64(memory.capacity)))
        guard isWritten else { return }
        precondition(memory.slots[Int(position % UInt64(memory.capacity))].address == position)
        position &+= 1
        precondition(memory.written.load() == position)
    }
}

/// Uses an event as both sides do: they pass on only what the protocol knows, and do not change it.
private func use(_ event: WireEvent) {
    guard let known = RenderEvent(event) else { return }
    let again = known.wireEvent(at: event.sampleTime)
    precondition(again.kind == event.kind && again.address == event.address && again.value == event.value)
    precondition(again.byteCount <= 16 && again.sampleTime == event.sampleTime)
}

/// A ring whose memory ends where its slots end.
private struct FuzzedRing {
    let capacity: Int
    let start: UInt64
    let slots: UnsafeMutablePointer<WireEvent>
    let written: SharedCounter
    let read: SharedCounter
    private let counters: UnsafeMutableRawPointer

    /// Makes a ring whose size and counters come from the first bytes of the script.
    init(_ script: inout FuzzScript) {
        capacity = 1 << Int(script.byte() & 7)
        start = script.word()
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: WireEvent(), count: capacity)
        counters = .allocate(byteCount: 16, alignment: 8)
        counters.initializeMemory(as: UInt64.self, repeating: start, count: 2)
        written = SharedCounter(unsafeAddress: counters)
        read = SharedCounter(unsafeAddress: counters + 8)
    }

    func free() {
        slots.deallocate()
        counters.deallocate()
    }

    var ring: EventRing { EventRing(slots: slots, capacity: capacity, written: written, read: read) }

    /// Writes bytes of the script over a slot.
    func scribble(_ script: inout FuzzScript) {
        let slot = UnsafeMutableRawPointer(slots + Int(script.byte()) % capacity)
        for offset in stride(from: 0, to: MemoryLayout<WireEvent>.size, by: 8) {
            slot.storeBytes(of: script.word(), toByteOffset: offset, as: UInt64.self)
        }
    }

    /// Four slots, counters just before they wrap, and operations with as many bytes as each takes.
    static func seed(operations: UInt8...) -> [UInt8] {
        let byteCounts: [UInt8: Int] = [0: 8, 1: 1, 2: 8, 3: 1 + MemoryLayout<WireEvent>.size, 4: 0]
        let words = operations.flatMap { [$0] + [UInt8](repeating: 1, count: byteCounts[$0] ?? 0) }
        return [2, 0xFE] + [UInt8](repeating: 0xFF, count: 7) + words
    }
}
