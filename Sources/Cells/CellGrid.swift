// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A screen of cells to draw on. One thread.

/// A screen of cells.
///
/// Drawing beyond its edges has no effect, so drawing never traps.
public struct CellGrid: Hashable, Sendable {
    /// The number of columns.
    public let columnCount: Int
    /// The number of rows.
    public let rowCount: Int
    /// The cells, row by row.
    public private(set) var cells: [Cell]
    /// A picture in place of some cells, for screens with pixels; other screens show the cells below it.
    public var pixels: CellPixels?

    /// Makes an empty screen.
    public init(columnCount: Int, rowCount: Int) {
        (self.columnCount, self.rowCount) = (max(0, columnCount), max(0, rowCount))
        cells = Array(repeating: Cell(), count: self.columnCount * self.rowCount)
    }

    /// Takes cells from elsewhere, such as another process, and cleans each of them.
    ///
    /// Cells that are missing stay empty.
    public init(columnCount: Int, rowCount: Int, cleaning source: some Collection<Cell>) {
        self.init(columnCount: columnCount, rowCount: rowCount)
        for (index, cell) in source.prefix(cells.count).enumerated() { cells[index] = cell.cleaned }
        for row in 0..<self.rowCount { mendRow(row) }
    }

    /// The rectangle of the whole screen.
    public var bounds: CellRectangle { CellRectangle(column: 0, row: 0, columnCount: columnCount, rowCount: rowCount) }

    /// A cell; beyond the edges it reads as empty, and writes have no effect.
    public subscript(column: Int, row: Int) -> Cell {
        get { bounds.contains(column: column, row: row) ? cells[row * columnCount + column] : Cell() }
        set { if bounds.contains(column: column, row: row) { cells[row * columnCount + column] = newValue } }
    }

    /// Empties the screen.
    public mutating func clear() {
        for index in cells.indices { cells[index] = Cell() }
        pixels = nil
    }

    /// Fills a rectangle with one cell.
    public mutating func fill(_ part: CellRectangle, _ cell: Cell = Cell()) {
        for row in max(0, part.row)..<max(0, part.row, min(rowCount, part.endRow)) {
            for column in max(0, part.column)..<max(0, part.column, min(columnCount, part.endColumn)) {
                cells[row * columnCount + column] = cell
            }
        }
    }

    /// Writes cleaned text, cut to `width` columns, and returns the number of columns that it took.
    @discardableResult
    public mutating func put(
        _ text: String, column: Int, row: Int, _ style: CellStyle = .plain, width: Int = .max
    ) -> Int {
        put(CellText(text, style, limit: max(0, min(width, columnCount - column) + 2)), column: column, row: row, width: width)
    }

    /// Writes cells of text, cut to `width` columns, and returns the number of columns that it took.
    @discardableResult
    public mutating func put(_ text: CellText, column: Int, row: Int, width: Int = .max) -> Int {
        let cut = text.cut(to: min(width, columnCount - column))
        for (offset, cell) in cut.cells.enumerated() { self[column + offset, row] = cell }
        return cut.width
    }

    /// Writes text that ends at a column, for example a number.
    public mutating func put(_ text: String, endColumn: Int, row: Int, _ style: CellStyle = .plain, width: Int = .max) {
        let cut = CellText(text, style).cut(to: width)
        put(cut, column: endColumn - cut.width, row: row)
    }

    /// Changes the style of a rectangle and keeps its characters.
    public mutating func restyle(_ part: CellRectangle, _ change: (CellStyle) -> CellStyle) {
        for row in part.row..<part.endRow {
            for column in part.column..<part.endColumn { self[column, row].style = change(self[column, row].style) }
        }
    }

    /// Copies another screen into this one, with its picture if that fits.
    public mutating func put(_ grid: CellGrid, column: Int, row: Int) {
        if var moved = grid.pixels {
            (moved.part.column, moved.part.row) = (moved.part.column + column, moved.part.row + row)
            pixels = bounds.contains(moved.part) ? moved : nil
        }
        for y in 0..<grid.rowCount {
            for x in 0..<grid.columnCount { self[column + x, row + y] = grid[x, y] }
        }
    }

    /// The smallest rectangle that holds all differences from another screen; the whole screen if the sizes differ.
    public func difference(from other: CellGrid) -> CellRectangle {
        guard columnCount == other.columnCount, rowCount == other.rowCount else { return bounds }
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for row in 0..<rowCount {
            for column in 0..<columnCount where cells[row * columnCount + column] != other.cells[row * columnCount + column] {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), max(bottom, row))
            }
        }
        if pixels != other.pixels {
            for part in [pixels?.part, other.pixels?.part].compactMap({ $0 }) {
                (left, right) = (min(left, part.column), max(right, part.endColumn - 1))
                (top, bottom) = (min(top, part.row), max(bottom, part.endRow - 1))
            }
        }
        guard right >= 0 else { return CellRectangle(column: 0, row: 0, columnCount: 0, rowCount: 0) }
        return CellRectangle(column: left, row: top, columnCount: right - left + 1, rowCount: bottom - top + 1)
    }

    /// Clears half of a wide character if its other half is missing.
    public mutating func mend() {
        for row in 0..<rowCount { mendRow(row) }
    }

    private mutating func mendRow(_ row: Int) {
        var column = 0
        while column < columnCount {
            let index = row * columnCount + column
            let codePoint = cells[index].codePoint
            if codePoint == 0 {
                cells[index].codePoint = 0x20
            } else if codePoint >= 0x1100, let character = Unicode.Scalar(codePoint), CellCharacter.width(of: character) == 2 {
                if column + 1 < columnCount, cells[index + 1].codePoint == 0 {
                    column += 1
                } else {
                    cells[index].codePoint = 0x20
                }
            }
            column += 1
        }
    }

    /// The characters without colours, a line for each row, without trailing spaces.
    public var text: String { text(isASCII: false) }

    /// The same text; `isASCII` replaces all other characters.
    public func text(isASCII: Bool) -> String {
        (0..<rowCount).map { row in
            var line = String.UnicodeScalarView()
            for cell in cells[row * columnCount..<(row + 1) * columnCount] where cell.codePoint != 0 || isASCII {
                line.append((isASCII ? Unicode.Scalar(cell.ascii) : Unicode.Scalar(cell.codePoint)) ?? CellCharacter.replacement)
                if !isASCII, cell.mark != 0, let mark = Unicode.Scalar(cell.mark) { line.append(mark) }
            }
            while line.last == " " { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }
}
