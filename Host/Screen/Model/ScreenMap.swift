// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The map of an environment: its listener and its sources, seen from above. Any thread.

import Cells
import Glibc

/// An environment from above, in cells: the front is at the top, and the origin in the middle.
struct ScreenMap {
    /// A listener or a source.
    struct Item: Equatable {
        /// The node; the environment itself for the listener.
        let node: String
        let isListener: Bool
        /// Metres to the right, and to the back.
        let x, z: Double
        /// Metres above the listener.
        let height: Double
        /// The degrees by which a listener's head is turned to the right.
        let yaw: Double
    }

    /// The listener comes first.
    let items: [Item]
    /// The metres from the middle to the upper edge.
    let radius: Double
    /// The cells of the map.
    let part: CellRectangle

    /// The least distance from the middle to the edge, in metres.
    private static let leastRadius = 2.0
    private static let mostRadius = 1e6

    /// Lays out the chosen environment; nil for another node, or without room.
    ///
    /// While something is dragged, the scale stays.
    init?(_ model: ScreenModel, _ state: ScreenState) {
        let part = ScreenLayout(state).view
        guard model.node(state.node)?.kind == "environment", part.columnCount > 4, part.rowCount > 3 else { return nil }
        items = Self.items(of: state.node, model)
        self.part = part
        let farthest = items.map { max(abs($0.x), abs($0.z)) }.max() ?? 0
        radius = state.mapRadius ?? Self.round(farthest * 1.1)
    }

    private static func items(of node: String, _ model: ScreenModel) -> [Item] {
        func value(_ path: String) -> Double? { model.coordinates[path] }
        let listener = Item(
            node: node, isListener: true, x: value("\(node).listener.x") ?? 0, z: value("\(node).listener.z") ?? 0,
            height: 0, yaw: value("\(node).yaw") ?? 0)
        let ears = value("\(node).listener.y") ?? 0
        let sources = model.sources(of: node).compactMap { source -> Item? in
            guard let x = value("\(source).position.x"), let z = value("\(source).position.z") else { return nil }
            let height = (value("\(source).position.y") ?? ears) - ears
            return Item(node: source, isListener: false, x: x, z: z, height: height, yaw: 0)
        }
        return [listener] + sources
    }

    /// The next of 1, 2, 5, 10 and so on.
    private static func round(_ metres: Double) -> Double {
        var scale = 1.0
        while scale < mostRadius {
            for step in [1.0, 2, 5] where step * scale >= max(leastRadius, metres) { return step * scale }
            scale *= 10
        }
        return mostRadius
    }

    private var metresPerRow: Double { 2 * radius / Double(part.rowCount - 1) }
    /// A cell is about twice as high as wide.
    private var metresPerColumn: Double { metresPerRow / 2 }
    private var middle: (column: Double, row: Double) {
        (Double(part.column) + Double(part.columnCount - 1) / 2, Double(part.row) + Double(part.rowCount - 1) / 2)
    }

    /// The cell of a place; places beyond the edge are on it.
    func cell(x: Double, z: Double) -> (column: Int, row: Int) {
        let column = (middle.column + x / metresPerColumn).clamped(Double(part.column), Double(part.endColumn - 1))
        let row = (middle.row + z / metresPerRow).clamped(Double(part.row), Double(part.row + part.rowCount - 1))
        // Cannot trap: clamped to the screen.
        return (Int(column.rounded()), Int(row.rounded()))
    }

    /// The place of a cell, in metres, to the centimetre.
    func place(column: Int, row: Int) -> (x: Double, z: Double) {
        func tidy(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
        return (
            tidy((Double(column) - middle.column) * metresPerColumn), tidy((Double(row) - middle.row) * metresPerRow)
        )
    }

    /// The item at a cell or beside it; sources lie over the listener.
    func item(atColumn column: Int, row: Int) -> Item? {
        items.last { item in
            let cell = cell(x: item.x, z: item.z)
            return abs(cell.column - column) <= 1 && cell.row == row
        }
    }

    /// The length of a step by a key, in metres.
    var step: Double { radius / 20 }

    /// The character for a head that is turned to the right by an angle.
    static func arrow(_ yaw: Double) -> Character {
        let arrows: [Character] = ["▲", "◥", "▶", "◢", "▼", "◣", "◀", "◤"]
        // Cannot trap: clamped, and a remainder of 8.
        return arrows[((Int((yaw / 45).rounded().clamped(-1000, 1000)) % 8) + 8) % 8]
    }
}

extension ScreenModel {
    /// The nodes that lead to a node.
    func sources(of node: String) -> [String] {
        var known: Set<String> = []
        return connections.filter { $0.destination == node && known.insert($0.source).inserted }.map(\.source)
    }

    /// The paths of all that an environment's map shows.
    func mapPaths(of node: String) -> [String] {
        ["listener.x", "listener.y", "listener.z", "yaw", "pitch", "roll"].map { "\(node).\($0)" }
            + sources(of: node).flatMap { source in ["x", "y", "z"].map { "\(source).position.\($0)" } }
    }

    /// Takes a place or an angle; it has a slider once the host has told it.
    mutating func take(coordinate value: Double, _ path: String) {
        guard let kind = Self.coordinates.first(where: { path.hasSuffix($0.suffix) }) else { return }
        let node = String(path.dropLast(kind.suffix.count))
        guard self.node(node) != nil else { return }
        coordinates[path] = value
        guard let list = parameters[node], !list.contains(where: { $0.path == path }) else { return }
        var slider = ScreenParameter(path: path, name: kind.name)
        (slider.minimum, slider.maximum, slider.value) = (-kind.range, kind.range, value)
        parameters[node] = list + [slider]
    }

    private static let coordinates: [(suffix: String, name: String, range: Double)] = [
        (".position.x", "To the right", 20), (".position.y", "Upwards", 20), (".position.z", "To the back", 20),
        (".listener.x", "Listener to the right", 20), (".listener.y", "Listener upwards", 20),
        (".listener.z", "Listener to the back", 20), (".yaw", "Head to the right", 180), (".pitch", "Head upwards", 90),
        (".roll", "Head to the right side", 90),
    ]
}
