// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The promises of a file's header, read without libsndfile, which tolerates too much. Control thread.

import LinuxSystem

/// The arrangement of chunks in a container.
private struct ChunkLayout {
    var firstOffset: UInt64 = 12
    var idByteCount = 4
    var sizeByteCount = 4
    var isBigEndian = false
    var alignment: UInt64 = 2
    var sizeIncludesHeader = false
    var dataID = "data"
}

/// The chunk sizes of a chunked audio file, and for WAV the channel count and sample rate.
struct ContainerHeader {
    /// Set if a chunk claims more bytes than follow it.
    private(set) var truncation: (promised: UInt64, present: UInt64)?
    private(set) var channelCount: Int?
    private(set) var sampleRate: Int?
    /// The channel mask of a WAV file, if it has one, and its position in bytes from the start.
    private(set) var channelMask: (value: UInt32, byteOffset: UInt64)?

    private let descriptor: CInt
    private let byteCount: UInt64
    private var wideDataSize: UInt64?

    /// Reads the header; nil if the file has no chunks.
    init?(descriptor: CInt, byteCount: UInt64) {
        self.descriptor = descriptor
        self.byteCount = byteCount
        if text(at: 0, 4) == ".snd" {
            checkSunHeader()
        } else {
            guard let layout = layout() else { return nil }
            walk(layout)
        }
    }

    private func layout() -> ChunkLayout? {
        switch (text(at: 0, 4), text(at: 8, 4)) {
        case ("RIFF", "WAVE"), ("RF64", "WAVE"): ChunkLayout()
        case ("RIFX", "WAVE"): ChunkLayout(isBigEndian: true)
        case ("FORM", "AIFF"), ("FORM", "AIFC"): ChunkLayout(isBigEndian: true, dataID: "SSND")
        case ("caff", _): ChunkLayout(firstOffset: 8, sizeByteCount: 8, isBigEndian: true, alignment: 1)
        case ("riff", _):
            ChunkLayout(firstOffset: 40, idByteCount: 16, sizeByteCount: 8, alignment: 8, sizeIncludesHeader: true)
        default: nil
        }
    }

    private mutating func walk(_ layout: ChunkLayout) {
        let headerByteCount = UInt64(layout.idByteCount + layout.sizeByteCount)
        var offset = layout.firstOffset
        for _ in 0..<10_000 {
            guard offset <= byteCount, byteCount - offset >= headerByteCount, let id = text(at: offset, 4),
                var size = number(at: offset + UInt64(layout.idByteCount), layout.sizeByteCount, layout.isBigEndian)
            else { return }
            if layout.sizeIncludesHeader { size = size >= headerByteCount ? size - headerByteCount : 0 }
            let body = offset + headerByteCount
            note(id, at: body, layout)
            if id == layout.dataID { return checkData(promised: size, at: body, layout) }
            guard size <= byteCount - body else { return checkChunk(id, promised: size, at: body) }
            offset = (body + size + layout.alignment - 1) / layout.alignment * layout.alignment
        }
    }

    private mutating func note(_ id: String, at body: UInt64, _ layout: ChunkLayout) {
        if id == "fmt " && layout.dataID == "data" {
            channelCount = number(at: body + 2, 2, layout.isBigEndian).map { Int($0) }
            sampleRate = number(at: body + 4, 4, layout.isBigEndian).map { Int(Int32(truncatingIfNeeded: $0)) }
            if number(at: body, 2, layout.isBigEndian) == 0xFFFE {
                channelMask = number(at: body + 20, 4, layout.isBigEndian).map { (UInt32($0), body + 20) }
            }
        }
        if id == "ds64" { wideDataSize = number(at: body + 8, 8, false) }
    }

    private mutating func checkData(promised: UInt64, at body: UInt64, _ layout: ChunkLayout) {
        let size = wideDataSize ?? promised
        if layout.sizeByteCount == 4 && wideDataSize == nil && Self.meansUnknown(size) { return }
        if size == .max { return }  // Core Audio's "until the end".
        let present = byteCount - body
        if size > present { truncation = (size, present) }
    }

    private mutating func checkChunk(_ id: String, promised: UInt64, at body: UInt64) {
        guard id.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else { return }
        truncation = (promised, byteCount - body)
    }

    private mutating func checkSunHeader() {
        guard let start = number(at: 4, 4, true), let size = number(at: 8, 4, true) else { return }
        guard !Self.meansUnknown(size), start <= byteCount, size > byteCount - start else { return }
        truncation = (size, byteCount - start)
    }

    /// True if a size means "unknown": programs that write to a pipe cannot go back to fill it in.
    private static func meansUnknown(_ size: UInt64) -> Bool {
        (0x7FFF_F000...0x8000_0000).contains(size) || (0xFFFF_F000...0xFFFF_FFFF).contains(size)
    }

    private func text(at offset: UInt64, _ count: Int) -> String? {
        bytes(at: offset, count).map { String(decoding: $0, as: Unicode.ASCII.self) }
    }

    private func number(at offset: UInt64, _ count: Int, _ isBigEndian: Bool) -> UInt64? {
        guard let bytes = bytes(at: offset, count) else { return nil }
        return (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func bytes(at offset: UInt64, _ count: Int) -> [UInt8]? {
        guard offset <= byteCount else { return nil }
        return Descriptor.bytes(from: descriptor, at: Int(offset), byteCount: count)
    }
}
