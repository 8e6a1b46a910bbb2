// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws the map of an environment. The screen's thread.

import Cells

extension ScreenPainter {
    /// The height of a source above the listener or below, to the decimetre; empty at the height of the ears.
    private static func height(of item: ScreenMap.Item) -> String {
        guard abs(item.height) >= 0.05 else { return "" }
        return " \(item.height > 0 ? "↑" : "↓")\(decimal(abs(item.height), 1)) m"
    }

    /// Draws the listener as an arrow that points where the nose does, and the sources with their names and heights.
    func draw(_ map: ScreenMap, into grid: inout CellGrid) {
        let (part, middle) = (map.part, map.cell(x: 0, z: 0))
        grid.horizontalLine(column: part.column, row: middle.row, part.columnCount, Self.dim)
        grid.verticalLine(column: middle.column, row: part.row, part.rowCount, Self.dim)
        grid.put("front", column: min(middle.column + 2, part.endColumn - 5), row: part.row, Self.dim)
        let edge = map.radius < 1000 ? "\(Self.decimal(map.radius, 0)) m" : "\(Self.decimal(map.radius / 1000, 0)) km"
        grid.put(
            "\(edge) to the upper edge", column: part.column, row: part.row + part.rowCount - 1, Self.dim, width: part.columnCount)
        let chosen = state.chosen(on: map)
        for item in map.items {
            let (column, row) = map.cell(x: item.x, z: item.z)
            let isChosen = item == chosen && state.focus == .parameters
            let colour: CellStyle = item.isListener ? CellStyle(foreground: .green, [.bold]) : CellStyle(foreground: .cyan, [.bold])
            let style = isChosen ? colour.with(.reversed) : colour
            grid.put(item.isListener ? String(ScreenMap.arrow(item.yaw)) : "●", column: column, row: row, style)
            guard !item.isListener else { continue }
            let width = part.endColumn - column - 1
            grid.put(
                " \(item.node)\(Self.height(of: item))", column: column + 1, row: row, isChosen ? Self.bold : .plain,
                width: max(0, width))
        }
    }
}
