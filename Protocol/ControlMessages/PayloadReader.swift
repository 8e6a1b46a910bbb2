// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the body of a control message from a peer, and trusts nothing in it. Control thread.

import Wire

/// Reads a body from the front.
///
/// Every read throws `WireViolation` if the bytes do not suffice.
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
        guard mayHoldControls, text.unicodeScalars.contains(where: Self.isControl) else { return text }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: text.unicodeScalars.map { Self.isControl($0) ? " " : $0 })
        return String(cleaned)
    }

    /// Whether a byte of UTF-8 may belong to a control character.
    ///
    /// Most texts have no such byte, and need no closer check.
    private static func mayBeControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F || byte == 0xC2 }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

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
