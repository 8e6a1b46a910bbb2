// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The layout of a screen for a size. Any thread.

import Cells

/// The parts of a screen.
package struct ScreenLayout {
    /// The least size that shows everything.
    package static let leastColumns = 40
    package static let leastRows = 10

    let title, meters, headings, message, hints: CellRectangle
    /// The rows of the graph.
    let chain: CellRectangle
    /// The lines about the chosen node, above its parameters.
    let facts: CellRectangle
    let parameters: CellRectangle
    /// The area of a plug-in's view, instead of its parameters.
    var view: CellRectangle {
        CellRectangle(
            column: parameters.column + 1, row: parameters.row, columnCount: parameters.columnCount - 2,
            rowCount: parameters.rowCount)
    }
    /// The columns of the sliders, over the rows of the parameters.
    let slider: CellRectangle
    /// The columns of the values, to the right of the sliders.
    let values: CellRectangle
    /// The scenes and the log on a large screen, below their headings.
    let scenes, log: CellRectangle?
    /// The area of dialogs.
    let middle: CellRectangle

    package init(_ state: ScreenState) {
        let (columns, rows) = (state.columnCount, state.rowCount)
        func line(_ row: Int) -> CellRectangle { CellRectangle(column: 0, row: row, columnCount: columns, rowCount: 1) }
        (title, meters, headings, message, hints) = (line(0), line(1), line(2), line(rows - 2), line(rows - 1))
        let isLarge = columns >= 100 && rows >= 34
        let extra = isLarge ? min(16, (rows - 10) / 3) : 0
        let height = rows - 5 - extra
        let left = min(64, max(18, columns * 45 / 100))
        chain = CellRectangle(column: 0, row: 3, columnCount: left, rowCount: height)
        let right = CellRectangle(column: left + 1, row: 3, columnCount: columns - left - 1, rowCount: height)
        let factRows = height >= 10 ? 3 : 0
        facts = CellRectangle(column: right.column, row: 3, columnCount: right.columnCount, rowCount: factRows)
        parameters = CellRectangle(
            column: right.column, row: 3 + factRows, columnCount: right.columnCount, rowCount: height - factRows)
        let nameWidth = min(28, max(10, right.columnCount * 2 / 5))
        let valueWidth = min(16, max(9, right.columnCount / 4))
        slider = CellRectangle(
            column: right.column + nameWidth + 1, row: parameters.row,
            columnCount: min(60, right.columnCount - nameWidth - valueWidth - 3),
            rowCount: parameters.rowCount)
        values = CellRectangle(
            column: slider.endColumn + 1, row: parameters.row, columnCount: valueWidth, rowCount: parameters.rowCount)
        let lower = 3 + height + 1
        scenes = isLarge ? CellRectangle(column: 0, row: lower, columnCount: left, rowCount: extra - 1) : nil
        log =
            isLarge
            ? CellRectangle(column: left + 1, row: lower, columnCount: right.columnCount, rowCount: extra - 1) : nil
        middle = CellRectangle(column: 1, row: 2, columnCount: columns - 2, rowCount: rows - 4)
    }

    /// The first shown row of a list, so that the chosen row is visible.
    func firstRow(_ chosen: Int, of count: Int, in height: Int) -> Int {
        guard height > 0 else { return 0 }
        return max(0, min(count - height, min(chosen, count) - height / 2))
    }

    /// The frame of a dialog.
    func dialogBox(_ dialog: ScreenDialog) -> CellRectangle {
        switch dialog.kind {
        case .sceneName, .value, .stop: middle.centred(columnCount: 50, rowCount: 5)
        case .choices: middle.centred(columnCount: 36, rowCount: 20)
        case .browser, .log, .help: middle.centred(columnCount: 90, rowCount: 40)
        case .presets, .scenes, .patch, .patchFrom, .patchTo, .hosts: middle.centred(columnCount: 60, rowCount: 26)
        }
    }

    /// The rows of a dialog's list.
    func dialogList(_ dialog: ScreenDialog) -> CellRectangle {
        var list = dialogBox(dialog).inset(columns: 2)
        if dialog.kind == .browser {
            list = CellRectangle(column: list.column, row: list.row + 2, columnCount: list.columnCount, rowCount: list.rowCount - 2)
        }
        // The last row names the keys.
        if dialog.kind != .help, dialog.kind != .log { list.rowCount = max(0, list.rowCount - 1) }
        return list
    }
}

extension ScreenModel {
    /// The graph as rows.
    package var rows: [GraphLanes.Row] { lanes.rows }

    /// The graph as lanes.
    package var lanes: GraphLanes {
        GraphLanes(nodes: nodes.map(\.id), connections: connections.map { ($0.source, $0.destination) })
    }

    /// The units in the shown order, which is that of their numbers.
    package var rowUnits: [String] {
        let units = Set(units.map(\.id))
        return rows.compactMap(\.node).filter(units.contains)
    }
}
