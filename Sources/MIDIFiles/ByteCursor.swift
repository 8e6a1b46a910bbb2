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
    ///
    /// A number of five to eight bytes is damage, and understood all the same.
    mutating func variableNumber(_ damage: inout DamageLog) throws(MIDIFileError) -> Int {
        let start = offset
        var value = 0
        for count in 1...8 {
            let next = try byte()
            value = value << 7 | Int(next & 127)
            if next < 128 {
                if count > 4 { try damage.note(.invalidNumber(offset: start)) }
                return value
            }
        }
        throw .invalidNumber(offset: start)
    }

    /// Takes the next bytes as a cursor of their own.
    mutating func part(byteCount: Int) throws(MIDIFileError) -> ByteCursor {
        guard byteCount <= remaining else { throw .truncated(offset: offset, promised: byteCount, present: remaining) }
        defer { offset += byteCount }
        return ByteCursor(bytes, offset..<(offset + byteCount))
    }

    /// Takes all bytes up to `end`, an offset in the file; nothing if it lies before.
    mutating func skip(to end: Int) { offset = max(offset, min(end, self.end)) }

    /// The bytes from `start` up to `end`, two offsets in the file, as a cursor of their own.
    func part(from start: Int, to end: Int) -> ByteCursor {
        let first = max(0, min(start, bytes.count))
        return ByteCursor(bytes, first..<max(first, min(end, bytes.count)))
    }

    /// All bytes that are left.
    var rest: ArraySlice<UInt8> { bytes[offset..<end] }

    /// The rest as text: UTF-8, or Latin-1 if the bytes are not UTF-8.
    var text: String {
        String(validating: rest, as: UTF8.self)
            ?? String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
    }

    /// True if the bytes from `distance` on are `text`; takes nothing.
    func begins(with text: StaticString, after distance: Int = 0) -> Bool {
        guard distance + text.utf8CodeUnitCount <= remaining else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + distance + $0] == text.utf8Start[$0] }
    }

    /// The offset in the file of the next "MTrk" from `start` on; nil if there is none.
    func nextTrack(from start: Int) -> Int? {
        var cursor = self
        cursor.skip(to: start)
        while cursor.remaining >= 4 {
            if cursor.begins(with: "MTrk") { return cursor.offset }
            cursor.offset += 1
        }
        return nil
    }
}
