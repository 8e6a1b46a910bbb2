// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The properties that a plug-in takes as messages, not through ports. Control thread.

import CLV2Shims
import PluginSDK

/// A property that a patch:Set can set.
struct PatchProperty {
    enum Kind {
        case number
        case truth
        case text
        case path
    }

    let uri: String
    let urid: UInt32
    let name: String
    let kind: Kind
    /// The atom type of the value.
    let type: UInt32
    let isWhole: Bool
    let range: ControlRange
    let unit: ParameterUnit
    let scalePoints: [ScalePoint]

    var isParameter: Bool { kind == .number || kind == .truth }

    /// More than any plug-in has.
    static let maximumCount = 1024

    /// The properties that a plug-in's bundle declares as writable.
    ///
    /// Only numbers, Booleans, texts and paths are supported; other properties are omitted.
    static func properties(of plugin: Node, in world: World) -> [PatchProperty] {
        let nodes = world.values(plugin, Names.patch + "writable").sorted { $0.text < $1.text }
        return nodes.prefix(maximumCount).compactMap { PatchProperty($0, in: world) }
    }

    private init?(_ node: Node, in world: World) {
        guard node.isURI, let range = world.value(node, Names.range)?.text, range.hasPrefix(Names.atom) else { return nil }
        switch String(range.dropFirst(Names.atom.count)) {
        case "Float", "Double": (kind, isWhole) = (.number, false)
        case "Int", "Long": (kind, isWhole) = (.number, true)
        case "Bool": (kind, isWhole) = (.truth, true)
        case "String": (kind, isWhole) = (.text, false)
        case "Path": (kind, isWhole) = (.path, false)
        default: return nil
        }
        uri = node.text
        urid = CLV2Shims_map(uri)
        type = CLV2Shims_map(range)
        name = world.value(node, Names.label)?.text ?? Names.lastComponent(of: uri)
        self.range = ControlRange(node, in: world)
        unit = ParameterUnit(of: node, in: world)
        scalePoints = ScalePoint.points(of: node, in: world)
    }
}
