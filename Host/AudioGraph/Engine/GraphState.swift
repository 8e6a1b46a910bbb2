// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine's graph as a value: nodes, formats, connections. An edit changes a copy, which the engine keeps if the edit succeeds.

import Rendering

/// The nodes and connections of an engine.
struct GraphState {
    /// A connection.
    struct Link {
        let source: AudioNode
        let sourceBus: Int
        let destination: AudioNode
        let destinationBus: Int
        let state: ConnectionState

        func leads(to other: Link) -> Bool {
            source === other.source && sourceBus == other.sourceBus && destination === other.destination
                && destinationBus == other.destinationBus
        }
    }

    /// A node, the formats that it was given, and its connections by bus.
    struct Record {
        let node: AudioNode
        /// A number that gives the order in which nodes were attached; it only grows.
        let place: Int
        var inputFormats: [Int: AudioFormat] = [:]
        var outputFormats: [Int: AudioFormat] = [:]
        var inputs: [Int: Link] = [:]
        var outputs: [Int: [Link]] = [:]
    }

    private var records = NodeTable<Record>()
    /// The place of the next node that is attached.
    private var nextPlace = 0
    /// The connections that this edit has broken.
    var broken: [Link] = []
    /// The records of the nodes that this edit has detached.
    var detached: [Record] = []
    /// The engine's rate in hertz for which nodes have their formats; 0 while unknown.
    var sampleRate = 0.0
    var inputNode: AudioInputNode?
    var outputNode: AudioOutputNode?
    var mainMixerNode: AudioMixerNode?
    /// The voice processing between the input and its destinations.
    var voice: VoiceProcessing?

    subscript(node: AudioNode) -> Record? { records[ObjectIdentifier(node)] }

    func contains(_ node: AudioNode) -> Bool { records[ObjectIdentifier(node)] != nil }

    /// All nodes, in no particular order.
    var unorderedNodes: some Sequence<AudioNode> { records.values.lazy.map(\.node) }

    /// The nodes in the order in which they were attached.
    private func sorted(_ nodes: [AudioNode]) -> [AudioNode] {
        nodes.map { (place: self[$0]?.place ?? 0, node: $0) }.sorted { $0.place < $1.place }.map(\.node)
    }

    /// All nodes, in the order in which they were attached.
    var nodes: [AudioNode] {
        records.values.sorted { $0.place < $1.place }.map(\.node)
    }

    mutating func attach(_ node: AudioNode) {
        records[ObjectIdentifier(node)] = Record(node: node, place: nextPlace)
        nextPlace += 1
    }

    mutating func detach(_ node: AudioNode) {
        guard let record = self[node] else { return }
        detached.append(record)
        for bus in record.inputs.keys { disconnectInput(node, bus) }
        for bus in record.outputs.keys { disconnectOutput(node, bus) }
        records[ObjectIdentifier(node)] = nil
    }

    mutating func disconnectInput(_ node: AudioNode, _ bus: Int) {
        guard let link = records[ObjectIdentifier(node)]?.inputs.removeValue(forKey: bus) else { return }
        records[ObjectIdentifier(link.source)]?.outputs[link.sourceBus]?.removeAll { $0.leads(to: link) }
        broken.append(link)
        if let echo = node.body.echo(of: link.state), contains(echo.node) { disconnectInput(echo.node, bus) }
        if let voice, node === outputNode, bus == 0 { disconnectInput(voice.farEndTap, 0) }
    }

    mutating func disconnectOutput(_ node: AudioNode, _ bus: Int) {
        for link in self[node]?.outputs[bus] ?? [] { disconnectInput(link.destination, link.destinationBus) }
        records[ObjectIdentifier(node)]?.outputs[bus] = nil
    }

    /// Adds a connection to a bus that is free.
    mutating func connect(_ link: Link) {
        records[ObjectIdentifier(link.destination)]?.inputs[link.destinationBus] = link
        records[ObjectIdentifier(link.source)]?.outputs[link.sourceBus, default: []].append(link)
        // A connection that the same edit has broken and makes again goes on.
        broken.removeAll { $0.state === link.state }
        echo(link)
        if link.destination === outputNode, link.destinationBus == 0 { mirror(link) }
    }

    /// Connects the source of a link also to the internal node that echoes it.
    mutating func echo(_ link: Link) {
        guard let echo = link.destination.body.echo(of: link.state), contains(echo.node) else { return }
        disconnectInput(echo.node, link.destinationBus)
        connect(
            Link(
                source: link.source, sourceBus: link.sourceBus, destination: echo.node, destinationBus: link.destinationBus,
                state: echo.state))
    }

    mutating func setFormat(_ format: AudioFormat, ofInput bus: Int, _ node: AudioNode) {
        records[ObjectIdentifier(node)]?.inputFormats[bus] = format
    }

    mutating func setFormat(_ format: AudioFormat, ofOutput bus: Int, _ node: AudioNode) {
        records[ObjectIdentifier(node)]?.outputFormats[bus] = format
    }

    mutating func setOutputFormats(_ formats: [Int: AudioFormat], of node: AudioNode) {
        records[ObjectIdentifier(node)]?.outputFormats = formats
    }

    /// Follows the engine to another rate.
    ///
    /// Mixers, the input and the output take the engine's rate, unless the program gave them another one. Effects take the rate of their
    /// input. Players and sources keep their rate, and a converter follows them.
    mutating func follow(to rate: Double, from former: Double) {
        var rest = records.values.map(\.node).filter { $0.body.addsUp || $0.body.rateOrigin == .engine }
        var seen = Set(rest.map { ObjectIdentifier($0) })
        while let node = rest.popLast() {
            guard let record = self[node] else { continue }
            let isMixer = node.body.addsUp
            records[ObjectIdentifier(node)]?.inputFormats = record.inputFormats.mapValues { format in
                !isMixer && format.sampleRate == former ? format.at(rate) : format
            }
            let isFollowing = record.outputFormats.values.contains { $0.sampleRate == former }
            guard isFollowing || record.outputFormats.isEmpty else { continue }
            records[ObjectIdentifier(node)]?.outputFormats = record.outputFormats.mapValues { format in
                format.sampleRate == former ? format.at(rate) : format
            }
            for link in record.outputs.values.joined() {
                guard link.destination.body.addsUp else {
                    if seen.insert(ObjectIdentifier(link.destination)).inserted { rest.append(link.destination) }
                    continue
                }
                let format = records[ObjectIdentifier(link.destination)]?.inputFormats[link.destinationBus]
                if let format, format.sampleRate == former {
                    setFormat(format.at(rate), ofInput: link.destinationBus, link.destination)
                }
            }
        }
    }

    /// Returns the path from `start` to `end` along the connections; nil if there is none.
    func path(from start: AudioNode, to end: AudioNode) -> [AudioNode]? {
        var origins: [ObjectIdentifier: AudioNode] = [:]
        var rest = [start]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(start)]
        while let node = rest.popLast() {
            if node === end {
                var path = [node]
                while let origin = origins[ObjectIdentifier(path[0])] { path.insert(origin, at: 0) }
                return path
            }
            for link in (self[node]?.outputs.values).map({ Array($0.joined()) }) ?? []
            where seen.insert(ObjectIdentifier(link.destination)).inserted {
                origins[ObjectIdentifier(link.destination)] = node
                rest.append(link.destination)
            }
        }
        return nil
    }

    /// True if the graph has the same connection.
    func holds(_ link: Link) -> Bool { self[link.destination]?.inputs[link.destinationBus]?.state === link.state }

    /// The nodes without outputs, from which rendering starts: the engine's output, and units that only listen.
    ///
    /// A unit with inputs but no connections has nothing to hear, and is left out.
    var ends: [AudioNode] {
        let ends = records.values.filter { record in
            record.node.numberOfOutputs == 0
                && (record.node === outputNode || record.node.numberOfInputs == 0 || !record.inputs.isEmpty)
        }
        return ends.sorted { $0.place < $1.place }.map(\.node)
    }

    /// The nodes that a tap listens to.
    var tappedNodes: [AudioNode] {
        let nodes = records.values.map(\.node).filter(\.hasTaps).map { soundSource(of: $0) }
        return sorted(nodes)
    }

    /// The nodes from which something leads to the output, to another end or to a tap.
    var activeNodes: [AudioNode] {
        let ends = ends
        let known = Set(ends.map { ObjectIdentifier($0) })
        var active = ends + tappedNodes.filter { !known.contains(ObjectIdentifier($0)) }
        var seen = Set(active.map { ObjectIdentifier($0) })
        var next = 0
        while next < active.count {
            for link in self[active[next]]?.inputs.values.map({ $0 }) ?? []
            where seen.insert(ObjectIdentifier(link.source)).inserted { active.append(link.source) }
            next += 1
        }
        return sorted(active)
    }
}

extension AudioFormat {
    func at(_ rate: Double) -> AudioFormat { AudioFormat(sampleRate: rate, channelCount: channelCount, layout: layout) }
}
