// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Drums: a panel for each group, with pan and level to drag, and its keys as lights. The view's thread.

import PluginSDK
import ViewKit

/// Six panels: the column of a point is the pan, its row the level; below are the keys of the group.
struct DrumsView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 74, rowCount: 17), ViewSize(columnCount: 36, rowCount: 25)] }
    static var frameRate: Double { 20 }

    private static let names = ["Kick", "Snare", "Hats", "Toms", "Cymbals", "Percussion"]
    /// The keys of each group.
    private static let keys = names.indices.map { group in
        (0..<128).filter { KitKey($0).isPlayed && KitKey($0).group == group }
    }

    private var chosen = 0
    private var isHeld = false
    private var lights: KeyLights

    init(_ context: ViewContext) { lights = KeyLights(context.keys) }

    private func layout(_ context: ViewContext) -> PanelLayout {
        let room = CellRectangle(
            column: 0, row: 0, columnCount: context.size.columnCount, rowCount: max(1, context.size.rowCount - 1))
        return PanelLayout(room, count: Self.names.count, columnCount: 9, rowCount: 4, chosen: chosen)
    }

    /// The part of a panel in which its point moves: between the title and the keys.
    private func plot(_ group: Int, _ layout: PanelLayout) -> CellRectangle {
        let panel = layout.panels[group]
        let keyRowCount = (Self.keys[group].count + perRow(panel) - 1) / perRow(panel)
        return CellRectangle(
            column: panel.column, row: panel.row + 1, columnCount: panel.columnCount,
            rowCount: max(1, panel.rowCount - 1 - keyRowCount))
    }

    /// The number of keys in a row, with two digits and a space each.
    private func perRow(_ panel: CellRectangle) -> Int { max(1, (panel.columnCount + 1) / 3) }

    // MARK: Parameters

    private static func level(_ group: Int) -> UInt64 { UInt64(group) * Drums.addressStride }
    private static func tuning(_ group: Int) -> UInt64 { level(group) + 1 }
    private static func decay(_ group: Int) -> UInt64 { level(group) + 2 }
    private static func pan(_ group: Int) -> UInt64 { level(group) + 3 }

    // MARK: Keys and mouse

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(let action, let column, let row, _): point(action, column, row, context)
        case .key(.character(let character), _): press(character, context)
        case .key(let key, let modifiers): step(key, modifiers.contains(.shift) ? 0.002 : 0.02, context)
        default: break
        }
    }

    private mutating func point(_ action: ViewMouseAction, _ column: Int, _ row: Int, _ context: ViewContext) {
        let layout = layout(context)
        switch action {
        case .press:
            guard let group = layout.panel(atColumn: column, row: row) else { return }
            (chosen, isHeld) = (group, true)
        case .release: isHeld = false
        case .wheelUp, .wheelDown: lengthen(by: action == .wheelUp ? 1.1 : 1 / 1.1, context)
        case .drag:
            guard isHeld else { return }
            let plot = plot(chosen, layout)
            context.set(Self.pan(chosen), toPosition: Double(column - plot.column) / Double(max(1, plot.columnCount - 1)))
            context.set(Self.level(chosen), toPosition: 1 - Double(row - plot.row) / Double(max(1, plot.rowCount - 1)))
        }
    }

    private func lengthen(by factor: Double, _ context: ViewContext) {
        context.set(Self.decay(chosen), to: context[Self.decay(chosen)] * factor)
    }

    private mutating func press(_ character: Unicode.Scalar, _ context: ViewContext) {
        switch character {
        case "n": chosen = (chosen + 1) % Self.names.count
        case "N": chosen = (chosen + Self.names.count - 1) % Self.names.count
        case "t": context.set(Self.tuning(chosen), to: context[Self.tuning(chosen)] + 1)
        case "T": context.set(Self.tuning(chosen), to: context[Self.tuning(chosen)] - 1)
        case "d": lengthen(by: 1.1, context)
        case "D": lengthen(by: 1 / 1.1, context)
        default: break
        }
    }

    private func step(_ key: ViewKey, _ size: Double, _ context: ViewContext) {
        let (level, pan) = (Self.level(chosen), Self.pan(chosen))
        switch key {
        case .left, .right: context.move(pan, by: key == .right ? size : -size)
        case .up, .down: context.move(level, by: key == .up ? size : -size)
        case .delete, .home: for address in level...pan { context.restore(address) }
        default: break
        }
    }

    // MARK: Drawing

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        lights.update(context.keys)
        let layout = layout(context)
        for (group, panel) in layout.panels.enumerated() where !panel.isEmpty {
            grid.horizontalLine(column: panel.column, row: panel.row, panel.columnCount, CellStyle([.dim]))
            let style = CellStyle(group == chosen ? [.bold, .reversed] : [.bold])
            grid.put(" \(Self.names[group]) ", column: panel.column, row: panel.row, style, width: panel.columnCount)
            drawPoint(into: &grid, group, plot(group, layout), context)
            drawKeys(into: &grid, group, panel, from: plot(group, layout).endRow)
        }
        let told = Array(Self.level(chosen)...Self.pan(chosen)) + [Drums.roomAddress, Drums.volumeAddress]
        grid.put(context.text(of: told), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    private func drawPoint(into grid: inout CellGrid, _ group: Int, _ plot: CellRectangle, _ context: ViewContext) {
        func row(_ place: Double) -> Int { plot.row + Int((1 - place) * Double(max(0, plot.rowCount - 1)) + 0.5) }
        let loudness = context.parameters[address: Self.level(group)]?.position(of: 0) ?? 1
        for column in plot.column..<plot.endColumn { grid[column, row(loudness)] = Cell("┄", CellStyle([.dim])) }
        grid.verticalLine(column: plot.column + plot.columnCount / 2, row: plot.row, plot.rowCount, CellStyle([.dim]))
        let column = plot.column + Int(context.position(of: Self.pan(group)) * Double(max(0, plot.columnCount - 1)) + 0.5)
        let isStruck = Self.keys[group].contains { lights.isStruck($0) }
        let style = CellStyle(foreground: isStruck ? .green : .yellow, group == chosen ? [.bold, .reversed] : [.bold])
        grid[column, row(context.position(of: Self.level(group)))] = Cell("●", style)
    }

    private func drawKeys(into grid: inout CellGrid, _ group: Int, _ panel: CellRectangle, from firstRow: Int) {
        for (index, key) in Self.keys[group].enumerated() {
            let row = firstRow + index / perRow(panel)
            guard row < panel.endRow else { return }
            let style = lights.isStruck(key) ? CellStyle(foreground: .green, [.bold, .reversed]) : CellStyle([.dim])
            grid.put("\(key)", column: panel.column + 3 * (index % perRow(panel)), row: row, style)
        }
    }
}
