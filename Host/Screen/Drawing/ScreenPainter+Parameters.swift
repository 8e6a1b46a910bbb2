// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws the facts about the chosen node, and its parameters as sliders, switches and lists. The screen's thread.

import Cells

extension ScreenPainter {
    func drawFacts(into grid: inout CellGrid) {
        guard layout.facts.rowCount >= 2, let node = model.node(state.node) else { return }
        let (column, row, width) = (layout.facts.column + 1, layout.facts.row, layout.facts.columnCount - 2)
        grid.put(firstFact(node), column: column, row: row, node.isTroubled ? Self.trouble : .plain, width: width)
        guard node.isUnit else { return }
        var facts: [String] = []
        if node.late > 0 { facts.append("late \(node.late)") }
        if node.restarts > 0 { facts.append("restarts \(node.restarts)") }
        let isWorrying = !facts.isEmpty
        if let load = node.load {
            facts.append("load \(Self.decimal(load.mean, 1)) %, worst \(Self.decimal(load.worst, 1)) %")
        }
        if !isWorrying { facts.append("never late") }
        if model.sampleRate > 0, node.latencyFrames > 0 {
            facts.append("latency \(Self.decimal(Double(node.latencyFrames) / model.sampleRate * 1000, 1)) ms")
        }
        grid.put(facts.joined(separator: " · "), column: column, row: row + 1, isWorrying ? Self.warning : Self.dim, width: width)
    }

    private func firstFact(_ node: ScreenNode) -> String {
        switch node.kind {
        case "unit":
            let state = node.isBypassed && !node.isTroubled ? "bypassed" : node.state ?? ""
            let advice = node.state == "quarantined" ? " (r starts it again)" : ""
            return "\(state)\(advice) · \(node.plugin ?? "")" + (node.process.map { " · process \($0)" } ?? "")
        case "input": return "what comes in"
        case "main": return "everything that is heard"
        case "mixer": return "adds up what leads here"
        case "environment": return "a listener among sources · v: \(state.showsViews ? "values" : "map")"
        default: return node.kind
        }
    }

    func drawParameters(into grid: inout CellGrid) {
        let part = layout.parameters
        if state.isViewShown(model), let view = model.view?.grid {
            return grid.put(view, column: layout.view.column, row: layout.view.row)
        }
        if let map = state.map(model) { return draw(map, into: &grid) }
        guard let list = model.parameters[state.node] else { return }
        guard !list.isEmpty else {
            grid.put("It has no parameters.", column: part.column + 1, row: part.row, Self.dim, width: part.columnCount - 2)
            return
        }
        let first = layout.firstRow(state.parameter, of: list.count, in: part.rowCount)
        for (offset, index) in (first..<min(list.count, first + part.rowCount)).enumerated() {
            draw(list[index], row: part.row + offset, isChosen: index == state.parameter, into: &grid)
        }
        drawMore(above: first, below: list.count - first - part.rowCount, in: part, into: &grid)
    }

    private func draw(_ parameter: ScreenParameter, row: Int, isChosen: Bool, into grid: inout CellGrid) {
        let (part, slider) = (layout.parameters, layout.slider)
        let isHot = isChosen && state.focus == .parameters
        let style = parameter.isReadOnly ? Self.dim : isChosen ? Self.bold : .plain
        grid.put(parameter.name, column: part.column + 1, row: row, style, width: slider.column - part.column - 2)
        if parameter.isSwitch {
            let isOn = parameter.value > parameter.minimum
            grid.put(isOn ? "[■]" : "[ ]", column: slider.column, row: row, isOn ? CellStyle(foreground: .cyan, [.bold]) : .plain)
        } else if parameter.isList {
            let index = Int((parameter.value - parameter.minimum).clamped(0, 1e6)) + 1
            grid.put(
                "◂ \(index) of \(parameter.choices.count) ▸", column: slider.column, row: row, Self.dim, width: slider.columnCount)
        } else {
            drawSlider(parameter, row: row, isHot: isHot, into: &grid)
        }
        grid.put(parameter.text, endColumn: layout.values.endColumn, row: row, style, width: layout.values.columnCount)
        guard isChosen else { return }
        grid[part.column, row] = Cell("▸", Self.bold)
        guard isHot else { return }
        for line in [(part.column, slider.column - part.column - 1), (layout.values.column, layout.values.columnCount)] {
            grid.restyle(CellRectangle(column: line.0, row: row, columnCount: line.1, rowCount: 1)) { $0.with(.reversed) }
        }
    }

    private func drawSlider(_ parameter: ScreenParameter, row: Int, isHot: Bool, into grid: inout CellGrid) {
        let slider = layout.slider
        let style = CellStyle(
            foreground: parameter.isReadOnly ? .terminal : .cyan, isHot ? .bold : parameter.isReadOnly ? .dim : [])
        // A range around 0 is filled from its middle.
        let isFinite = parameter.minimum.isFinite && parameter.maximum.isFinite
        guard isFinite, parameter.minimum < 0, parameter.maximum > 0, !parameter.isLogarithmic, slider.columnCount > 2 else {
            return grid.bar(parameter.share, column: slider.column, row: row, width: slider.columnCount, style)
        }
        grid.bar(0, column: slider.column, row: row, width: slider.columnCount)
        let end = Double(slider.columnCount - 1)
        let zero = Int((-parameter.minimum / (parameter.maximum - parameter.minimum) * end).clamped(0, end))
        let place = Int((parameter.share * end + 0.5).clamped(0, end))
        for offset in min(zero, place)...max(zero, place) { grid[slider.column + offset, row] = Cell("█", style) }
        if zero == place { grid[slider.column + zero, row] = Cell("│", style) }
    }
}
