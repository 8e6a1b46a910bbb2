// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The presets of a plug-in, from its own bundle, or from one that extends it. Control thread.

import CLV2Shims
import CLilv
import PluginSDK

/// A preset: values of ports and properties, and perhaps a further state.
struct Preset {
    let name: String
    let node: Node
    /// The values by key path.
    let values: [String: Double]
    let hasState: Bool

    /// More presets than any user reads.
    static let maximumCount = 4096

    /// Every preset of a plug-in, by name.
    static func presets(of plugin: Plugin, _ settings: Settings) -> [Preset] {
        guard let type = plugin.world.node(Names.presets + "Preset") else { return [] }
        let nodes = plugin.world.nodes(lilv_plugin_get_related(plugin.pointer, type.pointer))
        return nodes.prefix(maximumCount).compactMap { Preset($0, plugin, settings) }
            .sorted { ($0.name, $0.node.text) < ($1.name, $1.node.text) }
    }

    private init?(_ node: Node, _ plugin: Plugin, _ settings: Settings) {
        plugin.world.load(resource: node)
        guard let state = Self.state(node, plugin.world) else { return nil }
        defer { lilv_state_free(state) }
        self.node = node
        name = plugin.world.value(node, Names.label)?.text ?? Names.lastComponent(of: node.text)
        hasState = lilv_state_get_num_properties(state) > 0
        var values: [String: Double] = [:]
        for (symbol, value) in Self.portValues(of: state) {
            guard let keyPath = settings.keyPaths[symbol], let port = plugin.ports.first(where: { $0.symbol == symbol }),
                let parameter = settings.tree[keyPath: keyPath], port.isInput
            else { continue }
            values[keyPath] = parameter.taking(port.choices.isEmpty ? value : Double(port.choices.nearest(to: value)))
        }
        for (index, property) in plugin.properties.enumerated() where property.isParameter {
            let address = Settings.firstPropertyAddress + UInt64(index)
            guard let keyPath = settings.tree.keyPath(ofAddress: address), let parameter = settings.tree[keyPath: keyPath],
                let value = Self.stateValue(of: property.uri, node, plugin.world)
            else { continue }
            values[keyPath] = parameter.taking(value)
        }
        self.values = values
    }

    /// lilv's state for a preset, which the caller must free.
    static func state(_ preset: Node, _ world: World) -> OpaquePointer? {
        let map = CLV2Shims_mapFeature().assumingMemoryBound(to: LV2_URID_Map.self)
        return lilv_state_new_from_world(world.pointer, map, preset.pointer)
    }

    private static func portValues(of state: OpaquePointer) -> [String: Double] {
        var values: [String: Double] = [:]
        withUnsafeMutablePointer(to: &values) { values in
            lilv_state_emit_port_values(
                state,
                { symbol, context, body, byteCount, type in
                    guard let symbol, let body, let context else { return }
                    let value = CLV2Shims_number(type, body, byteCount)
                    guard value.isFinite else { return }
                    context.assumingMemoryBound(to: [String: Double].self).pointee[String(cString: symbol)] = value
                }, values)
        }
        return values
    }

    /// The value of a property in the preset's state.
    private static func stateValue(of property: String, _ preset: Node, _ world: World) -> Double? {
        world.value(preset, Names.state + "state").flatMap { world.value($0, property)?.number }
    }
}

extension Parameter {
    /// The nearest value that the parameter accepts.
    fileprivate func taking(_ value: Double) -> Double {
        let rounded = flags.contains(.integer) ? value.rounded() : value
        return min(max(rounded, range.lowerBound), range.upperBound)
    }
}
