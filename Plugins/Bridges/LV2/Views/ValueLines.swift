// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a plug-in's parameters in the lowest lines of its view, to choose and to change with keys. The view's thread.

import PluginSDK
import ViewKit

/// A few parameters by name and value: the first ones, or those around the chosen one.
struct ValueLines {
    private let parameters: [Parameter]
    private var chosen = 0

    private static let gap = 3

    init(_ tree: ParameterTree) {
        parameters = tree.parameters.map(\.parameter).filter { $0.flags.isDisjoint(with: [.readOnly, .meter]) }
    }

    /// The number of lines for values in a view of that size.
    func lineCount(in size: ViewSize) -> Int { parameters.isEmpty || size.rowCount < 8 ? 0 : size.rowCount < 14 ? 1 : 2 }

    /// Chooses a parameter, or changes the chosen one: by one step of a list, a fiftieth of the range, or a five-hundredth.
    mutating func step(_ key: ViewKey, isFine: Bool, _ context: ViewContext) {
        guard parameters.indices.contains(chosen) else { return }
        let parameter = parameters[chosen]
        switch key {
        case .up: chosen = max(0, chosen - 1)
        case .down: chosen = min(parameters.count - 1, chosen + 1)
        case .left: context.set(parameter.address, to: value(of: parameter, -1, isFine, context))
        case .right: context.set(parameter.address, to: value(of: parameter, 1, isFine, context))
        case .delete, .backspace: context.set(parameter.address, to: parameter.defaultValue)
        default: break
        }
    }

    private func value(of parameter: Parameter, _ direction: Double, _ isFine: Bool, _ context: ViewContext) -> Double {
        let present = context[parameter.address]
        if parameter.unit == .boolean || !parameter.valueStrings.isEmpty || parameter.flags.contains(.integer) {
            return present + direction
        }
        return parameter.value(at: parameter.position(of: present) + direction * (isFine ? 0.002 : 0.02))
    }

    /// Draws as many parameters as fit into the lowest lines, from the first shown one on.
    func draw(into grid: inout CellGrid, _ lineCount: Int, _ context: ViewContext) {
        guard lineCount > 0 else { return }
        let words = parameters.prefix(256).map { "\($0.name) \($0.string(from: context[$0.address]))" }
        var (column, row) = (0, grid.rowCount - lineCount)
        for index in firstShown(words, lineCount, grid.columnCount)..<words.count {
            let width = CellText(words[index]).width
            if column > 0, column + width > grid.columnCount { (column, row) = (0, row + 1) }
            guard row < grid.rowCount else { return }
            let isChosen = context.isFocused && index == chosen
            column += grid.put(words[index], column: column, row: row, isChosen ? CellStyle([.reversed]) : .plain) + Self.gap
        }
    }

    /// The first parameter to show, so that the chosen one is visible.
    private func firstShown(_ words: [String], _ lineCount: Int, _ columnCount: Int) -> Int {
        guard chosen < words.count else { return 0 }
        var (first, column, row) = (0, 0, 0)
        for index in 0...chosen {
            let width = CellText(words[index]).width
            if column > 0, column + width > columnCount { (column, row) = (0, row + 1) }
            if row == lineCount { (first, row) = (index, 0) }
            column += width + Self.gap
        }
        return first
    }
}
