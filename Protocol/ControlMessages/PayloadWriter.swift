// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the body of a control message: little-endian numbers, counted strings. Control thread.

/// A growing body.
public struct PayloadWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    public mutating func write(_ number: Double) { write(number.bitPattern) }

    /// A 32-bit count and that many items.
    public mutating func write<Items: Collection>(_ items: Items, _ item: (inout PayloadWriter, Items.Element) -> Void) {
        write(UInt32(items.count))
        for element in items { item(&self, element) }
    }

    /// A 32-bit byte count and UTF-8.
    public mutating func write(_ text: String) { write(Array(text.utf8)) }

    public mutating func write(_ blob: [UInt8]) {
        write(UInt32(blob.count))
        bytes.append(contentsOf: blob)
    }

    /// What another has written, without a count.
    public mutating func append(_ other: PayloadWriter) { bytes.append(contentsOf: other.bytes) }
}
