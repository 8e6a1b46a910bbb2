// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values that have names: the choices of an enumeration. Control thread.

/// A value with a name.
struct ScalePoint: Hashable {
    let value: Double
    let label: String
}

extension ScalePoint {
    /// The named values of a port or a property, lowest first, each once.
    static func points(of node: Node, in world: World) -> [ScalePoint] {
        var points: [ScalePoint] = []
        for point in world.values(node, Names.core + "scalePoint") {
            guard let value = world.value(point, Names.value)?.number else { continue }
            points.append(ScalePoint(value: value, label: world.value(point, Names.label)?.text ?? "\(value)"))
        }
        points.sort { ($0.value, $0.label) < ($1.value, $1.label) }
        return points.enumerated().filter { $0 == 0 || points[$0 - 1].value != $1.value }.map(\.element)
    }
}

extension [ScalePoint] {
    /// The index of the point that is nearest to a value.
    func nearest(to value: Double) -> Int {
        indices.min { abs(self[$0].value - value) < abs(self[$1].value - value) } ?? 0
    }
}
