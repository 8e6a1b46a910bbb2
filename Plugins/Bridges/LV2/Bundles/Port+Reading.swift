// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the ports of a plug-in, and refuses invalid ones. Control thread.

import PluginSDK

extension Port {
    /// More ports than any plug-in has.
    static let maximumCount = 4096
    /// The smallest and the largest buffer of an atom port, in bytes.
    static let atomByteCounts = 16_384...16_777_216

    /// Every port of a plug-in, in the order of their indices.
    static func ports(of plugin: Node, in world: World) throws(UnitError) -> [Port] {
        var ports: [Port] = []
        for node in world.values(plugin, Names.core + "port") { ports.append(try Port(node, in: world)) }
        ports.sort { $0.index < $1.index }
        guard ports.count <= maximumCount else { throw .failed("it has \(ports.count) ports; \(maximumCount) are the most") }
        for (index, port) in ports.enumerated() where port.index != index {
            throw .failed(
                port.index < index ? "two of its ports have the index \(port.index)" : "it has no port with the index \(index)")
        }
        return ports
    }

    private init(_ node: Node, in world: World) throws(UnitError) {
        guard let index = world.value(node, Names.core + "index")?.number, index >= 0, index < Double(Self.maximumCount),
            index == index.rounded()
        else { throw .failed("one of its ports has no index") }
        self.index = Int(index)
        guard let symbol = world.value(node, Names.core + "symbol")?.text, !symbol.isEmpty else {
            throw .failed("its port \(Int(index)) has no symbol")
        }
        self.symbol = symbol
        name = world.value(node, Names.core + "name")?.text ?? symbol
        let classes = Set(world.values(node, Names.type).map(\.text))
        isInput = classes.contains(Names.core + "InputPort")
        guard isInput != classes.contains(Names.core + "OutputPort") else {
            throw .failed("its port \"\(symbol)\" is neither input nor output")
        }
        properties = Set(world.values(node, Names.core + "portProperty").map(\.text))
        kind = try Self.kind(classes, isOptional: properties.contains(Names.core + "connectionOptional"), symbol)
        designation = world.value(node, Names.core + "designation")?.text
        group = world.value(node, Names.portGroups + "group")
        let isInSideGroup = group.map { world.value($0, Names.portGroups + "sideChainOf") != nil } ?? false
        isSideChain =
            isInSideGroup || properties.contains(Names.core + "isSideChain")
            || properties.contains(Names.portProps + "isSideChain") || world.value(node, Names.portGroups + "sideChainOf") != nil
        readRange(node, world)
        supported = Set(world.values(node, Names.atom + "supports").map(\.text))
        let wanted = world.value(node, Names.resizePort + "minimumSize")?.number ?? 0
        byteCount = Int(min(max(wanted, Double(Self.atomByteCounts.lowerBound)), Double(Self.atomByteCounts.upperBound)))
    }

    private static func kind(_ classes: Set<String>, isOptional: Bool, _ symbol: String) throws(UnitError) -> Kind {
        if classes.contains(Names.core + "AudioPort") { return .audio }
        if classes.contains(Names.core + "ControlPort") { return .control }
        if classes.contains(Names.core + "CVPort") { return .cv }
        if classes.contains(Names.atom + "AtomPort") { return .atom }
        if isOptional { return .unconnected }
        if classes.contains(Names.eventPort) {
            throw .failed("its port \"\(symbol)\" takes events of the old kind, which Bulkhead does not offer")
        }
        throw .failed("its port \"\(symbol)\" is of a kind that Bulkhead does not know")
    }

    private mutating func readRange(_ node: Node, _ world: World) {
        range = ControlRange(node, in: world)
        // A switch without a default is on at first, because a plug-in that is off does nothing.
        if isSwitch, range.preset == nil { range.preset = 1 }
        range.isTimesSampleRate = has(Names.core + "sampleRate")
        scalePoints = ScalePoint.points(of: node, in: world)
        unit = ParameterUnit(of: node, in: world)
    }
}
