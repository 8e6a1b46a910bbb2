// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The host's own view of a unit without one: its parameters as sliders, switches and lists. Control thread.

import AudioUnits
import Cells
import ViewChannel
import ViewKit

/// A picture of a parameter tree, in as many columns as fit.
package struct ParameterView: Sendable {
    /// The narrowest column that shows name, bar and value.
    private static let narrowest = 36

    private let rows: [(keyPath: String, parameter: Parameter)]
    private var chosen = 0
    private var firstColumn = 0
    private var isDragging = false

    /// Makes a view of all parameters of a tree.
    package init(_ tree: ParameterTree) { rows = tree.parameters }

    /// The positions of all rows in a size.
    private struct Layout {
        let columnCount, columnWidth, rowCount, nameWidth, valueWidth: Int

        init(_ size: ViewSize, _ rows: [(keyPath: String, parameter: Parameter)]) {
            rowCount = max(1, size.rowCount)
            let wanted = (rows.count + rowCount - 1) / rowCount
            columnCount = max(1, min(wanted, size.columnCount / ParameterView.narrowest))
            columnWidth = max(1, size.columnCount / columnCount)
            let longest = rows.map { CellText($0.parameter.name).width }.max() ?? 0
            nameWidth = min(longest + 1, columnWidth * 2 / 5)
            valueWidth = min(14, columnWidth / 3)
        }

        var barColumn: Int { nameWidth }
        var barWidth: Int { max(1, columnWidth - nameWidth - valueWidth - 2) }
    }

    /// Draws the parameters; `value` has the value at an address.
    package mutating func draw(into grid: inout CellGrid, isFocused: Bool = true, value: (UInt64) -> Double) {
        let layout = Layout(ViewSize(columnCount: grid.columnCount, rowCount: grid.rowCount), rows)
        show(chosen, layout)
        if rows.isEmpty { grid.put("It has no parameters.", column: 0, row: 0, CellStyle([.dim])) }
        for place in 0..<layout.columnCount * layout.rowCount {
            let index = firstColumn * layout.rowCount + place
            guard index < rows.count else { break }
            let (column, row) = (place / layout.rowCount * layout.columnWidth, place % layout.rowCount)
            draw(rows[index].parameter, value, isFocused && index == chosen, &grid, column, row, layout)
        }
    }

    /// Turns the page to the columns of a parameter.
    private mutating func show(_ index: Int, _ layout: Layout) {
        let column = index / layout.rowCount
        if column < firstColumn { firstColumn = column }
        if column >= firstColumn + layout.columnCount { firstColumn = column - layout.columnCount + 1 }
    }

    private func draw(
        _ parameter: Parameter, _ value: (UInt64) -> Double, _ isChosen: Bool, _ grid: inout CellGrid, _ column: Int, _ row: Int,
        _ layout: Layout
    ) {
        let value = value(parameter.address)
        let isFixed = !parameter.flags.isDisjoint(with: [.meter, .readOnly])
        grid.put(
            parameter.name, column: column, row: row, isChosen ? CellStyle([.reversed, .bold]) : .plain, width: layout.nameWidth - 1
        )
        let style =
            isFixed ? CellStyle(foreground: .green) : isChosen ? CellStyle(foreground: .cyan, .bold) : CellStyle(foreground: .cyan)
        let bar = column + layout.barColumn
        if parameter.unit == .boolean {
            grid.put(value >= 0.5 ? "[x]" : "[ ]", column: bar, row: row, style)
        } else {
            grid.bar(parameter.position(of: value), column: bar, row: row, width: layout.barWidth, style)
        }
        let end = column + layout.columnWidth - 1
        grid.put(
            parameter.string(from: value), endColumn: end, row: row, isChosen ? CellStyle([.bold]) : .plain,
            width: layout.valueWidth)
    }

    /// Handles a key or the mouse, and returns the addresses and values that the person sets.
    package mutating func handle(_ event: ViewEvent, size: ViewSize, value: (UInt64) -> Double) -> [(
        address: UInt64, value: Double
    )] {
        guard !rows.isEmpty else { return [] }
        let layout = Layout(size, rows)
        switch event {
        case .key(let key, let modifiers): return step(key, isFine: modifiers.contains(.shift), layout, value)
        case .mouse(let action, let column, let row, _): return point(action, column, row, layout, value)
        case .size, .focus, .value, .look: return []
        }
    }

    private mutating func step(
        _ key: ViewKey, isFine: Bool, _ layout: Layout, _ value: (UInt64) -> Double
    ) -> [(address: UInt64, value: Double)] {
        let parameter = rows[chosen].parameter
        switch key {
        case .up: chosen = max(0, chosen - 1)
        case .down: chosen = min(rows.count - 1, chosen + 1)
        case .pageUp: chosen = max(0, chosen - layout.rowCount)
        case .pageDown: chosen = min(rows.count - 1, chosen + layout.rowCount)
        case .left, .right: return turn(parameter, key == .right ? 1 : -1, isFine, value)
        case .home: return set(parameter, parameter.range.lowerBound)
        case .end: return set(parameter, parameter.range.upperBound)
        case .delete, .backspace: return set(parameter, parameter.defaultValue)
        case .enter, .character(" "):
            guard parameter.unit == .boolean else { return [] }
            return set(parameter, value(parameter.address) >= 0.5 ? 0 : 1)
        case .character, .escape, .tab: break
        }
        return []
    }

    /// Moves by one step of a list, by a fiftieth of a slider's range, or by a five-hundredth of it.
    private func turn(
        _ parameter: Parameter, _ direction: Double, _ isFine: Bool, _ value: (UInt64) -> Double
    ) -> [(address: UInt64, value: Double)] {
        let present = value(parameter.address)
        if parameter.unit == .boolean || !parameter.valueStrings.isEmpty || parameter.flags.contains(.integer) {
            return set(parameter, present + direction)
        }
        return set(parameter, parameter.value(at: parameter.position(of: present) + direction * (isFine ? 0.002 : 0.02)))
    }

    private mutating func point(
        _ action: ViewMouseAction, _ column: Int, _ row: Int, _ layout: Layout, _ value: (UInt64) -> Double
    ) -> [(address: UInt64, value: Double)] {
        if action == .release {
            isDragging = false
            return []
        }
        if action != .drag {
            guard column >= 0, row >= 0, row < layout.rowCount, column < layout.columnWidth * layout.columnCount else { return [] }
            let index = (firstColumn + column / layout.columnWidth) * layout.rowCount + row
            guard index < rows.count else { return [] }
            chosen = index
        } else if !isDragging {
            return []
        }
        let parameter = rows[chosen].parameter
        if action == .wheelUp || action == .wheelDown { return turn(parameter, action == .wheelUp ? 1 : -1, false, value) }
        let left = (chosen / layout.rowCount - firstColumn) * layout.columnWidth + layout.barColumn
        if action == .press {
            guard column >= left, column < left + layout.barWidth else { return [] }
            if parameter.unit == .boolean { return set(parameter, value(parameter.address) >= 0.5 ? 0 : 1) }
            isDragging = true
        }
        return set(parameter, parameter.value(at: Double(column - left) / Double(max(1, layout.barWidth - 1))))
    }

    /// The new value of a parameter, clamped to its range; nothing if it cannot be set.
    private func set(_ parameter: Parameter, _ value: Double) -> [(address: UInt64, value: Double)] {
        guard parameter.flags.isDisjoint(with: [.meter, .readOnly]), value.isFinite else { return [] }
        return [(parameter.address, max(parameter.range.lowerBound, min(parameter.range.upperBound, value)))]
    }
}
