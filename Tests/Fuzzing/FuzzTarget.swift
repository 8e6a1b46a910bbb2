// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What libFuzzer calls: everything that reads bytes of a peer, or of a file that anybody may have written. The first byte says which. The fuzzer's thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Wire

@testable import PluginHosting

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    let body = Array(bytes.dropFirst())
    #if PLANTED_BUG
        readCarelessly(body)
    #endif
    switch choice % 9 {
    case 0...2: readPluginMessage(kind: 65 + UInt16(choice / 9) % 7, body)
    case 3, 4: readHostMessage(kind: 1 + UInt16(choice / 9) % 11, body)
    case 5: readFrame(body)
    case 6: readHeader(body)
    case 7: readState(body)
    default: readScanCache(body)
    }
    return 0
}

private func readPluginMessage(kind: UInt16, _ body: [UInt8]) {
    guard let message = try? PluginMessage(kind: kind, body: body) else { return }
    // What was accepted can be said again, and is then the same.
    guard let again = try? PluginMessage(kind: message.kind, body: message.body) else {
        fatalError("not readable twice")
    }
    precondition(again.body == message.body)
    if case .welcome(let welcome) = message { use(welcome) }
}

/// Does with a welcome what hosts do with it.
private func use(_ welcome: Welcome) {
    for (keyPath, parameter) in welcome.parameters.parameters {
        precondition(welcome.parameters.keyPath(ofAddress: parameter.address) == keyPath)
        for value in [parameter.defaultValue, parameter.range.lowerBound, parameter.range.upperBound] {
            _ = parameter.string(from: value)
        }
    }
    let description = welcome.description
    try? description.checkFormats(
        inputs: description.inputs.map(\.defaultFormat), outputs: description.outputs.map(\.defaultFormat))
    precondition(ComponentDescription(description.component.description) == description.component)
}

private func readHostMessage(kind: UInt16, _ body: [UInt8]) {
    guard let message = try? HostMessage(kind: kind, body: body) else { return }
    guard let again = try? HostMessage(kind: message.kind, body: message.body) else { fatalError("not readable twice") }
    precondition(again.body == message.body)
    if case .allocate(let allocation) = message { use(allocation.output) }
}

private func use(_ layout: AudioMemoryLayout) {
    let last = layout.sampleOffset(slot: layout.slotCount - 1, channel: max(0, layout.channelCount - 1))
    precondition(layout.channelCount == 0 || (last + layout.frameStride) * 4 <= layout.byteCount)
}

private func readFrame(_ bytes: [UInt8]) {
    _ = try? MessageFrame.announcement(of: bytes)
    guard let frame = try? MessageFrame(bytes) else { return }
    precondition(frame.bytes == bytes)
}

private func readHeader(_ bytes: [UInt8]) {
    var header = RegionHeader()
    withUnsafeMutableBytes(of: &header) { $0.copyBytes(from: bytes.prefix($0.count)) }
    header.magic = UInt32(CWireLayout_magic)
    header.version = 1
    let size = Int(truncatingIfNeeded: header.byteCount)
    guard (try? header.validate(mappedByteCount: size)) != nil else { return }
    precondition(header.pluginToHostEventsOffset + UInt64(header.pluginToHostEventCapacity) * 32 <= header.byteCount)
    precondition(header.hostWordsOffset >= 4096)
}

private func readState(_ bytes: [UInt8]) {
    guard let state = try? FullState(encoded: bytes) else { return }
    guard let again = try? FullState(encoded: state.encoded) else { fatalError("not readable twice") }
    precondition(again.encoded == state.encoded)
}

/// Reads the places of a cache, as they are behind its header: no fuzzer guesses a checksum.
private func readScanCache(_ places: [UInt8]) {
    _ = try? ScanCache(bytes: places)
    guard let cache = try? ScanCache(bytes: ScanCache.file(of: places)) else { return }
    guard let again = try? ScanCache(bytes: cache.bytes) else { fatalError("not readable twice") }
    precondition(again == cache)
    for case .listing(let listing) in cache.places.map(\.outcome) {
        precondition(listing.units.allSatisfy { $0.description.identifier.contains(":") && $0.locator.count == 2 })
    }
}

#if PLANTED_BUG
    /// The positive control: trusts a count and an index that the peer wrote.
    private func readCarelessly(_ body: [UInt8]) {
        guard body.count > 4, body[0] == 0x42, body[1] == 0x4C, body[2] == 0x4B else { return }
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        table.initialize(repeating: 0, count: 16)
        defer { table.deallocate() }
        table[Int(body[3])] = body[4]
    }
#endif
