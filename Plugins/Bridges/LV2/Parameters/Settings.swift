// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All settings and meters of a plug-in, by name. Control thread.

import PluginSDK

/// All settings and meters of a plug-in, under the names that hosts record.
struct Settings {
    let tree: ParameterTree
    let texts: [TextProperty]
    /// Key paths by port symbol.
    private(set) var keyPaths: [String: String] = [:]
    /// The properties that are texts, by identifier.
    private(set) var textProperties: [String: PatchProperty] = [:]

    /// The first address of a property; the indices of ports lie below.
    static var firstPropertyAddress: UInt64 {
        @_noLocks get { 1 << 32 }
    }

    init(_ plugin: Plugin) {
        var builder = TreeBuilder(plugin.world)
        var texts: [TextProperty] = []
        for port in plugin.ports where port.isParameter {
            keyPaths[port.symbol] = builder.add(symbol: port.symbol, group: port.group) { port.parameter(identifier: $0) }
        }
        for (index, property) in plugin.properties.enumerated() {
            let symbol = Names.lastComponent(of: property.uri)
            if property.isParameter {
                let address = Self.firstPropertyAddress + UInt64(index)
                _ = builder.add(symbol: symbol, group: nil) { property.parameter(identifier: $0, address: address) }
            } else {
                let identifier = builder.identifier(symbol)
                texts.append(TextProperty(identifier, name: property.name, kind: property.kind == .path ? .path : .text))
                textProperties[identifier] = property
            }
        }
        tree = ParameterTree(builder.children)
        self.texts = texts
    }
}
