// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles the mouse: it chooses, drags sliders, and turns the wheel. The screen's thread.

import Control

extension ScreenState {
    mutating func handle(_ mouse: ScreenMouse, _ model: ScreenModel) -> [ScreenAction] {
        let layout = ScreenLayout(self)
        if let actions = handleInView(mouse, layout, model) ?? handleOnMap(mouse, layout, model) { return actions }
        if mouse.kind == .release {
            dragged = nil
            return []
        }
        if mouse.kind == .drag { return dragged.flatMap { drag($0, mouse, layout, model) } ?? [] }
        if let dialog { return handle(mouse, in: dialog, layout, model) }
        if mouse.kind == .press, mouse.row == layout.hints.row {
            guard let hint = layout.hint(at: mouse.column, self, model) else { return [] }
            return handle(hint, model)
        }
        if layout.chain.contains(column: mouse.column, row: mouse.row) {
            focus = .chain
            return handle(mouse, inChain: layout, model)
        }
        if layout.parameters.contains(column: mouse.column, row: mouse.row) {
            focus = .parameters
            return handle(mouse, inParameters: layout, model)
        }
        return []
    }

    private mutating func handle(_ mouse: ScreenMouse, inChain layout: ScreenLayout, _ model: ScreenModel) -> [ScreenAction] {
        switch mouse.kind {
        case .wheelUp: return handle(.up, model)
        case .wheelDown: return handle(.down, model)
        default:
            let rows = model.rows
            let index = layout.firstRow(rows.firstIndex { $0.node == node } ?? 0, of: rows.count, in: layout.chain.rowCount)
            let row = index + mouse.row - layout.chain.row
            guard rows.indices.contains(row), let id = rows[row].node else { return [] }
            // Another press on the mark of the chosen unit bypasses it.
            if id == node, mouse.column <= layout.chain.column + 2 + rows[row].mark { return handle(.character("b"), model) }
            choose(id)
            return []
        }
    }

    private mutating func handle(_ mouse: ScreenMouse, inParameters layout: ScreenLayout, _ model: ScreenModel) -> [ScreenAction] {
        guard let list = model.parameters[node], !list.isEmpty else { return [] }
        let first = layout.firstRow(parameter, of: list.count, in: layout.parameters.rowCount)
        let index = first + mouse.row - layout.parameters.row
        switch mouse.kind {
        case .wheelUp, .wheelDown:
            // The wheel turns the slider under it, and scrolls beside the sliders.
            guard layout.slider.contains(column: mouse.column, row: mouse.row), list.indices.contains(index) else {
                parameter += mouse.kind == .wheelUp ? -1 : 1
                return []
            }
            parameter = index
            return step(mouse.kind == .wheelUp ? 20 : -20, model)
        default:
            guard list.indices.contains(index) else { return [] }
            parameter = index
            guard layout.slider.contains(column: mouse.column, row: mouse.row), !list[index].isReadOnly else { return [] }
            if !list[index].choices.isEmpty { return press(model) }
            dragged = list[index].path
            return drag(list[index].path, mouse, layout, model) ?? []
        }
    }

    private func drag(_ path: String, _ mouse: ScreenMouse, _ layout: ScreenLayout, _ model: ScreenModel) -> [ScreenAction]? {
        guard let parameter = model.parameter(path), layout.slider.columnCount > 1 else { return nil }
        let share = Double(mouse.column - layout.slider.column) / Double(layout.slider.columnCount - 1)
        return [.set(path: path, value: .number(parameter.value(atShare: share)))]
    }

    private mutating func handle(
        _ mouse: ScreenMouse, in dialog: ScreenDialog, _ layout: ScreenLayout, _ model: ScreenModel
    ) -> [ScreenAction] {
        switch mouse.kind {
        case .wheelUp: scroll(-1, model)
        case .wheelDown: scroll(1, model)
        default:
            let box = layout.dialogBox(dialog)
            guard box.contains(column: mouse.column, row: mouse.row) else {
                self.dialog = nil
                return []
            }
            let (list, count) = (layout.dialogList(dialog), model.items(of: dialog).count)
            guard list.contains(column: mouse.column, row: mouse.row), count > 0 else { return [] }
            let row = layout.firstRow(dialog.index, of: count, in: list.rowCount) + mouse.row - list.row
            guard row < count else { return [] }
            // The first press chooses a row, the second one accepts it.
            if row == dialog.index { return accept(dialog, model) }
            self.dialog?.index = row
        }
        return []
    }
}
