// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws the signal flow of the graph, with the load and the state of each unit. The screen's thread.

import Cells

extension ScreenPainter {
    func drawChain(into grid: inout CellGrid) {
        let (part, lanes) = (layout.chain, model.lanes)
        let numbers = Dictionary(model.rowUnits.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        let chosen = lanes.rows.firstIndex { $0.node == state.node } ?? 0
        let first = layout.firstRow(chosen, of: lanes.rows.count, in: part.rowCount)
        for (offset, row) in lanes.rows.dropFirst(first).prefix(part.rowCount).enumerated() {
            let y = part.row + offset
            for (x, lane) in row.lanes.enumerated() where lane != " " { grid[part.column + 1 + x, y] = Cell(lane, Self.dim) }
            guard let id = row.node, let node = model.node(id) else { continue }
            draw(node, number: numbers[id], at: part.column + 1 + lanes.width, y, into: &grid)
            grid[part.column + 1 + row.mark, y] = mark(of: node)
            if id == state.node { choose(row: y, into: &grid) }
        }
        drawMore(above: first, below: lanes.rows.count - first - part.rowCount, in: part, into: &grid)
        guard model.units.isEmpty, !model.nodes.isEmpty, lanes.rows.count + 1 < part.rowCount else { return }
        grid.put(
            "Press a to add an effect.", column: part.column + 2, row: part.row + lanes.rows.count + 1, Self.dim,
            width: part.columnCount - 3)
    }

    private func choose(row: Int, into grid: inout CellGrid) {
        let line = CellRectangle(column: layout.chain.column, row: row, columnCount: layout.chain.columnCount, rowCount: 1)
        grid.restyle(line) { $0.with(state.focus == .chain ? .reversed : .bold) }
        if state.focus != .chain { grid[line.column, row] = Cell("▸", Self.bold) }
    }

    /// Draws arrows at the edge if there are more rows than fit.
    func drawMore(above: Int, below: Int, in part: CellRectangle, into grid: inout CellGrid) {
        guard part.rowCount > 1 else { return }
        if above > 0 { grid[part.endColumn - 1, part.row] = Cell("▲", Self.dim) }
        if below > 0 { grid[part.endColumn - 1, part.endRow - 1] = Cell("▼", Self.dim) }
    }

    private func mark(of node: ScreenNode) -> Cell {
        guard node.isUnit else {
            return Cell(node.kind == "main" ? "■" : node.kind == "input" || node.kind == "player" ? "▶" : "◆")
        }
        switch node.state {
        case "running": return node.isBypassed ? Cell("○", Self.warning) : Cell("●", CellStyle(foreground: .green))
        case "quarantined": return Cell("✗", Self.trouble)
        default: return Cell("!", Self.trouble)
        }
    }

    private func draw(_ node: ScreenNode, number: Int?, at column: Int, _ row: Int, into grid: inout CellGrid) {
        let end = layout.chain.endColumn - 1
        let barWidth = max(4, min(16, (end - column) / 4))
        let nameWidth = end - column - barWidth - 8
        var x = column
        if let number, number < 10 { grid.put("\(number)", column: x, row: row, Self.dim) }
        x += 2
        grid.put(node.id, column: x, row: row, width: nameWidth - 2)
        guard node.isUnit else {
            if node.kind != node.id { grid.put(node.kind, endColumn: end, row: row, Self.dim, width: barWidth + 7) }
            return
        }
        if node.isTroubled || node.isBypassed {
            let word = node.isTroubled ? node.state ?? "" : "bypassed"
            grid.put(word, endColumn: end, row: row, node.isTroubled ? Self.trouble : Self.warning, width: barWidth + 7)
            return
        }
        guard let load = node.load else { return }
        grid.bar(load.mean / 100, column: end - barWidth - 7, row: row, width: barWidth, Self.style(ofLoad: load.mean))
        let worst = min(barWidth - 1, Int((load.worst / 100 * Double(barWidth)).clamped(0, 1000)))
        if worst > 0, grid[end - barWidth - 7 + worst, row].codePoint == 0xB7 {
            grid[end - barWidth - 7 + worst, row] = Cell("│", Self.style(ofLoad: load.worst))
        }
        grid.put(Self.decimal(load.mean, 1), endColumn: end - 1, row: row, width: 5)
        grid[end - 1, row] = node.late > 0 ? Cell("!", Self.trouble) : Cell("%", Self.dim)
    }

    private static func style(ofLoad percent: Double) -> CellStyle {
        CellStyle(foreground: percent > 80 ? .red : percent > 50 ? .yellow : .green)
    }
}
