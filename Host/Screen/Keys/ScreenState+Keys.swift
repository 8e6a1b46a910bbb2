// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Handles keys while no dialog is open. The screen's thread.

import Control

extension ScreenState {
    /// Handles a key, and returns its actions.
    package mutating func handle(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction] {
        defer { settle(model) }
        switch key {
        case .control("c"): return [ownsHost ? .stop : .leave]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .mouse(let mouse): return handle(mouse, model)
        default: break
        }
        if dialog != nil { return handleInDialog(key, model) }
        if let actions = handleInView(key, model) ?? handleOnMap(key, model) { return actions }
        if let actions = handleAnywhere(key, model) { return actions }
        return focus == .chain ? handleInChain(key, model) : handleInParameters(key, model)
    }

    /// Handles keys that are independent of the focus; nil for other keys.
    private mutating func handleAnywhere(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction]? {
        switch key {
        case .tab, .backTab: focus = focus == .chain ? .parameters : .chain
        case .control("r"): return [.call("redo", [:], .undone)]
        case .character("?"): dialog = ScreenDialog(.help)
        case .character("q"):
            guard ownsHost else { return [.leave] }
            dialog = ScreenDialog(.stop)
        case .character("a"), .character("/"): return open(.browser, model)
        case .character("p"): return open(.presets(node: node), model)
        case .character("s"): return open(.scenes, model)
        case .character("l"): return open(.log, model)
        case .character("c"): return open(.patch, model)
        case .character("v"): showsViews.toggle()
        case .character("u"): return [.call("undo", [:], .undone)]
        case .character("!"): return [.call("panic", [:], .edit("All notes have ended."))]
        case .character("b"): return bypass(node, model)
        case .character("x"): return remove(model)
        case .character("r"):
            guard model.node(node)?.isUnit == true else { return [] }
            return [.call("unblock", ["node": .text(node)], .edit("\(node) is started again."))]
        case .character("<"), .character(","): return move(-1, model)
        case .character(">"): return move(1, model)
        default: return nil
        }
        return []
    }

    /// Opens a dialog, and requests its contents.
    package mutating func open(_ kind: ScreenDialog.Kind, _ model: ScreenModel) -> [ScreenAction] {
        switch kind {
        case .presets(let node):
            guard model.node(node)?.isUnit == true else { return [] }
            dialog = ScreenDialog(kind)
            return [.call("presets", ["node": .text(node)], .presets(node: node))]
        case .scenes: dialog = ScreenDialog(kind, index: model.scenes.firstIndex { $0 == model.scene } ?? 0)
        case .log: dialog = ScreenDialog(kind, index: Int.max)
        case .choices(let path):
            let parameter = model.parameter(path)
            dialog = ScreenDialog(kind, index: Int((parameter.map { $0.value - $0.minimum } ?? 0).clamped(0, 1e6)))
        case .browser:
            dialog = ScreenDialog(kind)
            if model.plugins == nil { return [.call("plugins", [:], .plugins)] }
        default: dialog = ScreenDialog(kind)
        }
        return []
    }

    private mutating func handleInChain(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction] {
        let ids = model.rows.compactMap(\.node)
        let place = ids.firstIndex(of: node) ?? 0
        func choose(_ index: Int, _ state: inout ScreenState) {
            if !ids.isEmpty { state.choose(ids[max(0, min(index, ids.count - 1))]) }
        }
        switch key {
        case .up, .character("k"): choose(place - 1, &self)
        case .down, .character("j"): choose(place + 1, &self)
        case .home, .pageUp: choose(0, &self)
        case .end, .pageDown: choose(ids.count - 1, &self)
        case .right, .enter: focus = .parameters
        case .shiftUp: return move(-1, model)
        case .shiftDown: return move(1, model)
        case .delete, .backspace: return remove(model)
        case .character(" "): return bypass(node, model)
        case .character(let digit) where ("1"..."9").contains(digit):
            let (index, units) = (Int(digit.value) - 0x31, model.rowUnits)
            return units.indices.contains(index) ? bypass(units[index], model) : []
        default: break
        }
        return []
    }

    private func bypass(_ id: String, _ model: ScreenModel) -> [ScreenAction] {
        guard let unit = model.node(id), unit.isUnit else { return [] }
        let sentence = unit.isBypassed ? "\(id) is heard." : "\(id) is bypassed."
        return [.call("bypass", ["node": .text(id), "on": .flag(!unit.isBypassed)], .edit(sentence))]
    }

    private mutating func remove(_ model: ScreenModel) -> [ScreenAction] {
        guard let node = model.node(node), node.kind != "main", node.kind != "input" else { return [] }
        let ids = model.rows.compactMap(\.node)
        let gone = node.id
        if let place = ids.firstIndex(of: gone) {
            choose(place + 1 < ids.count - 1 ? ids[place + 1] : ids[max(0, place - 1)])
        }
        return [.call("remove", ["node": .text(gone)], .edit("Removed \(gone)."))]
    }

    /// Moves the chosen unit before its source, or after its destination.
    private func move(_ direction: Int, _ model: ScreenModel) -> [ScreenAction] {
        guard model.node(node)?.isUnit == true else { return [] }
        let other =
            direction < 0
            ? model.connections.first { $0.destination == node }?.source
            : model.connections.first { $0.source == node }?.destination
        guard let other, let target = model.node(other), !["main", "input", "player"].contains(target.kind) else { return [] }
        let place = direction < 0 ? "before" : "after"
        return [.call("move", ["node": .text(node), place: .text(other)], .edit("Moved \(node) \(place) \(other)."))]
    }
}

extension Double {
    /// The value, clamped to a range; the lower bound for NaN.
    func clamped(_ low: Double, _ high: Double) -> Double { self > low ? Swift.min(self, high) : low }
}
