// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in's ports and properties as a parameter tree and texts. Control thread.

import BridgeSupport
import PluginSDK

/// Everything of a plug-in that can be set or read, under the names that hosts record.
struct Settings {
    let tree: ParameterTree
    let texts: [TextProperty]
    /// Key paths by port symbol.
    private(set) var keyPaths: [String: String] = [:]
    /// The properties that are texts, by identifier.
    private(set) var textProperties: [String: PatchProperty] = [:]

    /// Where the addresses of properties begin; below lie the indices of ports.
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

/// Collects parameters, each in the group that its port is in.
private struct TreeBuilder {
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

extension Port {
    /// The port as a parameter whose address is the port's index.
    func parameter(identifier: String) -> Parameter {
        guard isInput else {
            // The bounds of a meter are often wrong, and nobody is held to them.
            return Parameter(
                identifier, name: name, address: UInt64(index), range: -1e9...1e9, default: 0, unit: unit, flags: .meter)
        }
        if !choices.isEmpty {
            return Parameter(
                identifier, name: name, address: UInt64(index), choices: choices.map(\.label),
                default: choices.nearest(to: range.defaultValue()))
        }
        if has(Names.core + "toggled") || isTrigger {
            return Parameter(identifier, name: name, address: UInt64(index), isOn: range.defaultValue() > 0)
        }
        var parameter = Parameter(
            identifier, name: name, address: UInt64(index), range: range.bounds(), default: range.defaultValue(), unit: unit)
        if has(Names.core + "integer") { parameter.holdWholeNumbers() }
        let isCostly = has(Names.portProps + "expensive") || has(Names.portProps + "causesArtifacts")
        if isCostly { parameter.flags.remove(.canRamp) }
        // A logarithm has no place for zero.
        if has(Names.portProps + "logarithmic"), range.bounds().lowerBound > 0 { parameter.flags.insert(.logarithmic) }
        return parameter
    }
}

extension PatchProperty {
    func parameter(identifier: String, address: UInt64) -> Parameter {
        if kind == .truth { return Parameter(identifier, name: name, address: address, isOn: range.defaultValue() > 0) }
        var parameter = Parameter(
            identifier, name: name, address: address, range: range.bounds(), default: range.defaultValue(), unit: unit,
            flags: [])
        if isWhole { parameter.holdWholeNumbers() }
        return parameter
    }
}

extension Parameter {
    /// Makes the parameter one of whole numbers, if there are any in its range.
    fileprivate mutating func holdWholeNumbers() {
        let (low, high) = (range.lowerBound.rounded(.up), range.upperBound.rounded(.down))
        guard low <= high else { return }
        range = low...high
        defaultValue = min(max(defaultValue.rounded(), low), high)
        flags.remove(.canRamp)
        flags.insert(.integer)
    }
}

extension [ScalePoint] {
    /// The index of the point that is nearest to a value.
    func nearest(to value: Double) -> Int {
        indices.min { abs(self[$0].value - value) < abs(self[$1].value - value) } ?? 0
    }
}
