// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A rectangle of a screen. Any thread.

/// A rectangle of cells.
public struct CellRectangle: BitwiseCopyable, Hashable, Sendable {
    /// The left column.
    public var column: Int
    /// The top row.
    public var row: Int
    /// The width, never negative.
    public var columnCount: Int
    /// The height, never negative.
    public var rowCount: Int

    /// Makes a rectangle; a negative size becomes 0.
    public init(column: Int, row: Int, columnCount: Int, rowCount: Int) {
        (self.column, self.row) = (column, row)
        (self.columnCount, self.rowCount) = (max(0, columnCount), max(0, rowCount))
    }

    /// The column after the last one.
    public var endColumn: Int { column + columnCount }
    /// The row after the last one.
    public var endRow: Int { row + rowCount }
    /// True if the rectangle has no cells.
    public var isEmpty: Bool { columnCount == 0 || rowCount == 0 }

    /// True if a cell lies in the rectangle.
    public func contains(column: Int, row: Int) -> Bool {
        column >= self.column && column < endColumn && row >= self.row && row < endRow
    }

    /// True if another rectangle lies completely in this one.
    public func contains(_ other: CellRectangle) -> Bool {
        other.column >= column && other.endColumn <= endColumn && other.row >= row && other.endRow <= endRow
    }

    /// The rectangle inside a border of `columns` and `rows` cells.
    public func inset(columns: Int = 1, rows: Int = 1) -> CellRectangle {
        CellRectangle(
            column: column + columns, row: row + rows, columnCount: columnCount - 2 * columns, rowCount: rowCount - 2 * rows)
    }

    /// A rectangle of the given size in the middle, or as large as possible.
    public func centred(columnCount: Int, rowCount: Int) -> CellRectangle {
        let (width, height) = (min(columnCount, self.columnCount), min(rowCount, self.rowCount))
        return CellRectangle(
            column: column + (self.columnCount - width) / 2, row: row + (self.rowCount - height) / 2, columnCount: width,
            rowCount: height)
    }
}
