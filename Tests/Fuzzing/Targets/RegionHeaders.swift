// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The header of a region, and the sections that it places. The fuzzer's thread.

import CWireLayout
import Wire

extension FuzzTarget {
    static let regionHeader = FuzzTarget("region-header", seeds: seeds) { bytes in
        readAsItIs(bytes)
        var header = RegionHeader()
        withUnsafeMutableBytes(of: &header) { $0.copyBytes(from: bytes.prefix($0.count)) }
        // The fuzzer need not guess the fields that end every reading at once.
        header.magic = UInt32(CWireLayout_magic)
        header.version = UInt32(CWireLayout_layoutVersion)
        guard (try? header.validate(mappedByteCount: Int(truncatingIfNeeded: header.byteCount))) != nil else { return }
        precondition(header.pluginToHostEventsOffset + UInt64(header.pluginToHostEventCapacity) * 32 <= header.byteCount)
        precondition(header.hostWordsOffset >= 96)
        if header.byteCount <= 1 << 19 { use(header) }
    }

    private static var seeds: [[UInt8]] {
        [(256, 2, 1, 1024), (64, 1, 8, 1), (65_536, 64, 0, 128)].map { frames, slots, buses, events in
            let header = RegionHeader(
                sampleRate: 48000, maximumFrameCount: frames, slotCount: slots, inputBusCount: buses, outputBusCount: buses,
                eventCapacity: events)
            return withUnsafeBytes(of: header) { Array($0) }
        }
    }

    private static func readAsItIs(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 4096)
        defer { memory.deallocate() }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        _ = try? Region(unsafeBase: memory, byteCount: bytes.count)
    }

    /// Touches the first and the last element of each section, in memory that ends where the header says.
    private static func use(_ header: RegionHeader) {
        let byteCount = Int(header.byteCount)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
        defer { memory.deallocate() }
        let formatted = Region(unsafeFormatting: memory, as: header)
        guard let region = try? Region(unsafeBase: memory, byteCount: byteCount) else { fatalError("not readable twice") }
        precondition(region.slotCount == formatted.slotCount)
        for sequence in [0, 1, UInt64(region.slotCount) - 1, .max] as [UInt64] {
            region.request(sequence).pointee.sequence = sequence
            region.reply(sequence).pointee.sequence = sequence
        }
        region.publishedSequence.store(1)
        region.completedSequence.store(1)
        region.lifeline.store(1)
        fill(region.hostToPluginWriter(), region.hostToPluginReader(), Int(header.hostToPluginEventCapacity))
        fill(region.pluginToHostWriter(), region.pluginToHostReader(), Int(header.pluginToHostEventCapacity))
    }

    private static func fill(_ writer: EventRingWriter, _ reader: EventRingReader, _ capacity: Int) {
        var (writer, reader) = (writer, reader)
        precondition(writer.freeCount() == capacity)
        for number in 0..<UInt64(capacity) {
            precondition(writer.write(WireEvent(parameter: number, value: 0, sampleTime: 0)))
        }
        guard case .count(capacity) = reader.available() else { fatalError("a full ring that isn't") }
        for number in 0..<UInt64(capacity) { precondition(reader.next().address == number) }
    }
}
