// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The C beneath the LV2 bridge: numbers for URIs, sequences of atoms, rings. It does not trust a plug-in's bytes. Test thread.

import CLV2Shims
import TestSupport
import Testing

@Suite struct LV2ShimsTests {
    private let words = CLV2Shims_vocabulary().pointee

    /// A port's buffer.
    private final class Buffer {
        let bytes: UnsafeMutableRawPointer
        let capacity: UInt32

        init(_ capacity: UInt32) {
            self.capacity = capacity
            bytes = .allocate(byteCount: Int(capacity), alignment: 8)
            bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Int(capacity))
            CLV2Shims_clearInput(bytes)
        }

        deinit { bytes.deallocate() }

        /// The events that a host finds; their bodies as bytes.
        var events: [(frame: Int64, type: UInt32, body: [UInt8])] {
            var events: [(frame: Int64, type: UInt32, body: [UInt8])] = []
            var offset: UInt32 = 0
            var event = CLV2Shims_Event()
            while CLV2Shims_nextEvent(bytes, capacity, &offset, &event) {
                events.append(
                    (event.frame, event.type, Array(UnsafeRawBufferPointer(start: event.body, count: Int(event.byteCount)))))
            }
            return events
        }
    }

    @Test func aURIHasTheSameNumberEverywhere() {
        // FNV-1a, so that a state saved by one process means the same in another.
        #expect(CLV2Shims_map("a") == 0xE40C_292C)
        #expect(CLV2Shims_map("foobar") == 0xBF9C_F968)
        #expect(CLV2Shims_unmap(0xBF9C_F968).map { String(cString: $0) } == "foobar")
        #expect(CLV2Shims_unmap(12_345) == nil)
    }

    @Test func urisWithTheSameHashGetNumbersOfTheirOwn() {
        // Two texts with the same FNV-1a hash.
        let first = CLV2Shims_map("costarring")
        let second = CLV2Shims_map("liquid")
        #expect(second == first &+ 1 && CLV2Shims_map("costarring") == first && CLV2Shims_map("liquid") == second)
        #expect(CLV2Shims_unmap(second).map { String(cString: $0) } == "liquid")
    }

    @Test func eventsComeOutAsTheyWentIn() {
        let buffer = Buffer(256)
        #expect(CLV2Shims_append(buffer.bytes, 256, 3, words.midiEvent, [0x90, 60, 100] as [UInt8], 3))
        #expect(CLV2Shims_append(buffer.bytes, 256, 7, words.midiEvent, [0xF8] as [UInt8], 1))
        let events = buffer.events
        #expect(events.map(\.frame) == [3, 7] && events.map(\.body) == [[0x90, 60, 100], [0xF8]])
    }

    @Test func aFullSequenceTakesNoMore() {
        let buffer = Buffer(64)
        #expect(CLV2Shims_append(buffer.bytes, 64, 0, 1, [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8], 8))
        #expect(!CLV2Shims_append(buffer.bytes, 64, 0, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8], 9))
        #expect(CLV2Shims_append(buffer.bytes, 64, 0, 1, [] as [UInt8], 0))
        #expect(!CLV2Shims_append(buffer.bytes, 64, 0, 1, [] as [UInt8], 0))
        #expect(buffer.events.map(\.body.count) == [8, 0])
    }

    @Test func aSetIsReadAsTheChangeThatItIs() {
        let buffer = Buffer(256)
        let value: Float = 0.5
        withUnsafeBytes(of: value) { body in
            var change = CLV2Shims_Change(property: 77, type: words.floatType, byteCount: 4, body: body.baseAddress)
            #expect(CLV2Shims_appendSet(buffer.bytes, 256, 9, &change))
        }
        var (offset, location): (UInt32, UInt32) = (0, 0)
        var event = CLV2Shims_Event()
        var change = CLV2Shims_Change()
        #expect(CLV2Shims_nextEvent(buffer.bytes, 256, &offset, &event) && event.frame == 9)
        #expect(CLV2Shims_nextChange(&event, &location, &change) && change.property == 77)
        #expect(change.body.map { CLV2Shims_number(change.type, $0, change.byteCount) } == 0.5)
        #expect(!CLV2Shims_nextChange(&event, &location, &change))
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func nonsenseFromAPluginStaysInItsBuffer(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let buffer = Buffer(512)
        for _ in 0..<2000 {
            // A correct message, and then a few words of it overwritten.
            CLV2Shims_clearInput(buffer.bytes)
            let body: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
            for _ in 0..<4 {
                _ = body.withUnsafeBytes { bytes in
                    var change = CLV2Shims_Change(property: 5, type: words.doubleType, byteCount: 8, body: bytes.baseAddress)
                    return CLV2Shims_appendSet(buffer.bytes, 512, 1, &change)
                }
            }
            for _ in 0..<3 {
                let values: [UInt32] = [0, 1, 7, 8, 15, 16, 255, 256, 504, 512, .max, .max - 7, words.sequence, words.patchPut]
                let value = values[Int(random.next() % UInt64(values.count))]
                buffer.bytes.storeBytes(of: value, toByteOffset: Int(random.next() % 64) * 4, as: UInt32.self)
            }
            var offset: UInt32 = 0
            var event = CLV2Shims_Event()
            var count = 0
            while CLV2Shims_nextEvent(buffer.bytes, 512, &offset, &event) {
                count += 1
                expectInside(event.body, event.byteCount, buffer)
                var location: UInt32 = 0
                var change = CLV2Shims_Change()
                var changes = 0
                while changes < 100, CLV2Shims_nextChange(&event, &location, &change) {
                    changes += 1
                    expectInside(change.body, change.byteCount, buffer)
                }
                #expect(changes < 100 && count < 100)
                if count >= 100 { return }
            }
        }
    }

    private func expectInside(_ body: UnsafeRawPointer?, _ byteCount: UInt32, _ buffer: Buffer) {
        guard let body else { return }
        let start = UnsafeRawPointer(buffer.bytes)
        #expect(body >= start && body + Int(byteCount) <= start + Int(buffer.capacity))
    }

    @Test func aRingKeepsMessagesWholeAndRefusesWhatDoesNotFit() throws {
        let ring = try #require(CLV2Shims_makeRing(64))
        defer { CLV2Shims_freeRing(ring) }
        var body = [UInt8](repeating: 0, count: 64)
        var byteCount: UInt32 = 0
        // Around the end several times.
        for number in 0..<50 as Range<UInt8> {
            #expect(CLV2Shims_write(ring, [number, 1] as [UInt8], 2, [2, 3, number] as [UInt8], 3))
            #expect(CLV2Shims_write(ring, [number] as [UInt8], 1, nil, 0))
            #expect(CLV2Shims_read(ring, &body, &byteCount) && Array(body.prefix(Int(byteCount))) == [number, 1, 2, 3, number])
            #expect(CLV2Shims_read(ring, &body, &byteCount) && Array(body.prefix(Int(byteCount))) == [number])
        }
        #expect(!CLV2Shims_read(ring, &body, &byteCount))
        #expect(CLV2Shims_write(ring, body, 60, nil, 0) && !CLV2Shims_write(ring, nil, 0, nil, 0))
        #expect(CLV2Shims_read(ring, &body, &byteCount) && byteCount == 60)
        #expect(!CLV2Shims_write(ring, body, 61, nil, 0))
    }
}
