// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture of dots in braille patterns; a cell is two dots wide and four high. Any thread.

/// Dots on a grid of cells.
public struct BraillePlot: Hashable, Sendable {
    /// The width in cells.
    public let columnCount: Int
    /// The height in cells.
    public let rowCount: Int
    private var dots: [UInt8]

    /// Makes an empty picture of `columnCount` by `rowCount` cells.
    public init(columnCount: Int, rowCount: Int) {
        (self.columnCount, self.rowCount) = (max(0, columnCount), max(0, rowCount))
        dots = Array(repeating: 0, count: self.columnCount * self.rowCount)
    }

    /// The number of dots in a row.
    public var width: Int { 2 * columnCount }
    /// The number of dots in a column.
    public var height: Int { 4 * rowCount }

    /// Sets a dot, counted from the upper left; a position outside has no effect.
    public mutating func set(x: Int, y: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        let (right, down) = (x % 2, y % 4)
        // The first six dots run down the left column, then the right one; Unicode added the lowest two later.
        let bit: UInt8 = down == 3 ? (right == 0 ? 0x40 : 0x80) : 1 << UInt8(3 * right + down)
        dots[y / 4 * columnCount + x / 2] |= bit
    }

    /// Sets the dots of a column, from one row to another.
    public mutating func setColumn(x: Int, from top: Int, to bottom: Int) {
        let (first, last) = (max(0, min(top, bottom)), min(height - 1, max(top, bottom)))
        guard first <= last else { return }
        for y in first...last { set(x: x, y: y) }
    }

    /// The rows as text; a cell without dots is an empty pattern.
    public var lines: [String] { (0..<rowCount).map { row in String((0..<columnCount).map { Character(pattern($0, row)) }) } }

    /// The pattern of a cell: U+2800 and one bit a dot.
    private func pattern(_ column: Int, _ row: Int) -> Unicode.Scalar {
        Unicode.Scalar(0x2800 + UInt32(dots[row * columnCount + column])) ?? " "
    }

    /// Draws the picture over the present cells; cells without dots stay unchanged.
    public func draw(into grid: inout CellGrid, column: Int, row: Int, _ style: CellStyle = .plain) {
        for y in 0..<rowCount {
            for x in 0..<columnCount where dots[y * columnCount + x] != 0 {
                grid.overlay(pattern(x, y), column: column + x, row: row + y, style)
            }
        }
    }
}
