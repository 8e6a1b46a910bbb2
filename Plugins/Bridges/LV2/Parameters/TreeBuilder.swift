// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Puts parameters into the groups of their ports. Control thread.

import BridgeSupport
import PluginSDK

/// Collects parameters, each in the group of its port.
struct TreeBuilder {
    private struct Group {
        let identifier: String
        let name: String
        var identifiers = Identifiers()
        var parameters: [Parameter] = []
    }

    private enum Entry {
        case parameter(Parameter)
        case group(Int)
    }

    private let world: World
    private var top = Identifiers()
    private var entries: [Entry] = []
    private var groups: [Group] = []
    private var groupNumbers: [String: Int] = [:]

    init(_ world: World) { self.world = world }

    var children: [ParameterNode] {
        entries.map { entry in
            switch entry {
            case .parameter(let parameter): .parameter(parameter)
            case .group(let number):
                .group(
                    ParameterGroup(
                        groups[number].identifier, name: groups[number].name, groups[number].parameters.map { .parameter($0) }))
            }
        }
    }

    mutating func identifier(_ symbol: String) -> String { top.identifier(for: symbol, keepsCase: true) }

    /// Adds a parameter and returns its key path.
    mutating func add(symbol: String, group: Node?, _ make: (String) -> Parameter) -> String {
        guard let group else {
            let identifier = identifier(symbol)
            entries.append(.parameter(make(identifier)))
            return identifier
        }
        let number = number(of: group)
        let identifier = groups[number].identifiers.identifier(for: symbol, keepsCase: true)
        groups[number].parameters.append(make(identifier))
        return "\(groups[number].identifier).\(identifier)"
    }

    private mutating func number(of group: Node) -> Int {
        if let number = groupNumbers[group.text] { return number }
        let symbol = world.value(group, Names.core + "symbol")?.text ?? Names.lastComponent(of: group.text)
        let name = world.value(group, Names.core + "name")?.text ?? world.value(group, Names.label)?.text ?? symbol
        groups.append(Group(identifier: identifier(symbol), name: name))
        entries.append(.group(groups.count - 1))
        groupNumbers[group.text] = groups.count - 1
        return groups.count - 1
    }
}
