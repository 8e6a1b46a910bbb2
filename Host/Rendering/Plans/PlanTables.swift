// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The flat tables of a plan: steps, buses, connections, routes, and the memory of the signals. Render thread.

import AudioFormats
import CRealtimeShims
import Realtime

/// The compiler's output, as arrays without references.
struct PlanTables: ~Copyable {
    let steps: UnsafeMutablePointer<PlanCore.Step>
    let groups: UnsafeMutablePointer<PlanCore.Group>
    let groupCount: Int
    /// For each group, the address of the usual nanoseconds, which its first node keeps.
    let usualNanoseconds: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    let inputs: UnsafeMutablePointer<PlanCore.Input>
    let outputs: UnsafeMutablePointer<PlanCore.Output>
    let edges: UnsafeMutablePointer<PlanCore.Edge>
    let routes: UnsafeMutablePointer<ChannelRoute>
    /// The connections and nodes inside nodes that stand for several.
    let interiorConnections: UnsafeMutablePointer<UnsafeMutablePointer<ConnectionCore>>
    let interiorConnectionCount: Int
    let interiorHistories: UnsafeMutablePointer<UnsafeMutablePointer<NodeHistory.Core>>
    let interiorHistoryCount: Int
    /// The signal of each input and of each output in this cycle.
    let inputSignals: UnsafeMutablePointer<BusAudio>
    let signals: UnsafeMutablePointer<BusAudio>
    /// The channels of a silent signal; then of a signal that has just been delayed.
    let silentChannels: UnsafePointer<UnsafeMutablePointer<Float>>
    let delayedChannels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The gains of the left and the right for each frame of a cycle.
    let gains: UnsafeMutablePointer<Float>
    /// The scratch memory for processors of connections during a call.
    let scratch: UnsafeMutablePointer<Float>
    private let samples: AudioBuffer
    private let special: AudioBuffer
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ graph: RenderGraph, _ order: GraphOrder, _ layout: PlanLayout) {
        let widest = max(1, graph.nodes.flatMap { $0.inputChannelCounts + $0.outputChannelCounts }.max() ?? 1)
        samples = AudioBuffer(channelCount: layout.bufferCount, frameCapacity: graph.maximumFrameCount)
        // One channel of silence, and as many channels of a delayed signal as the widest one has.
        special = AudioBuffer(channelCount: 1 + widest, frameCapacity: graph.maximumFrameCount)
        gains = .allocate(capacity: max(1, 2 * graph.maximumFrameCount))
        let scratchCount = graph.connections.reduce(0) { max($0, $1.state.processor?.scratchBlockCount ?? 0) }
        scratch = .allocate(capacity: max(1, scratchCount * graph.maximumFrameCount))
        var compiler = Compiler(graph, order, layout)
        compiler.compile()
        pointers = .allocate(capacity: max(1, compiler.channels.count + 2 * widest))
        let block = samples.block(frameCount: 0)
        for (index, channel) in compiler.channels.enumerated() { (pointers + index).initialize(to: block[channel]) }
        let extra = special.block(frameCount: 0)
        let silent = pointers + compiler.channels.count
        for channel in 0..<widest {
            (silent + channel).initialize(to: extra[0])
            (silent + widest + channel).initialize(to: extra[1 + channel])
        }
        silentChannels = UnsafePointer(silent)
        delayedChannels = UnsafePointer(silent + widest)
        let base = UnsafePointer(pointers)
        steps = Self.table(compiler.steps)
        groups = Self.table(
            order.groups.map { PlanCore.Group(first: $0.parts.lowerBound, end: $0.parts.upperBound, next: $0.end) })
        groupCount = order.groups.count
        usualNanoseconds = Self.table(
            order.groups.map {
                let part = order.parts[$0.parts.lowerBound]
                let node = graph.nodes[part.node]
                return (node.times ?? node.history).usualNanoseconds(part.kind)
            })
        inputs = Self.table(
            compiler.inputs.map {
                PlanCore.Input(
                    firstEdge: $0.firstEdge, edgeCount: $0.edgeCount, channelCount: $0.channelCount,
                    channels: base + $0.firstChannel)
            })
        outputs = Self.table(
            compiler.outputs.map { PlanCore.Output(channelCount: $0.channelCount, channels: base + $0.firstChannel) })
        edges = Self.table(compiler.edges)
        routes = Self.table(compiler.routes)
        let connections = graph.nodes.flatMap(\.interior.connections).map(\.core)
        let histories = graph.nodes.flatMap(\.interior.histories).map(\.core)
        (interiorConnections, interiorConnectionCount) = (Self.table(connections), connections.count)
        (interiorHistories, interiorHistoryCount) = (Self.table(histories), histories.count)
        inputSignals = Self.table(
            compiler.inputs.map {
                BusAudio(block: AudioBlock(channels: base + $0.firstChannel, channelCount: $0.channelCount, frameCount: 0))
            })
        signals = Self.table(
            compiler.outputs.map {
                BusAudio(block: AudioBlock(channels: base + $0.firstChannel, channelCount: $0.channelCount, frameCount: 0))
            })
    }

    deinit {
        interiorConnections.deallocate()
        interiorHistories.deallocate()
        steps.deallocate()
        groups.deallocate()
        usualNanoseconds.deallocate()
        inputs.deallocate()
        outputs.deallocate()
        edges.deallocate()
        routes.deallocate()
        inputSignals.deallocate()
        signals.deallocate()
        gains.deallocate()
        scratch.deallocate()
        pointers.deallocate()
    }

    private static func table<Row>(_ rows: [Row]) -> UnsafeMutablePointer<Row> {
        let table = UnsafeMutablePointer<Row>.allocate(capacity: max(1, rows.count))
        table.initialize(from: rows, count: rows.count)
        return table
    }

    /// The routes of a connection.
    @_noLocks
    func routes(of edge: PlanCore.Edge) -> ChannelRoutes.Table {
        ChannelRoutes.Table(routes + edge.firstRoute, count: edge.routeCount)
    }

    /// Writes NaN to all signals.
    @_noLocks
    func poison() {
        let block = samples.block(frameCount: samples.frameCapacity)
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount { block[channel][frame] = .nan }
        }
    }
}

extension PlanTables {
    /// Writes the tables of a graph.
    private struct Compiler {
        struct Bus {
            var channelCount: Int
            var firstChannel: Int
            var firstEdge = 0
            var edgeCount = 0
        }

        let graph: RenderGraph
        let order: GraphOrder
        let layout: PlanLayout
        var steps: [PlanCore.Step] = []
        var inputs: [Bus] = []
        var outputs: [Bus] = []
        var edges: [PlanCore.Edge] = []
        var routes: [ChannelRoute] = []
        /// The channel buffers of all buses, one bus after the other.
        var channels: [Int] = []
        private var firstRoutes: [RouteKey: (first: Int, count: Int)] = [:]
        private var places: [(firstInput: Int, firstOutput: Int)]

        init(_ graph: RenderGraph, _ order: GraphOrder, _ layout: PlanLayout) {
            self.graph = graph
            self.order = order
            self.layout = layout
            places = [(Int, Int)](repeating: (0, 0), count: graph.nodes.count)
        }

        mutating func compile() {
            for part in order.parts {
                if part.kind == .whole || part.kind == .beginning { place(part.node) }
                addStep(part)
            }
        }

        private mutating func place(_ node: Int) {
            places[node] = (inputs.count, outputs.count)
            let description = graph.nodes[node]
            for (bus, count) in description.outputChannelCounts.enumerated() {
                outputs.append(Bus(channelCount: count, firstChannel: channels.count))
                channels += layout.outputs[node][bus]
            }
            // The connections of a node's buses in their order: the sum stays the same to the last bit.
            var edgesOfBuses = [[Int]](repeating: [], count: description.inputChannelCounts.count)
            for connection in order.incoming[node] {
                edgesOfBuses[graph.connections[connection].destination.bus].append(connection)
            }
            for (bus, count) in description.inputChannelCounts.enumerated() {
                var input = Bus(
                    channelCount: count, firstChannel: channels.count, firstEdge: edges.count, edgeCount: edgesOfBuses[bus].count)
                if case .mix = description.work { input.channelCount = description.outputChannelCounts[0] }
                if case .render = description.work { channels += layout.inputs[node][bus] }
                let layout = if case .mix = description.work { description.outputLayouts[0] } else { description.inputLayouts[bus] }
                for connection in edgesOfBuses[bus] { addEdge(connection, channelCount: input.channelCount, layout) }
                inputs.append(input)
            }
        }

        private mutating func addEdge(_ index: Int, channelCount: Int, _ channelLayout: ChannelLayout?) {
            let connection = graph.connections[index]
            let source = graph.nodes[connection.source.node]
            let sourceCount = source.outputChannelCounts[connection.source.bus]
            let delay = layout.delays[index]
            let memory =
                delay > 0 || connection.state.hasMemory
                ? connection.state.memory(
                    channelCount: sourceCount, delayFrameCount: delay, maximumFrameCount: graph.maximumFrameCount)
                : nil
            let (first, count) = routes(
                RouteKey(
                    sourceCount: sourceCount, sourceLayout: source.outputLayouts[connection.source.bus], count: channelCount,
                    layout: channelLayout))
            edges.append(
                PlanCore.Edge(
                    source: places[connection.source.node].firstOutput + connection.source.bus, sourceHistory: source.history.core,
                    core: connection.state.core, processor: processor(connection, sourceCount, channelCount),
                    isLeaving: connection.isLeaving, delayFrameCount: delay, memory: memory,
                    firstRoute: first, routeCount: count))
        }

        private func processor(
            _ connection: RenderGraph.Connection, _ sourceCount: Int, _ channelCount: Int
        ) -> ConnectionFunction? {
            let destination = graph.nodes[connection.destination.node]
            let rate = graph.clocks[destination.inputClock ?? destination.clock].sampleRate
            let shape = ConnectionShape(
                sourceChannelCount: sourceCount, channelCount: channelCount, sampleRate: rate,
                maximumFrameCount: graph.maximumFrameCount,
                sourceLayout: graph.nodes[connection.source.node].outputLayouts[connection.source.bus])
            return connection.state.processor.map { ConnectionFunction($0, for: shape) }
        }

        /// The routes for a key, which serve all connections with the same channels.
        private mutating func routes(_ key: RouteKey) -> (first: Int, count: Int) {
            if let known = firstRoutes[key] { return known }
            let new = ChannelMap.routes(from: key.sourceCount, key.sourceLayout, to: key.count, key.layout)
            defer { routes += new }
            firstRoutes[key] = (routes.count, new.count)
            return (routes.count, new.count)
        }

        private mutating func addStep(_ part: NodePart) {
            let node = graph.nodes[part.node]
            let place = places[part.node]
            var function: RenderNode.Function?
            var context: UnsafeMutableRawPointer?
            var mixer: UnsafeMutablePointer<MixerLevel.Core>?
            var sum: UnsafeMutableRawPointer?
            var finish: MixerSum.Function?
            switch node.work {
            case .render(let node): (function, context, sum) = (node.function(part.kind), node.renderContext, node.sumContext)
            case .mix(let level, let mixerSum): (mixer, sum, finish) = (level.core, mixerSum?.sumContext, mixerSum?.finishFunction)
            }
            steps.append(
                PlanCore.Step(
                    isFirst: part.kind == .whole || part.kind == .beginning,
                    isLast: part.kind == .whole || part.kind == .completion, function: function, context: context, mixer: mixer,
                    sum: sum, finish: finish, history: node.history.core, handsOn: layout.passage.handsOn[part.node],
                    fillsDriver: layout.passage.fillsDriver[part.node], clock: node.clock,
                    inputClock: node.inputClock ?? node.clock,
                    firstInput: place.firstInput, inputCount: node.inputChannelCounts.count, firstOutput: place.firstOutput,
                    outputCount: node.outputChannelCounts.count))
        }
    }
}

/// The channels and layouts of two buses, for which the routes are the same.
private struct RouteKey: Hashable {
    let sourceCount: Int
    let sourceLayout: ChannelLayout?
    let count: Int
    let layout: ChannelLayout?
}
