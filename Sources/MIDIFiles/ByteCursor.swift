// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes numbers from the front of bytes, and never reads beyond their end. Any thread.

/// A part of a file that is being read.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private let end: Int

    init(_ bytes: [UInt8]) { (self.bytes, offset, end) = (bytes, 0, bytes.count) }

    private init(_ bytes: [UInt8], _ range: Range<Int>) { (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound) }

    var remaining: Int { end - offset }

    mutating func byte() throws(MIDIFileError) -> UInt8 {
        guard offset < end else { throw .unexpectedEnd(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Takes a number of `byteCount` bytes, the highest byte first.
    mutating func number(byteCount: Int) throws(MIDIFileError) -> Int {
        var value = 0
        for _ in 0..<byteCount { value = value << 8 | Int(try byte()) }
        return value
    }

    /// Takes a number of one to four bytes; all but the last have their highest bit set.
    mutating func variableNumber() throws(MIDIFileError) -> Int {
        let start = offset
        var value = 0
        for _ in 0..<4 {
            let next = try byte()
            value = value << 7 | Int(next & 127)
            if next < 128 { return value }
        }
        throw .invalidNumber(offset: start)
    }

    /// Takes the next bytes as a cursor of their own.
    mutating func part(byteCount: Int) throws(MIDIFileError) -> ByteCursor {
        guard byteCount <= remaining else { throw .truncated(offset: offset, promised: byteCount, present: remaining) }
        defer { offset += byteCount }
        return ByteCursor(bytes, offset..<(offset + byteCount))
    }

    /// The rest as text: UTF-8, or Latin-1 if the bytes are not UTF-8.
    var text: String {
        let rest = bytes[offset..<end]
        return String(validating: rest, as: UTF8.self)
            ?? String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
    }

    /// True if the next bytes are `text`; takes nothing.
    func begins(with text: StaticString) -> Bool {
        guard text.utf8CodeUnitCount <= remaining else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
}
