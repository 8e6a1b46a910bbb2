// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws the screen: the title, the meters, the panes, and a dialog over them. The screen's thread.

import Cells

/// Draws a model into cells, without a terminal.
package struct ScreenPainter {
    let model: ScreenModel
    let state: ScreenState
    let layout: ScreenLayout

    static let dim = CellStyle([.dim])
    static let bold = CellStyle([.bold])
    static let reversed = CellStyle([.reversed])
    static let trouble = CellStyle(foreground: .red, [.bold])
    static let warning = CellStyle(foreground: .yellow)

    /// Draws as much of the screen as fits.
    package static func draw(_ model: ScreenModel, _ state: ScreenState, into grid: inout CellGrid) {
        draw(model, state, into: &grid) { $0.draw(into: &$1) }
    }

    /// Draws only the dialog.
    package static func drawDialog(_ model: ScreenModel, _ state: ScreenState, into grid: inout CellGrid) {
        draw(model, state, into: &grid) { painter, grid in
            if let dialog = state.dialog { painter.draw(dialog, into: &grid) }
        }
    }

    private static func draw(
        _ model: ScreenModel, _ state: ScreenState, into grid: inout CellGrid, _ body: (ScreenPainter, inout CellGrid) -> Void
    ) {
        var state = state
        (state.columnCount, state.rowCount) = (grid.columnCount, grid.rowCount)
        grid.clear()
        guard grid.columnCount >= ScreenLayout.leastColumns, grid.rowCount >= ScreenLayout.leastRows else {
            grid.put("At least \(ScreenLayout.leastColumns) × \(ScreenLayout.leastRows), please.", column: 0, row: 0)
            return
        }
        body(ScreenPainter(model: model, state: state, layout: ScreenLayout(state)), &grid)
        grid.mend()
    }

    private func draw(into grid: inout CellGrid) {
        drawTitle(into: &grid)
        drawMeters(into: &grid)
        drawHeadings(into: &grid)
        drawChain(into: &grid)
        drawFacts(into: &grid)
        drawParameters(into: &grid)
        drawScenesAndLog(into: &grid)
        drawMessage(into: &grid)
        drawHints(into: &grid)
        guard let dialog = state.dialog else { return }
        // A dialog is drawn in characters, over those of the view.
        grid.pixels = nil
        draw(dialog, into: &grid)
    }

    private func drawTitle(into grid: inout CellGrid) {
        grid.fill(layout.title, Cell(" ", Self.reversed))
        let name = model.kind == "sink" || model.kind == "source" ? "\(model.host) (\(model.kind ?? ""))" : model.host
        var column = 1 + grid.put(name.isEmpty ? "…" : name, column: 1, row: 0, Self.reversed.with(.bold), width: 24)
        for (index, fact) in titleFacts.enumerated() {
            let isTrouble = index == titleFacts.count - 1 && model.xruns > 0
            column += 2 + grid.put(fact, column: column + 2, row: 0, isTrouble ? Self.reversed.with(.bold) : Self.reversed)
        }
        guard let scene = model.scene else { return }
        grid.put(
            scene, endColumn: grid.columnCount - 1, row: 0, Self.reversed.with(.bold), width: max(0, grid.columnCount - column - 3))
    }

    private var titleFacts: [String] {
        guard model.sampleRate > 0 else { return ["no device"] }
        let cycle = Double(model.quantum) / model.sampleRate * 1000
        let latency = Double(model.latencyFrames) / model.sampleRate * 1000
        let rate = Self.decimal(model.sampleRate / 1000, model.sampleRate.truncatingRemainder(dividingBy: 1000) == 0 ? 0 : 1)
        return [
            "\(rate) kHz", "\(model.quantum) = \(Self.decimal(cycle, 1)) ms", "latency \(Self.decimal(latency, 1)) ms",
            "load \(Self.decimal(model.loadPercent, 1)) %", "xruns \(model.xruns)",
        ] + (model.isRunning ? [] : ["stopped"])
    }

    private func drawMeters(into grid: inout CellGrid) {
        let half = grid.columnCount / 2
        for (index, name) in ["L", "R"].enumerated() {
            let channel = model.meters.channels[index]
            let column = index * half + 1
            grid.put(name, column: column, row: 1, Self.bold)
            let width = half - 10
            drawMeter(channel, column: column + 2, width: width, into: &grid)
            let text = channel.peak > ScreenMeters.lowest ? Self.decimal(channel.peak, 1) : "-inf"
            grid.put(text, endColumn: column + width + 8, row: 1, channel.peak > -0.1 ? Self.trouble : .plain)
        }
    }

    private func drawMeter(_ channel: ScreenMeters.Channel, column: Int, width: Int, into grid: inout CellGrid) {
        func share(_ level: Double) -> Double { (level - ScreenMeters.lowest) / -ScreenMeters.lowest }
        grid.bar(share(channel.level), column: column, row: 1, width: width)
        for offset in 0..<max(0, width) {
            let level = ScreenMeters.lowest - ScreenMeters.lowest * Double(offset) / Double(width)
            guard grid[column + offset, 1].attributes.isEmpty else { continue }
            grid[column + offset, 1].foreground = level > -3 ? .red : level > -12 ? .yellow : .green
        }
        guard channel.peak > ScreenMeters.lowest else { return }
        let place = min(width - 1, Int((share(channel.peak) * Double(width)).clamped(0, 1e6)))
        if grid[column + place, 1].codePoint == 0xB7 {
            grid[column + place, 1] = Cell("│", CellStyle(foreground: channel.peak > -3 ? .red : .green))
        }
    }

    /// Draws a line with the name of each pane, and the line between the panes.
    private func drawHeadings(into grid: inout CellGrid) {
        let edge = layout.chain.endColumn
        grid.horizontalLine(column: 0, row: 2, grid.columnCount, Self.dim)
        grid.verticalLine(column: edge, row: 3, layout.chain.rowCount, Self.dim)
        grid[edge, 2] = Cell("┬", Self.dim)
        heading(
            model.connections.count > model.nodes.count ? "Graph" : "Chain", column: 1, isFocus: state.focus == .chain, into: &grid)
        heading(state.node, column: edge + 2, isFocus: state.focus == .parameters, into: &grid)
    }

    private func heading(_ text: String, column: Int, row: Int = 2, isFocus: Bool, into grid: inout CellGrid) {
        guard !text.isEmpty else { return }
        grid.put(" \(text) ", column: column, row: row, isFocus ? Self.reversed.with(.bold) : Self.bold, width: 30)
    }

    private func drawScenesAndLog(into grid: inout CellGrid) {
        guard let scenes = layout.scenes, let log = layout.log else { return }
        let row = scenes.row - 1
        grid.horizontalLine(column: 0, row: row, grid.columnCount, Self.dim)
        grid.verticalLine(column: scenes.endColumn, row: scenes.row, scenes.rowCount, Self.dim)
        grid[scenes.endColumn, row] = Cell("┼", Self.dim)
        heading("Scenes", column: 1, row: row, isFocus: false, into: &grid)
        heading("Log", column: log.column + 1, row: row, isFocus: false, into: &grid)
        if model.scenes.isEmpty {
            grid.put("None yet: s keeps the graph as one.", column: 2, row: scenes.row, Self.dim, width: scenes.columnCount - 3)
        }
        let chosen = model.scenes.firstIndex { $0 == model.scene } ?? 0
        let first = layout.firstRow(chosen, of: model.scenes.count, in: scenes.rowCount)
        for (offset, index) in (first..<min(model.scenes.count, first + scenes.rowCount)).enumerated() {
            let isCurrent = model.scenes[index] == model.scene
            grid.put(
                "\(isCurrent ? "▶" : " ") \(index + 1)  \(model.scenes[index])", column: 2, row: scenes.row + offset,
                isCurrent ? Self.bold : .plain, width: scenes.columnCount - 3)
        }
        drawLog(in: log, last: model.log.lines.count - 1, into: &grid)
    }

    /// Draws the lines of the log up to the line `last`.
    func drawLog(in part: CellRectangle, last: Int, into grid: inout CellGrid) {
        let lines = model.log.lines.prefix(max(0, last + 1)).suffix(part.rowCount)
        for (offset, line) in lines.enumerated() {
            let row = part.row + offset
            grid.put(line.clock, column: part.column + 1, row: row, Self.dim)
            grid.put(line.text, column: part.column + 11, row: row, Self.style(of: line.kind), width: part.columnCount - 12)
        }
    }

    private func drawMessage(into grid: inout CellGrid) {
        grid.horizontalLine(column: 0, row: layout.message.row, grid.columnCount, Self.dim)
        guard let line = model.log.lines.last, model.now - line.time < 20 else { return }
        grid.put(" \(line.text) ", column: 1, row: layout.message.row, Self.style(of: line.kind), width: grid.columnCount - 2)
    }

    private func drawHints(into grid: inout CellGrid) {
        for (hint, column, _) in layout.placedHints(state, model) {
            let width = grid.put(hint.name, column: column, row: layout.hints.row, Self.bold)
            grid.put(hint.word, column: column + width + 1, row: layout.hints.row, Self.dim)
        }
    }

    private static func style(of kind: ScreenLog.Kind) -> CellStyle {
        switch kind {
        case .done: .plain
        case .told: CellStyle(foreground: .cyan)
        case .trouble: trouble
        }
    }

    /// A number with a fixed number of decimals.
    static func decimal(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "–" }
        let scale = places == 0 ? 1.0 : places == 1 ? 10 : 100
        // Cannot trap: below 1e11.
        let whole = Int((abs(value) * scale).rounded())
        let sign = value < 0 && whole != 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let rest = String(whole % Int(scale))
        return "\(sign)\(whole / Int(scale)).\(String(repeating: "0", count: places - rest.count))\(rest)"
    }
}
