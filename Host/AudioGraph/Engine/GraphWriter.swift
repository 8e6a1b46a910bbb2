// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the engine's graph as a render graph, from which a plan is compiled. Any thread but the render thread.

import RateConversion
import Rendering

/// Writes one graph: the audible nodes, and the connections among them, leaving ones included.
struct GraphWriter {
    private let engine: AudioFormat
    private let next: NextPlan
    private let state: GraphState
    private var graph: RenderGraph
    private var indices: [ObjectIdentifier: Int] = [:]
    /// The nodes of sources' own speeds, the converter nodes, and the clocks by their rates.
    private var speeds: [ObjectIdentifier: Int] = [:]
    private var converters: [ObjectIdentifier: Int] = [:]
    private var clocks: [ClockKey: Int] = [:]
    /// The time effects whose pace the nodes follow, by the nodes' indices.
    private var domains: [Int: AudioNode] = [:]
    /// The clocks at the pace of time effects.
    private var paced: [ObjectIdentifier: Int] = [:]
    private let quality: RateQuality
    /// The connections that fade out, by the node that they lead to.
    private var leaving: [ObjectIdentifier: [GraphState.Link]] = [:]

    private struct ClockKey: Hashable {
        let rate: Double
        let effect: ObjectIdentifier?
    }

    /// Writes `next`, with the engine's format, for a player in `environment`.
    init(_ next: NextPlan, _ format: AudioFormat, _ environment: RenderEnvironment, quality: RateQuality) {
        engine = format.at(environment.sampleRate)
        (self.next, state, self.quality) = (next, next.graph, quality)
        graph = RenderGraph(maximumFrameCount: environment.maximumFrameCount)
        graph.fadeFrameCount = next.isFaded ? environment.fadeFrameCount : 0
        graph.clocks = [RenderGraph.Clock(sampleRate: engine.sampleRate)]
        clocks[ClockKey(rate: engine.sampleRate, effect: nil)] = 0
        for link in next.leaving { leaving[ObjectIdentifier(link.destination), default: []].append(link) }
    }

    /// Goes upstream from the output and the other ends.
    consuming func write() -> RenderGraph {
        var rest = ends
        for end in rest { add(end) }
        var tapped = state.tappedNodes.filter { $0.body.work != nil }
        var place = 0
        while true {
            if place == rest.count {
                // Some nodes are heard by a tap alone, and lead to no other tapped node.
                tapped.removeAll { indices[ObjectIdentifier($0)] != nil }
                guard let node = state.mostDownstream(of: tapped) else { break }
                add(node)
                rest.append(node)
            }
            let node = rest[place]
            place += 1
            for (link, hasLeft) in links(to: node) {
                let fate = hasLeft ? .leaves : next.fate(of: link)
                if case .isGone = fate { continue }
                if indices[ObjectIdentifier(link.source)] == nil {
                    guard link.source.body.work != nil else { continue }
                    add(link.source, in: domain(upstreamOf: node))
                    rest.append(link.source)
                }
                if case .leaves = fate { connect(link, isLeaving: true) } else { connect(link, isLeaving: false) }
            }
        }
        for node in rest { addTaps(of: node) }
        return graph
    }

    /// The nodes from which rendering starts, and those to which a connection still fades out.
    private var ends: [AudioNode] {
        let former = leaving.values.compactMap(\.first?.destination).filter { $0.numberOfOutputs == 0 }
        let present = state.ends
        let known = Set(present.map { ObjectIdentifier($0) })
        return (present + former.filter { !known.contains(ObjectIdentifier($0)) }).filter { node in
            guard node.body.work != nil else { return false }
            if node === state.outputNode || node.numberOfInputs == 0 { return true }
            return links(to: node).contains { link, hasLeft in
                if hasLeft { return true }
                if case .isGone = next.fate(of: link) { return false }
                return true
            }
        }
    }

    private func record(of node: AudioNode) -> GraphState.Record {
        state[node] ?? next.departed[ObjectIdentifier(node)] ?? GraphState.Record(node: node, place: 0)
    }

    /// Returns the connections to a node, in the order of its buses; leaving ones come last.
    private func links(to node: AudioNode) -> [(GraphState.Link, Bool)] {
        let inputs = state[node]?.inputs ?? [:]
        let links = inputs.keys.sorted().compactMap { inputs[$0] }
        return links.map { ($0, false) } + (leaving[ObjectIdentifier(node)] ?? []).map { ($0, true) }
    }

    /// Returns the time effect whose pace the nodes before `node` follow.
    private func domain(upstreamOf node: AudioNode) -> AudioNode? {
        node.body.pace != nil ? node : indices[ObjectIdentifier(node)].flatMap { domains[$0] }
    }

    private mutating func add(_ node: AudioNode, in domain: AudioNode? = nil) {
        guard let work = node.body.work else { return }
        let record = record(of: node)
        var inputs = [1]
        if case .render = work {
            inputs = (0..<node.numberOfInputs).map {
                node.body.inputChannelCount(of: $0) ?? channelCount(record, $0, isInput: true)
            }
        }
        if node === state.outputNode { graph.output = graph.nodes.count }
        indices[ObjectIdentifier(node)] = graph.nodes.count
        graph.nodes.append(
            RenderGraph.Node(
                work, inputChannelCounts: inputs,
                outputChannelCounts: (0..<node.numberOfOutputs).map {
                    node.body.outputChannelCount(of: $0) ?? channelCount(record, $0, isInput: false)
                },
                latencyFrameCount: node.latencyFrameCount, history: node.history, owner: node,
                isSink: node.numberOfOutputs == 0))
        for (bus, format) in record.inputFormats { graph.nodes[graph.nodes.count - 1].inputLayouts[bus] = format.layout }
        for bus in 0..<node.numberOfOutputs {
            graph.nodes[graph.nodes.count - 1].outputLayouts[bus] =
                AudioEngine.busFormat(of: record, bus, isInput: false, engine).layout
        }
        let (index, rate) = (graph.nodes.count - 1, AudioEngine.sampleRate(of: record, engine))
        domains[index] = domain
        graph.nodes[index].clock = clock(rate, domain)
        if let speed = node.speed {
            graph.clocks.append(RenderGraph.Clock(sampleRate: rate, base: graph.nodes[index].clock, pace: speed.pace))
            graph.nodes[index].clock = graph.clocks.count - 1
        }
        guard let pace = node.body.pace else { return }
        let key = ClockKey(rate: rate, effect: ObjectIdentifier(node))
        clocks[key] = graph.clocks.count
        paced[ObjectIdentifier(node)] = graph.clocks.count
        graph.nodes[index].inputClock = graph.clocks.count
        graph.clocks.append(RenderGraph.Clock(sampleRate: rate, base: graph.nodes[index].clock, pace: pace))
    }

    private mutating func clock(_ rate: Double, _ domain: AudioNode?) -> Int {
        let key = ClockKey(rate: rate, effect: domain.map { ObjectIdentifier($0) })
        if let clock = clocks[key] { return clock }
        clocks[key] = graph.clocks.count
        graph.clocks.append(RenderGraph.Clock(sampleRate: rate, base: domain.flatMap { paced[ObjectIdentifier($0)] } ?? 0))
        return graph.clocks.count - 1
    }

    /// Returns an output bus at another clock: behind a converter, if it has to be converted.
    ///
    /// Nil without a converter; `makeConverters` has made one for every bus that needs it.
    private mutating func bus(_ output: RenderGraph.Bus, of node: AudioNode, at clock: Int) -> RenderGraph.Bus? {
        guard let source = atSpeed(output, of: node) else { return nil }
        let own = graph.nodes[source.node].clock
        // No converter exists between two paces: such a graph has no plan.
        guard own != clock, graph.pace(ofClock: own) === graph.pace(ofClock: clock) else { return source }
        let key = ConnectedConverter.Key(
            bus: output.bus, from: graph.clocks[own].sampleRate, to: graph.clocks[clock].sampleRate,
            channelCount: graph.nodes[source.node].outputChannelCounts[source.bus],
            maximumFrameCount: graph.maximumFrameCount, quality: quality, driverRate: engine.sampleRate)
        guard let converter = node.converter(key) else { return nil }
        if let known = converters[ObjectIdentifier(converter)] { return RenderGraph.Bus(node: known) }
        converters[ObjectIdentifier(converter)] = graph.nodes.count
        let index = graph.nodes.count
        graph.connections.append(
            RenderGraph.Connection(from: source, to: RenderGraph.Bus(node: index), state: converter.connection))
        graph.nodes.append(
            RenderGraph.Node(
                .render(converter.node), inputChannelCounts: [key.channelCount], outputChannelCounts: [key.channelCount],
                latencyFrameCount: converter.node.latencyFrameCount, history: converter.history, owner: converter))
        (graph.nodes[index].clock, graph.nodes[index].inputClock) = (clock, own)
        return RenderGraph.Bus(node: index)
    }

    /// Returns an output bus at the pace of what it leads to: behind the node of the source's own speed, if it has one.
    ///
    /// Nil without the node; `makeConverters` has made one for every bus that needs it.
    private mutating func atSpeed(_ output: RenderGraph.Bus, of node: AudioNode) -> RenderGraph.Bus? {
        let clock = graph.nodes[output.node].clock
        // The plan may be older than the speed.
        guard let speed = node.speed, graph.clocks[clock].pace === speed.pace else { return output }
        let channelCount = graph.nodes[output.node].outputChannelCounts[output.bus]
        guard
            let connected = speed.node(
                bus: output.bus, channelCount: channelCount, maximumFrameCount: graph.maximumFrameCount)
        else { return nil }
        if let known = speeds[ObjectIdentifier(connected)] { return RenderGraph.Bus(node: known) }
        let index = graph.nodes.count
        speeds[ObjectIdentifier(connected)] = index
        graph.connections.append(
            RenderGraph.Connection(from: output, to: RenderGraph.Bus(node: index), state: connected.connection))
        graph.nodes.append(
            RenderGraph.Node(
                .render(connected.node), inputChannelCounts: [channelCount], outputChannelCounts: [channelCount],
                latencyFrameCount: connected.node.latencyFrameCount, history: connected.history, owner: connected))
        (graph.nodes[index].clock, graph.nodes[index].inputClock) = (graph.clocks[clock].base, clock)
        return RenderGraph.Bus(node: index)
    }

    private mutating func addTaps(of node: AudioNode) {
        // A program that taps the input gets the processed voice.
        let tapped = state.visible(node)
        guard state.soundSource(of: node) === node else { return }
        let taps = tapped.taps.withLock { $0 }
        guard !taps.isEmpty, let index = indices[ObjectIdentifier(node)] else { return }
        for tap in taps where tap.bus < graph.nodes[index].outputChannelCounts.count {
            let clock = clock(tap.format.sampleRate, domains[index])
            guard let source = bus(RenderGraph.Bus(node: index, bus: tap.bus), of: node, at: clock) else { continue }
            graph.connections.append(
                RenderGraph.Connection(from: source, to: RenderGraph.Bus(node: graph.nodes.count), state: tap.connection))
            graph.nodes.append(
                RenderGraph.Node(
                    .render(tap.source), inputChannelCounts: [tap.format.channelCount], outputChannelCounts: [],
                    history: tap.history, owner: tap, isSink: true))
            graph.nodes[graph.nodes.count - 1].clock = clock
        }
    }

    private func channelCount(_ record: GraphState.Record, _ bus: Int, isInput: Bool) -> Int {
        AudioEngine.busFormat(of: record, bus, isInput: isInput, engine).channelCount
    }

    private mutating func connect(_ link: GraphState.Link, isLeaving: Bool) {
        guard let source = indices[ObjectIdentifier(link.source)], let destination = indices[ObjectIdentifier(link.destination)]
        else { return }
        // A mixer adds up all its inputs on one bus.
        let inputBus = link.destination.body.addsUp ? 0 : link.destinationBus
        let output = RenderGraph.Bus(node: source, bus: link.sourceBus)
        guard let output = bus(output, of: link.source, at: graph.nodes[destination].inputClock ?? graph.nodes[destination].clock)
        else { return }
        graph.connections.append(
            RenderGraph.Connection(
                from: output, to: RenderGraph.Bus(node: destination, bus: inputBus), state: link.state, isLeaving: isLeaving))
    }
}
