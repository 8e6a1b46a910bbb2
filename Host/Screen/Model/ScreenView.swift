// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of a plug-in, as the host sends its pictures. The screen's thread.

import Cells
import Control
import JSON

/// The open view of a unit.
package struct ScreenView: Sendable {
    /// The unit.
    package var node: String
    /// The host's number of the view; nil until the host has sent it.
    package var number: Double?
    /// The requested size.
    package var columnCount, rowCount: Int
    /// The reported size of a cell in pixels; none if the screen shows no pixels.
    package var cell: PixelSize
    /// The newest picture; nil before the first one, and while the plug-in restarts.
    package var grid: CellGrid?

    package init(node: String, columnCount: Int, rowCount: Int, cell: PixelSize = .none) {
        (self.node, self.columnCount, self.rowCount, self.cell) = (node, columnCount, rowCount, cell)
    }

    /// Takes an event: changed lines, another picture in pixels, or the loss of the picture.
    package mutating func take(_ data: JSONValue) {
        if data["blank"]?.flag == true { grid = nil }
        guard let columns = Self.size(data["columns"], most: 500), let rows = Self.size(data["rows"], most: 200) else { return }
        var picture = grid ?? CellGrid(columnCount: columns, rowCount: rows)
        if picture.columnCount != columns || picture.rowCount != rows { picture = CellGrid(columnCount: columns, rowCount: rows) }
        for line in data["lines"]?.list ?? [] {
            guard let parts = line.list, parts.count == 2, let row = Self.size(parts[0], most: 200, least: 0) else { continue }
            picture.fill(CellRectangle(column: 0, row: row, columnCount: columns, rowCount: 1))
            var column = 0
            for run in parts[1].list ?? [] { column += Self.put(run, into: &picture, column: column, row: row) }
        }
        if let told = data["picture"] { picture.pixels = CellPixels(told, columnCount: columns, rowCount: rows) }
        grid = picture
    }

    private static func size(_ value: JSONValue?, most: Int, least: Int = 1) -> Int? {
        guard let number = value?.number.flatMap({ Int(exactly: $0) }), number >= least, number <= most else { return nil }
        return number
    }

    /// Writes a run of one style into a line, cleaned, and returns its width.
    private static func put(_ run: JSONValue, into grid: inout CellGrid, column: Int, row: Int) -> Int {
        guard let parts = run.list, let text = parts.first?.text else { return 0 }
        func number(_ place: Int) -> Double { parts.count > place ? parts[place].number ?? 0 : 0 }
        var cell = Cell()
        cell.foreground = CellColor(rawValue: UInt32(exactly: number(1)) ?? 0)
        cell.background = CellColor(rawValue: UInt32(exactly: number(2)) ?? 0)
        cell.attributes = CellAttributes(rawValue: UInt16(exactly: number(3)) ?? 0)
        return grid.put(CellText(text, cell.cleaned.style, limit: grid.columnCount), column: column, row: row)
    }
}
