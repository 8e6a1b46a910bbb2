// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the body of a control message: little-endian numbers, counted strings. Control thread.

/// Collects the bytes of a body.
package struct PayloadWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// Begins an empty body.
    package init() {}

    /// Writes a little-endian number.
    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes the bits of a 64-bit float.
    package mutating func write(_ number: Double) { write(number.bitPattern) }

    /// Writes a 32-bit count, and that many items.
    package mutating func write<Items: Collection>(_ items: Items, _ item: (inout PayloadWriter, Items.Element) -> Void) {
        write(UInt32(items.count))
        for element in items { item(&self, element) }
    }

    /// Writes a 32-bit byte count, and UTF-8.
    package mutating func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes a 32-bit byte count, and the bytes.
    package mutating func write(_ blob: [UInt8]) {
        write(UInt32(blob.count))
        bytes.append(contentsOf: blob)
    }

    /// Writes the bytes of another body, without a count.
    package mutating func append(_ other: PayloadWriter) { bytes.append(contentsOf: other.bytes) }
}
