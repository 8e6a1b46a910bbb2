// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keys and the mouse in the view of a plug-in. The screen's thread.

import Control
import JSON

extension ScreenState {
    /// True if the view of the chosen unit replaces its parameters.
    package func isViewShown(_ model: ScreenModel) -> Bool {
        showsViews && model.view?.node == node && model.view?.grid != nil
    }

    /// Passes a key to the view; nil for keys that the screen keeps.
    func handleInView(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction]? {
        guard focus == .parameters, isViewShown(model), let number = model.view?.number else { return nil }
        var modifiers: [JSONValue] = []
        let name: String
        switch key {
        case .tab, .backTab, .escape, .mouse, .control, .paste: return nil
        case .character(let character): name = String(Character(character))
        case .up: name = "up"
        case .down: name = "down"
        case .left: name = "left"
        case .right: name = "right"
        case .home: name = "home"
        case .end: name = "end"
        case .pageUp: name = "pageUp"
        case .pageDown: name = "pageDown"
        case .delete: name = "delete"
        case .backspace: name = "backspace"
        case .enter: name = "enter"
        case .shiftLeft, .shiftRight, .shiftUp, .shiftDown:
            modifiers = ["shift"]
            name = key == .shiftLeft ? "left" : key == .shiftRight ? "right" : key == .shiftUp ? "up" : "down"
        }
        var fields: [String: JSONValue] = ["view": .number(number), "key": .text(name)]
        if !modifiers.isEmpty { fields["modifiers"] = .list(modifiers) }
        return [.call("viewKey", fields, .nothing)]
    }

    /// Passes the mouse to the view; nil if it is outside.
    mutating func handleInView(_ mouse: ScreenMouse, _ layout: ScreenLayout, _ model: ScreenModel) -> [ScreenAction]? {
        guard dialog == nil, isViewShown(model), let number = model.view?.number else {
            holdsView = false
            return nil
        }
        let part = layout.view
        let actions: [ScreenMouse.Kind: String] = [
            .press: "press", .drag: "drag", .release: "release", .wheelUp: "wheelUp", .wheelDown: "wheelDown",
        ]
        // A drag that started in the view continues beyond its edge.
        guard holdsView || part.contains(column: mouse.column, row: mouse.row), let action = actions[mouse.kind] else { return nil }
        if !holdsView, mouse.kind == .drag || mouse.kind == .release { return nil }
        if mouse.kind == .press { (holdsView, focus) = (true, .parameters) }
        if mouse.kind == .release { holdsView = false }
        let column = max(-1, min(part.columnCount, mouse.column - part.column))
        let row = max(-1, min(part.rowCount, mouse.row - part.row))
        let fields: [String: JSONValue] = [
            "view": .number(number), "action": .text(action), "column": .number(Double(column)), "row": .number(Double(row)),
        ]
        return [.call("viewMouse", fields, .nothing)]
    }
}
