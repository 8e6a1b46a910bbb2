// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keys and the mouse on the map of an environment. The screen's thread.

import Control

extension ScreenState {
    /// The degrees of a turn by a key.
    private static let turn = 5.0

    /// The map, if it replaces the sliders of the chosen node.
    func map(_ model: ScreenModel) -> ScreenMap? { showsViews ? ScreenMap(model, self) : nil }

    /// Moves what is chosen on the map, or turns the head; nil for keys that the screen keeps.
    mutating func handleOnMap(_ key: ScreenKey, _ model: ScreenModel) -> [ScreenAction]? {
        guard focus == .parameters, let map = map(model), let chosen = chosen(on: map) else { return nil }
        switch key {
        case .left: return move(chosen, map, x: -1, z: 0)
        case .right: return move(chosen, map, x: 1, z: 0)
        case .up: return move(chosen, map, x: 0, z: -1)
        case .down: return move(chosen, map, x: 0, z: 1)
        case .enter, .character(" "):
            let place = map.items.firstIndex(of: chosen) ?? 0
            mapChoice = map.items[(place + 1) % map.items.count].node
            return []
        case .character("["), .shiftLeft: return turned(map, -Self.turn)
        case .character("]"), .shiftRight: return turned(map, Self.turn)
        case .escape:
            focus = .chain
            return []
        default: return nil
        }
    }

    /// Chooses and drags by the mouse; nil if it is outside.
    mutating func handleOnMap(_ mouse: ScreenMouse, _ layout: ScreenLayout, _ model: ScreenModel) -> [ScreenAction]? {
        guard dialog == nil, let map = map(model) else {
            mapRadius = nil
            return nil
        }
        switch mouse.kind {
        case .press:
            guard layout.view.contains(column: mouse.column, row: mouse.row) else { return nil }
            focus = .parameters
            guard let item = map.item(atColumn: mouse.column, row: mouse.row) else { return [] }
            (mapChoice, mapRadius) = (item.node, map.radius)
            return []
        case .drag:
            guard mapRadius != nil, let item = chosen(on: map) else { return nil }
            let (x, z) = map.place(
                column: max(map.part.column, min(map.part.endColumn - 1, mouse.column)),
                row: max(map.part.row, min(map.part.row + map.part.rowCount - 1, mouse.row)))
            return put(item, x: x, z: z)
        case .release:
            guard mapRadius != nil else { return nil }
            mapRadius = nil
            return []
        default: return layout.view.contains(column: mouse.column, row: mouse.row) ? [] : nil
        }
    }

    /// The item that is chosen on the map; the listener at first.
    func chosen(on map: ScreenMap) -> ScreenMap.Item? { map.items.first { $0.node == mapChoice } ?? map.items.first }

    private func move(_ item: ScreenMap.Item, _ map: ScreenMap, x: Double, z: Double) -> [ScreenAction] {
        put(item, x: item.x + x * map.step, z: item.z + z * map.step)
    }

    private func put(_ item: ScreenMap.Item, x: Double, z: Double) -> [ScreenAction] {
        let place = item.isListener ? "listener" : "position"
        return [
            .set(path: "\(item.node).\(place).x", value: .number(x)), .set(path: "\(item.node).\(place).z", value: .number(z)),
        ]
    }

    private func turned(_ map: ScreenMap, _ degrees: Double) -> [ScreenAction] {
        guard let listener = map.items.first else { return [] }
        let yaw = (listener.yaw + degrees).truncatingRemainder(dividingBy: 360)
        return [.set(path: "\(listener.node).yaw", value: .number(yaw))]
    }
}
