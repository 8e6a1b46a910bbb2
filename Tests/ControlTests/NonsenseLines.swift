// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines that are almost requests, and lines that are not. Test thread.

import TestSupport

/// Random lines, and at the end a request that is one.
struct NonsenseLines {
    let count: Int
    private var given = 0
    private var random = Seed()

    private static let requests = [
        #"{"id":1,"method":"set","params":{"path":"Gain.gain","value":-3}}"#,
        #"{"id":"a","method":"get","params":{"path":"Reverb.mix"}}"#,
        #"{"method":"status","params":{}}"#, #"{"id":2,"method":"watch","params":{"topics":["meters"],"interval":0.5}}"#,
        #"{"id":3,"method":"connect","params":{"from":"Gain:7","to":"nowhere","volume":1}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"presets","params":{"node":"Reverb"}}"#,
    ]
    private static let pieces = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "null", "1e999", "-0", "\\u0000", "\u{7F}", "true", "\u{1B}[31m", "\"id\"",
        "\"params\"",
    ]

    init(count: Int) { self.count = count }

    /// Some more lines; none after the last one.
    mutating func next() -> [UInt8] {
        guard given <= count else { return [] }
        var bytes: [UInt8] = []
        while given < count, bytes.count < 16_384 {
            bytes += line() + [0x0A]
            given += 1
        }
        if given == count {
            given += 1
            bytes += Array(String(repeating: "[", count: 100_000).utf8) + [0x0A]
            bytes += Array("{\"id\":\"last\",\"method\":\"status\"}\n".utf8)
        }
        return bytes
    }

    private mutating func line() -> [UInt8] {
        var bytes = Array((Self.requests.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes = Array(bytes[..<place])
            case 1: bytes.insert(contentsOf: Array((Self.pieces.randomElement(using: &random) ?? "").utf8), at: place)
            case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0x20...0xFF, using: &random) }
            default: if place < bytes.count { bytes.remove(at: place) }
            }
        }
        return bytes
    }
}
