// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels in the form for clients: red, green, blue and alpha, deflated, in base64. Any thread.

import CZlib
import Cells
import FoundationEssentials
import JSON

extension CellPixels {
    /// The most pixels of a picture that clients get.
    package static let mostSent = 1 << 21
    /// The most bytes of a deflated picture, which leave a client that reads them room for other lines.
    static let mostDeflatedBytes = 1 << 20

    /// The picture in the form for clients; nil if it is too long.
    func json(upTo mostBytes: Int = mostDeflatedBytes) -> JSONValue? {
        guard let deflated = Self.deflated(bytes, upTo: mostBytes) else { return nil }
        return .object([
            "column": .count(part.column), "row": .count(part.row), "columns": .count(part.columnCount),
            "rows": .count(part.rowCount),
            "width": .count(size.width), "height": .count(size.height),
            "pixels": .text(Data(deflated).base64EncodedString()),
        ])
    }

    /// Reads a picture for a view of that size; nil if the JSON is no picture, or if the picture exceeds the view.
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

    /// The deflated bytes, made quickly because drawings have large parts of one colour; nil if they are too many.
    private static func deflated(_ bytes: [UInt8], upTo mostBytes: Int) -> [UInt8]? {
        var (count, status) = (uLong(mostBytes), Z_OK)
        let deflated = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, writtenCount in
            status = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_SPEED)
            writtenCount = status == Z_OK ? Int(count) : 0
        }
        return status == Z_OK ? deflated : nil
    }

    /// The inflated bytes; nil unless their number is `count`.
    private static func inflated(_ packed: [UInt8], count: Int) -> [UInt8]? {
        var inflatedCount = uLongf(count)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, writtenCount in
            let status = uncompress(buffer.baseAddress, &inflatedCount, packed, uLong(packed.count))
            writtenCount = status == Z_OK ? Int(inflatedCount) : 0
        }
        return bytes.count == count ? bytes : nil
    }
}
