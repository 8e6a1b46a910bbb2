// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in accepts in the header of a region: only what is possible. Test thread.

import CWireLayout
import TestSupport
import Testing
import Wire

@Suite struct RegionHeaderTests {
    private static func random(using seed: inout Seed) -> RegionHeader {
        RegionHeader(
            sampleRate: Double.random(in: 8000...384_000, using: &seed),
            maximumFrameCount: Int.random(in: 1...65536, using: &seed),
            slotCount: 1 << Int.random(in: 0...6, using: &seed),
            inputBusCount: Int.random(in: 0...8, using: &seed), outputBusCount: Int.random(in: 0...8, using: &seed),
            eventCapacity: 1 << Int.random(in: 0...16, using: &seed))
    }

    /// Numbers at which arithmetic goes wrong, and any others.
    private static func hostile(using seed: inout Seed) -> UInt64 {
        let edges: [UInt64] = [
            0, 1, 63, 64, 65, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 31, 1 << 32, 1 << 63, .max, .max - 4095,
        ]
        return Bool.random(using: &seed) ? edges.randomElement(using: &seed)! : seed.next()
    }

    private static let fields: [(name: String, corrupt: @Sendable (inout RegionHeader, UInt64) -> Void)] = [
        ("magic", { $0.magic = UInt32(truncatingIfNeeded: $1) }),
        ("version", { $0.version = UInt32(truncatingIfNeeded: $1) }),
        ("byteCount", { $0.byteCount = $1 }),
        ("sampleRate", { $0.sampleRate = Double(bitPattern: $1) }),
        ("maximumFrameCount", { $0.maximumFrameCount = UInt32(truncatingIfNeeded: $1) }),
        ("slotCount", { $0.slotCount = UInt32(truncatingIfNeeded: $1) }),
        ("inputBusCount", { $0.inputBusCount = UInt32(truncatingIfNeeded: $1) }),
        ("outputBusCount", { $0.outputBusCount = UInt32(truncatingIfNeeded: $1) }),
        ("hostToPluginEventCapacity", { $0.hostToPluginEventCapacity = UInt32(truncatingIfNeeded: $1) }),
        ("pluginToHostEventCapacity", { $0.pluginToHostEventCapacity = UInt32(truncatingIfNeeded: $1) }),
        ("hostWordsOffset", { $0.hostWordsOffset = $1 }),
        ("pluginWordsOffset", { $0.pluginWordsOffset = $1 }),
        ("requestsOffset", { $0.requestsOffset = $1 }),
        ("repliesOffset", { $0.repliesOffset = $1 }),
        ("hostToPluginEventsOffset", { $0.hostToPluginEventsOffset = $1 }),
        ("pluginToHostEventsOffset", { $0.pluginToHostEventsOffset = $1 }),
    ]

    /// The rules of the specification, in arithmetic that cannot overflow.
    private static func isLegal(_ header: RegionHeader, mappedByteCount: Int) -> Bool {
        func isPower(_ number: UInt32, _ limit: UInt32) -> Bool { number.nonzeroBitCount == 1 && number <= limit }
        let sections: [(UInt64, UInt64)] = [
            (header.hostWordsOffset, 192), (header.pluginWordsOffset, 256),
            (header.requestsOffset, 128 * UInt64(header.slotCount)),
            (header.repliesOffset, 64 * UInt64(header.slotCount)),
            (header.hostToPluginEventsOffset, 32 * UInt64(header.hostToPluginEventCapacity)),
            (header.pluginToHostEventsOffset, 32 * UInt64(header.pluginToHostEventCapacity)),
        ]
        var end: UInt128 = 96
        for (offset, size) in sections {
            guard offset % 64 == 0, UInt128(offset) >= end else { return false }
            end = UInt128(offset) + UInt128(size)
        }
        return end <= UInt128(header.byteCount) && header.byteCount == UInt64(mappedByteCount)
            && header.magic == 0x484B_4C42 && header.version == 1
            && header.sampleRate > 0 && header.sampleRate < .infinity
            && (1...65536).contains(header.maximumFrameCount) && isPower(header.slotCount, 64)
            && header.inputBusCount <= 8 && header.outputBusCount <= 8
            && isPower(header.hostToPluginEventCapacity, 65536) && isPower(header.pluginToHostEventCapacity, 65536)
    }

    private static func accepts(_ header: RegionHeader, _ mappedByteCount: Int) -> Bool {
        (try? header.validate(mappedByteCount: mappedByteCount)) != nil
    }

    @Test func whatTheHostLaysOutIsValid() {
        var seed = Seed()
        for _ in 0..<2000 {
            let header = Self.random(using: &seed)
            #expect(Self.accepts(header, Int(header.byteCount)))
            #expect(Self.isLegal(header, mappedByteCount: Int(header.byteCount)))
        }
    }

    @Test(arguments: fields.indices)
    func aCorruptedFieldIsJudgedAsTheSpecificationJudgesIt(index: Int) {
        var seed = Seed()
        var refusals = 0
        for _ in 0..<2000 {
            let header = Self.random(using: &seed)
            var corrupted = header
            Self.fields[index].corrupt(&corrupted, Self.hostile(using: &seed))
            let isAccepted = Self.accepts(corrupted, Int(header.byteCount))
            #expect(isAccepted == Self.isLegal(corrupted, mappedByteCount: Int(header.byteCount)), "\(corrupted)")
            if !isAccepted { refusals += 1 }
        }
        #expect(refusals > 100, "\(Self.fields[index].name) is hardly ever refused")
    }

    @Test func headersOfPureNoiseAreRefused() {
        var seed = Seed()
        for _ in 0..<10_000 {
            var header = RegionHeader()
            withUnsafeMutableBytes(of: &header) { bytes in
                for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &seed) }
            }
            if Bool.random(using: &seed) { header.magic = UInt32(CWireLayout_magic) }
            if Bool.random(using: &seed) { header.version = 1 }
            #expect(!Self.accepts(header, Int(truncatingIfNeeded: header.byteCount & 0xFFFF_FFFF)))
        }
    }

    @Test func aSizeThatNoMappingHasIsRefused() {
        var header = RegionHeader(
            sampleRate: 48000, maximumFrameCount: 256, slotCount: 2, inputBusCount: 1, outputBusCount: 1,
            eventCapacity: 1024)
        #expect(throws: WireViolation.self) { try header.validate(mappedByteCount: -1) }
        header.byteCount = .max
        #expect(throws: WireViolation.self) { try header.validate(mappedByteCount: -1) }
    }

    @Test func aRegionTooSmallForItsHeaderIsRefused() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 95, alignment: 4096)
        defer { memory.deallocate() }
        #expect(throws: WireViolation.self) { try Region(unsafeBase: memory, byteCount: 95) }
    }

    @Test func theWordsLieWhereTheHeaderSays() throws {
        let header = RegionHeader(
            sampleRate: 48000, maximumFrameCount: 256, slotCount: 2, inputBusCount: 1, outputBusCount: 1,
            eventCapacity: 1024)
        #expect(header.byteCount == 69632)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(header.byteCount), alignment: 4096)
        defer { memory.deallocate() }
        let region = Region(unsafeFormatting: memory, as: header)
        region.publishedSequence.store(7)
        region.completedSequence.store(8)
        region.lifeline.store(9)
        region.request(3).pointee.tempo = 90
        region.reply(2).pointee.status = 2
        #expect(memory.load(fromByteOffset: 0x80, as: UInt64.self) == 7)
        #expect(memory.load(fromByteOffset: 0x140, as: UInt64.self) == 8)
        #expect(memory.load(fromByteOffset: 0x200, as: UInt32.self) == 9)
        #expect(memory.load(fromByteOffset: 0x2C0 + 40, as: Double.self) == 90)
        #expect(memory.load(fromByteOffset: 0x340 + 8, as: UInt32.self) == 2)
        #expect(
            try Region(unsafeBase: memory, byteCount: Int(header.byteCount)).header.pluginToHostEventsOffset == 0x83C0)
    }
}
