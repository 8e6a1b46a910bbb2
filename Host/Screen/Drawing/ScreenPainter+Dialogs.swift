// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws a dialog over the screen. The screen's thread.

import Cells

extension ScreenPainter {
    func draw(_ dialog: ScreenDialog, into grid: inout CellGrid) {
        let box = layout.dialogBox(dialog)
        grid.fill(box)
        grid.box(box, title: title(of: dialog), titleStyle: Self.bold)
        let list = layout.dialogList(dialog)
        switch dialog.kind {
        case .help: drawHelp(in: list, from: dialog.index, into: &grid)
        case .log: drawLog(in: list, last: min(dialog.index, model.log.lines.count - 1), into: &grid)
        case .sceneName: drawText("Name", dialog.text, in: box, into: &grid)
        case .value(let path): drawText(valueName(path), dialog.text, in: box, into: &grid)
        case .stop:
            grid.put("Leaving ends the host, and the music.", column: box.column + 2, row: box.row + 1, width: box.columnCount - 4)
        case .browser:
            drawText("Search", dialog.text, in: box, into: &grid)
            drawItems(dialog, in: list, into: &grid)
        default: drawItems(dialog, in: list, into: &grid)
        }
        if let keys = keys(of: dialog) {
            grid.put(keys, column: box.column + 2, row: box.endRow - 2, Self.dim, width: box.columnCount - 4)
        }
    }

    private func valueName(_ path: String) -> String {
        guard let parameter = model.parameter(path) else { return "Value" }
        let unit = parameter.isVolume ? "dB" : parameter.unit
        return unit.map { "\(parameter.name) in \($0)" } ?? parameter.name
    }

    private func title(of dialog: ScreenDialog) -> String {
        switch dialog.kind {
        case .help: "Help"
        case .log: "Log"
        case .browser:
            model.plugins.map { "Plug-ins: \(model.found(dialog.text).count) of \($0.count)" } ?? "Plug-ins"
        case .presets(let node): "Presets of \(node)"
        case .scenes: "Scenes"
        case .sceneName: "Keep the graph as a scene"
        case .patch: "Connections"
        case .patchFrom: "Connect which node?"
        case .patchTo(let from): "Connect \(from) to"
        case .choices(let path): model.parameter(path)?.name ?? "Values"
        case .value: "Type a value"
        case .hosts: "Show which host?"
        case .stop: "End the host?"
        }
    }

    private func keys(of dialog: ScreenDialog) -> String? {
        switch dialog.kind {
        case .help, .log: nil
        case .browser: "Enter adds it  Esc closes"
        case .presets: "Enter takes it  Esc closes"
        case .scenes: "Enter goes there  n keeps a new one  x forgets  Esc closes"
        case .patch: "n connects  x cuts  Esc closes"
        case .patchFrom, .patchTo, .choices: "Enter chooses  Esc closes"
        case .hosts: "Enter or the number shows it  Esc leaves"
        case .sceneName, .value: "Enter takes it  Esc closes"
        case .stop: "Enter ends it  Esc stays"
        }
    }

    private func drawText(_ name: String, _ text: String, in box: CellRectangle, into grid: inout CellGrid) {
        let (column, row) = (box.column + 2, box.row + 1)
        let width = grid.put("\(name): ", column: column, row: row, Self.dim, width: box.columnCount / 2)
        let room = box.columnCount - 5 - width
        // The end of a long text must be visible.
        let cells = CellText(text, Self.bold)
        let shown = cells.width <= room ? text : String(text.suffix(max(0, room / 2)))
        let end = column + width + grid.put(shown, column: column + width, row: row, Self.bold, width: room)
        grid[end, row] = Cell(" ", Self.reversed)
    }

    private func drawItems(_ dialog: ScreenDialog, in list: CellRectangle, into grid: inout CellGrid) {
        let items = model.items(of: dialog)
        guard !items.isEmpty else {
            grid.put(emptiness(of: dialog), column: list.column, row: list.row, Self.dim, width: list.columnCount)
            return
        }
        let first = layout.firstRow(dialog.index, of: items.count, in: list.rowCount)
        for (offset, index) in (first..<min(items.count, first + list.rowCount)).enumerated() {
            let (item, row) = (items[index], list.row + offset)
            let style = item.isDim ? Self.dim : item.isCurrent ? Self.bold : .plain
            let noteWidth = min(CellText(item.note).width, list.columnCount / 2)
            if item.isCurrent { grid[list.column, row] = Cell("▶", Self.bold) }
            grid.put(item.text, column: list.column + 2, row: row, style, width: list.columnCount - noteWidth - 4)
            grid.put(item.note, endColumn: list.endColumn - 1, row: row, Self.dim, width: noteWidth)
            if index == dialog.index {
                grid.restyle(CellRectangle(column: list.column, row: row, columnCount: list.columnCount, rowCount: 1)) {
                    $0.with(.reversed)
                }
            }
        }
        drawMore(above: first, below: items.count - first - list.rowCount, in: list, into: &grid)
    }

    private func emptiness(of dialog: ScreenDialog) -> String {
        switch dialog.kind {
        case .browser: model.plugins == nil ? "The host looks for plug-ins…" : "No plug-in has these words."
        case .presets(let node): model.presets?.node == node ? "It has no presets." : "The host looks for presets…"
        case .scenes: "None yet. n keeps the graph as one."
        case .patch: "Nothing is connected."
        case .hosts: "No host plays any more."
        default: "There is nothing to choose."
        }
    }

    private func drawHelp(in part: CellRectangle, from start: Int, into grid: inout CellGrid) {
        let lines = ScreenHelp.lines
        let first = max(0, min(start, lines.count - part.rowCount))
        for (offset, line) in lines.dropFirst(first).prefix(part.rowCount).enumerated() {
            let isHeading = line.keys.isEmpty
            grid.put(line.keys, column: part.column, row: part.row + offset, Self.bold, width: 12)
            grid.put(
                line.text, column: part.column + (isHeading ? 0 : 13), row: part.row + offset, isHeading ? Self.bold : .plain,
                width: part.columnCount - (isHeading ? 0 : 13))
        }
        drawMore(above: first, below: lines.count - first - part.rowCount, in: part, into: &grid)
    }
}
