// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A waveform in braille patterns, two dots wide and four high a cell. Control thread.

/// Dots on a grid as Unicode braille (from U+2800 on: one bit a dot).
struct BrailleCanvas {
    let lines: [String]

    /// Draws two summary columns a cell; `height` counts cells of four dots.
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

    /// The bit of a dot: the first six run down the left column, then the right one; Unicode added the lowest two later.
    private static func bit(_ x: Int, _ y: Int) -> UInt8 {
        y == 3 ? (x == 0 ? 0x40 : 0x80) : 1 << UInt8(3 * x + y)
    }
}

/// The rows of a canvas for a column's samples.
struct DotRows {
    let count: Int
    let scale: Float

    /// The rows from the highest sample down to the lowest.
    func span(_ column: WaveformSummary.Column) -> ClosedRange<Int> { row(column.greatest)...row(column.least) }

    /// Whether a dot is set: solid within the column's level, half-tone beyond, and always an outline.
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
