// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A waveform in braille patterns, two dots wide and four high a cell. Control thread.

/// Dots on a grid, read out as Unicode braille (U+2800 and up: one bit a dot).
struct BrailleCanvas {
    let lines: [String]

    /// Two summary columns a cell, `height` cells of four dots.
    init(_ summary: WaveformSummary, height: Int, scale: Float) {
        let width = summary.columns.count / 2
        var cells = [UInt8](repeating: 0, count: width * height)
        let rows = DotRows(count: 4 * height, scale: scale)
        for x in 0..<2 * width {
            let column = summary.columns[x]
            for y in rows.span(column) where rows.isSet(y, x, column) {
                cells[y / 4 * width + x / 2] |= Self.bit(x % 2, y % 4)
            }
        }
        lines = (0..<height).map { row in Self.text(cells[row * width..<(row + 1) * width]) }
    }

    private static func text(_ cells: ArraySlice<UInt8>) -> String {
        var text = ""
        for cell in cells { text.unicodeScalars.append(Unicode.Scalar(0x2800 + UInt32(cell))!) }
        return text
    }

    /// The first six dots run down the left column, then the right; the lowest two were added later.
    private static func bit(_ x: Int, _ y: Int) -> UInt8 {
        y == 3 ? (x == 0 ? 0x40 : 0x80) : 1 << UInt8(3 * x + y)
    }
}

/// Which rows of a canvas a column's samples reach.
struct DotRows {
    let count: Int
    let scale: Float

    /// From the row of the greatest sample down to that of the least.
    func span(_ column: WaveformSummary.Column) -> ClosedRange<Int> { row(column.greatest)...row(column.least) }

    /// Solid within the column's level, half-tone beyond, and always an outline.
    func isSet(_ y: Int, _ x: Int, _ column: WaveformSummary.Column) -> Bool {
        let span = span(column)
        return y == span.lowerBound || y == span.upperBound || isSolid(y, column) || (x + y) % 2 == 0
    }

    func isSolid(_ y: Int, _ column: WaveformSummary.Column) -> Bool {
        (row(column.level)...row(-column.level)).contains(y)
    }

    private func row(_ value: Float) -> Int {
        let height = Double(count - 1)
        return Int((height / 2 - Double(min(1, max(-1, value / scale))) * height / 2).rounded())
    }
}
