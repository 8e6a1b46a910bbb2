// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Assigns memory to each signal of a plan, and a delay to each connection. Control thread.

import AudioFormats

/// Memory and delays of a plan.
///
/// Signals that are not needed at the same time share channels: a linear scan over the order of the calls.
struct PlanLayout {
    /// For each node, the channel buffers of each output bus; then of each input bus with a sum of its own.
    private(set) var outputs: [[[Int]]]
    private(set) var inputs: [[[Int]]]
    private(set) var bufferCount = 0
    /// The delay of each connection in frames, so that paths meet on one frame.
    private(set) var delays: [Int]
    /// The delay of each node's outputs behind the inputs of the graph, in frames of the driver's clock.
    private(set) var latencies: [Int]
    /// The nodes that may pass a signal on in place.
    let passage: PlanPassage

    init(_ graph: RenderGraph, _ order: GraphOrder) {
        outputs = [[[Int]]](repeating: [], count: graph.nodes.count)
        inputs = outputs
        delays = [Int](repeating: 0, count: graph.connections.count)
        latencies = [Int](repeating: 0, count: graph.nodes.count)
        passage = PlanPassage(graph, order)
        align(graph, order)
        place(graph, order)
    }

    /// Finds the longest path to each node, processors of connections included; signals on shorter paths are delayed.
    ///
    /// Paths are measured in time, independent of the nodes' clocks. Each delay is in whole frames of the connection's clock. A frame before
    /// a node that stretches time is as long as the pace makes it.
    ///
    /// A connection that fades out keeps its delay, and the others no longer wait for it. So they change with the edit, on a frame that no
    /// length of a block moves, and not with the cycle in which the fade has ended.
    private mutating func align(_ graph: RenderGraph, _ order: GraphOrder) {
        // In frames of the driver's clock.
        var times = [Double](repeating: 0, count: graph.nodes.count)
        let lengths = graph.frameLengths
        for part in order.parts where part.kind == .whole || part.kind == .beginning {
            let node = graph.nodes[part.node]
            let length = lengths[node.inputClock ?? node.clock]
            let arrivals = order.incoming[part.node].map { index in
                let connection = graph.connections[index]
                let latency = RenderGraph.possibleTime(connection.latencyFrameCount, length)
                return (index: index, time: times[connection.source.node] + latency)
            }
            let latest = arrivals.reduce(0) { max($0, $1.time) }
            let staying = arrivals.filter { !graph.connections[$0.index].isLeaving }
            let next = staying.isEmpty ? latest : staying.reduce(0) { max($0, $1.time) }
            for (connection, time) in arrivals {
                let meeting = graph.connections[connection].isLeaving ? latest : next
                delays[connection] = Int(nearestFrame: (meeting - time) / length)
            }
            times[part.node] = next + RenderGraph.possibleTime(node.latencyFrameCount, lengths[node.clock])
            latencies[part.node] = Int(nearestFrame: times[part.node])
        }
    }

    private mutating func place(_ graph: RenderGraph, _ order: GraphOrder) {
        var free: [Int] = []
        func take(_ count: Int) -> [Int] {
            (0..<count).map { _ in
                if let buffer = free.popLast() { return buffer }
                bufferCount += 1
                return bufferCount - 1
            }
        }
        var readersLeft = [Int](repeating: 0, count: graph.nodes.count)
        for (index, connection) in graph.connections.enumerated() where order.isActive[connection.destination.node] {
            readersLeft[graph.connections[index].source.node] += 1
        }
        // A signal that a mixer may pass on is kept until the mixer's own readers are done.
        var held = [Int?](repeating: nil, count: graph.nodes.count)
        func release(_ node: Int) {
            free += outputs[node].joined()
            if let source = held[node] { letGo(of: source) }
        }
        func letGo(of source: Int) {
            readersLeft[source] -= 1
            if readersLeft[source] == 0 { release(source) }
        }
        for part in order.parts {
            let node = graph.nodes[part.node]
            if part.kind == .whole || part.kind == .beginning {
                outputs[part.node] = node.outputChannelCounts.map { take($0) }
                if case .render = node.work { inputs[part.node] = node.inputChannelCounts.map { take($0) } }
            }
            guard part.kind == .whole || part.kind == .completion else { continue }
            free += inputs[part.node].joined()
            for connection in order.incoming[part.node] {
                let source = graph.connections[connection].source.node
                if passage.handsOn[part.node] { held[part.node] = source } else { letGo(of: source) }
            }
            if readersLeft[part.node] == 0 { release(part.node) }
        }
    }
}
