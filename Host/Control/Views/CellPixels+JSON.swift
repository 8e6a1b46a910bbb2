// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels as the host sends it to a client: red, green, blue and alpha, deflated, in base64. Any thread.

import CZlib
import Cells
import FoundationEssentials
import JSON

extension CellPixels {
    /// The most pixels of a picture that a client is sent.
    package static let mostSent = 1 << 21
    /// The most bytes of a deflated picture, so that a client that reads them has room for what else it is sent.
    static let mostDeflatedBytes = 1 << 20

    /// The picture as a client reads it; nil if it is too long.
    func json(upTo mostBytes: Int = mostDeflatedBytes) -> JSONValue? {
        guard let deflated = Self.deflated(bytes, upTo: mostBytes) else { return nil }
        return .object([
            "column": .count(part.column), "row": .count(part.row), "columns": .count(part.columnCount),
            "rows": .count(part.rowCount),
            "width": .count(size.width), "height": .count(size.height),
            "pixels": .text(Data(deflated).base64EncodedString()),
        ])
    }

    /// Reads a picture for a view of that size; nil if it is none, or lies outside.
    package init?(_ json: JSONValue, columnCount: Int, rowCount: Int) {
        func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
            json[name]?.number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        guard let column = number("column", 0...columnCount), let row = number("row", 0...rowCount),
            let columns = number("columns", 1...max(1, columnCount)), let rows = number("rows", 1...max(1, rowCount)),
            column + columns <= columnCount, row + rows <= rowCount,
            let width = number("width", 1...Self.mostSent), let height = number("height", 1...Self.mostSent),
            width * height <= Self.mostSent, let text = json["pixels"]?.text, let packed = Data(base64Encoded: text),
            let bytes = Self.inflated([UInt8](packed), count: 4 * width * height)
        else { return nil }
        self.init(
            part: CellRectangle(column: column, row: row, columnCount: columns, rowCount: rows),
            size: PixelSize(width: width, height: height), bytes: bytes)
    }

    /// Deflated quickly, because drawings have large parts of one colour; nil if there would be more bytes.
    private static func deflated(_ bytes: [UInt8], upTo mostBytes: Int) -> [UInt8]? {
        var (count, status) = (uLong(mostBytes), Z_OK)
        let deflated = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, writtenCount in
            status = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_SPEED)
            writtenCount = status == Z_OK ? Int(count) : 0
        }
        return status == Z_OK ? deflated : nil
    }

    /// The bytes that were deflated; nil unless there are exactly so many.
    private static func inflated(_ packed: [UInt8], count: Int) -> [UInt8]? {
        var inflatedCount = uLongf(count)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, writtenCount in
            let status = uncompress(buffer.baseAddress, &inflatedCount, packed, uLong(packed.count))
            writtenCount = status == Z_OK ? Int(inflatedCount) : 0
        }
        return bytes.count == count ? bytes : nil
    }
}
