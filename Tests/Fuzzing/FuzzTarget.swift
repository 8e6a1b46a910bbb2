// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parsers that are fuzzed, by name: all that read bytes of a peer, or a file that any user may have written. Any thread.

import Glibc

/// Prints a sentence on standard error and ends the process.
func leave(_ status: CInt, _ sentence: String) -> Never {
    let bytes = Array("\(sentence)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(status)
}

/// One parser, and honest inputs to start from.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs as an honest writer would have written them.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Reads bytes as the parser's caller would; traps when an accepted input breaks the parser's promises.
    let read: @Sendable ([UInt8]) -> Void

    init(
        _ name: String, seeds: @autoclosure @escaping @Sendable () throws -> [[UInt8]], read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.read = read
    }

    static let all = [
        regionHeader, ringReader, ringWriter,
        frame, controlChannel, pluginMessage, hostMessage,
        listing, scanCache, state, lv2State,
        manifest, chain, preset, settings, graph, soundFileHeader, listen, bank, midiFile, midiSong, oscPacket, view, headFile,
        headTable,
        planted,
    ]

    /// The positive control, which trusts an index that the peer wrote.
    ///
    /// A fuzzer that does not find this finds nothing.
    private static let planted = FuzzTarget("planted", seeds: [[0x42, 0, 0, 0, 0]]) { bytes in
        guard bytes.count > 4, bytes[0] == 0x42, bytes[1] == 0x4C, bytes[2] == 0x4B else { return }
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        table.initialize(repeating: 0, count: 16)
        defer { table.deallocate() }
        table[Int(bytes[3])] = bytes[4]
    }
}

/// Takes bytes from the front of an input, and zeros when none are left.
struct FuzzScript {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
    mutating func word() -> UInt64 { (0..<8).reduce(0) { word, index in word | UInt64(byte()) << (8 * UInt64(index)) } }
    /// A number from -128 to 127, as the bits of a word.
    mutating func smallDistance() -> UInt64 { UInt64(bitPattern: Int64(Int8(bitPattern: byte()))) }
    mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
