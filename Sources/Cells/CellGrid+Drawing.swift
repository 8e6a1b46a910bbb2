// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Boxes, lines, and bars in eighths of a cell. Any thread.

extension CellGrid {
    /// Draws a frame along the edge of a rectangle, with a title in its upper line.
    public mutating func box(_ part: CellRectangle, title: String = "", _ style: CellStyle = .plain, titleStyle: CellStyle? = nil) {
        guard part.columnCount >= 2, part.rowCount >= 2 else { return }
        let (right, bottom) = (part.endColumn - 1, part.endRow - 1)
        horizontalLine(column: part.column, row: part.row, part.columnCount, style)
        horizontalLine(column: part.column, row: bottom, part.columnCount, style)
        for row in part.row + 1..<max(part.row + 1, bottom) {
            self[part.column, row] = Cell("│", style)
            self[right, row] = Cell("│", style)
        }
        self[part.column, part.row] = Cell("┌", style)
        self[right, part.row] = Cell("┐", style)
        self[part.column, bottom] = Cell("└", style)
        self[right, bottom] = Cell("┘", style)
        if !title.isEmpty {
            put(" \(title) ", column: part.column + 2, row: part.row, titleStyle ?? style, width: part.columnCount - 4)
        }
    }

    /// Draws a line to the right.
    public mutating func horizontalLine(column: Int, row: Int, _ count: Int, _ style: CellStyle = .plain) {
        for offset in 0..<max(0, count) { self[column + offset, row] = Cell("─", style) }
    }

    /// Draws a line downwards.
    public mutating func verticalLine(column: Int, row: Int, _ count: Int, _ style: CellStyle = .plain) {
        for offset in 0..<max(0, count) { self[column, row + offset] = Cell("│", style) }
    }

    /// Draws a character but keeps the cell's background; a full block becomes the background.
    ///
    /// A style with its own background replaces everything.
    public mutating func overlay(_ character: Unicode.Scalar, column: Int, row: Int, _ style: CellStyle = .plain) {
        let under = self[column, row]
        var over = style
        if over.background == .terminal { over.background = under.codePoint == 0x2588 ? under.foreground : under.background }
        self[column, row] = Cell(character, over)
    }

    /// Draws a bar of `width` columns that is filled from the left.
    ///
    /// `share` runs from 0 to 1; NaN counts as 0. The end is exact to an eighth of a column. The other part shows `track`.
    public mutating func bar(
        _ share: Double, column: Int, row: Int, width: Int, _ style: CellStyle = .plain, track: Cell = Cell("·", CellStyle([.dim]))
    ) {
        let eighths = Int((share >= 0 ? min(1, share) : 0) * Double(8 * max(0, width)) + 0.5)
        for offset in 0..<max(0, width) {
            let filled = eighths - 8 * offset
            // U+2588 is the full block, and each code point after it has an eighth less.
            self[column + offset, row] =
                filled >= 8
                ? Cell("█", style)
                : filled > 0 ? Cell(Unicode.Scalar(0x2590 - UInt32(filled)) ?? "█", style) : track
        }
    }
}
