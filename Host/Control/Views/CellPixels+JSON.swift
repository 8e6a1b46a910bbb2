// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels as the host sends it to a client: red, green, blue and alpha, deflated, in base64. Any thread.

import CZlib
import Cells
import FoundationEssentials

extension CellPixels {
    /// The most pixels of a picture that a client is sent.
    package static let mostSent = 1 << 21

    /// The picture as a client reads it.
    var json: JSONValue {
        .object([
            "column": .count(part.column), "row": .count(part.row), "columns": .count(part.columnCount),
            "rows": .count(part.rowCount),
            "width": .count(size.width), "height": .count(size.height),
            "pixels": .text(Data(Self.deflated(bytes)).base64EncodedString()),
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

    /// Deflated quickly: drawings have large parts of one colour.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, writtenCount in
            let status = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_SPEED)
            // The buffer is as large as zlib asks for, so that memory alone can be lacking.
            writtenCount = status == Z_OK ? Int(count) : 0
        }
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
