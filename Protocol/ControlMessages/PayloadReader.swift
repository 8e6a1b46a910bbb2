// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the body of a control message from a peer, which need not be trusted. Control thread.

import Wire

/// Reads a body from the front.
///
/// Every read throws `WireViolation` if too few bytes are left.
package struct PayloadReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Begins at the first byte.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes that have not been read.
    package var remainingByteCount: Int { bytes.count - position }

    /// Reads a little-endian number.
    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type) throws(WireViolation) -> Number {
        let size = MemoryLayout<Number>.size
        try need(size)
        defer { position += size }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self)) }
    }

    /// Reads the bits of a 64-bit float, which may be NaN or infinite.
    package mutating func readDouble() throws(WireViolation) -> Double { Double(bitPattern: try read(UInt64.self)) }

    /// Reads a count of items; throws if that many items of `minimumItemByteCount` bytes would not fit.
    package mutating func readCount(minimumItemByteCount: Int) throws(WireViolation) -> Int {
        let count = Int(try read(UInt32.self))
        guard count <= remainingByteCount / minimumItemByteCount else {
            throw WireViolation("a count of \(count) with \(remainingByteCount) bytes left")
        }
        return count
    }

    /// Reads a count, and that many items of at least `minimumByteCount` bytes each.
    package mutating func readItems<Item>(
        minimumByteCount: Int, _ item: (inout PayloadReader) throws(WireViolation) -> Item
    ) throws(WireViolation) -> [Item] {
        let count = try readCount(minimumItemByteCount: minimumByteCount)
        var items: [Item] = []
        for _ in 0..<count { items.append(try item(&self)) }
        return items
    }

    /// Reads a count of at most `most`, and that many items of at least `minimumByteCount` bytes each.
    package mutating func readItems<Item>(
        _ name: String, most: Int, minimumByteCount: Int, _ item: (inout PayloadReader) throws(WireViolation) -> Item
    ) throws(WireViolation) -> [Item] {
        var ahead = self
        let count = try ahead.readCount(minimumItemByteCount: minimumByteCount)
        guard count <= most else { throw WireViolation("\(count) \(name); \(most) are the most") }
        return try readItems(minimumByteCount: minimumByteCount, item)
    }

    /// Reads text and replaces its control characters by spaces, so that no peer can control a terminal.
    package mutating func readString() throws(WireViolation) -> String {
        let count = try readCount(minimumItemByteCount: 1)
        let range = position..<position + count
        position += count
        let (text, mayHoldControls) = bytes.withUnsafeBufferPointer { bytes in
            let bytes = UnsafeBufferPointer(rebasing: bytes[range])
            return (String(validating: bytes, as: UTF8.self), bytes.contains(where: Self.mayBeControl))
        }
        guard let text else { throw WireViolation("text that is not UTF-8") }
        return mayHoldControls ? String(decoding: Self.cleaned(bytes[range]), as: UTF8.self) : text
    }

    /// The same UTF-8 with a space for each control character.
    private static func cleaned(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            // The control characters from U+0080 have two bytes, the others one.
            let isLong = byte == 0xC2 && bytes[index + 1] < 0xA0
            cleaned.append(isLong || byte < 0x20 || byte == 0x7F ? 0x20 : byte)
            index += isLong ? 2 : 1
        }
        return cleaned
    }

    /// True if a byte of UTF-8 may belong to a control character.
    ///
    /// Most texts have no such byte, and need no closer check.
    private static func mayBeControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F || byte == 0xC2 }

    /// Reads a count, and that many bytes.
    package mutating func readBlob() throws(WireViolation) -> [UInt8] {
        let count = try readCount(minimumItemByteCount: 1)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Throws if bytes are left over.
    package func finish() throws(WireViolation) {
        guard remainingByteCount == 0 else { throw WireViolation("\(remainingByteCount) bytes too many in a message") }
    }

    private func need(_ byteCount: Int) throws(WireViolation) {
        guard byteCount <= remainingByteCount else {
            throw WireViolation("a message that ends \(byteCount - remainingByteCount) bytes early")
        }
    }
}
