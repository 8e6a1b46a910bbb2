// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The dots of a waveform in text, column by column. Control thread.

import Cells

/// The rows of a canvas that a column's samples reach.
struct DotRows {
    let count: Int
    let scale: Float

    /// The rows from the greatest sample down to the least.
    func span(_ column: WaveformColumn) -> ClosedRange<Int> { row(column.greatest)...row(column.least) }

    /// True for a set dot: solid within the column's level, half-tone beyond, and always an outline.
    func isSet(_ y: Int, _ x: Int, _ column: WaveformColumn) -> Bool {
        let span = span(column)
        return y == span.lowerBound || y == span.upperBound || isSolid(y, column) || (x + y) % 2 == 0
    }

    func isSolid(_ y: Int, _ column: WaveformColumn) -> Bool {
        (row(column.level)...row(-column.level)).contains(y)
    }

    private func row(_ value: Float) -> Int {
        let height = Double(count - 1)
        // Cannot trap: max and min come first, and `tame` leaves no NaN.
        return Int((height / 2 - Double(min(1, max(-1, value / scale))) * height / 2).rounded())
    }
}

extension BraillePlot {
    /// Draws a waveform: two columns of the summary a cell, `height` cells of four dots.
    init(_ summary: WaveformSummary, height: Int, scale: Float) {
        self.init(columnCount: summary.columns.count / 2, rowCount: height)
        let rows = DotRows(count: self.height, scale: scale)
        for x in 0..<width {
            let column = summary.columns[x]
            for y in rows.span(column) where rows.isSet(y, x, column) { set(x: x, y: y) }
        }
    }
}
