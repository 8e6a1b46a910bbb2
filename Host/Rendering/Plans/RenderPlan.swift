// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A compiled plan, and what it keeps alive. Control thread.

import Synchronization

/// A compiled plan: immutable, and owner of all that rendering it uses.
public final class RenderPlan: @unchecked Sendable {
    // SAFETY: after init only the core's working memory changes, and one render thread at a time uses that.
    let core: UnsafeMutablePointer<PlanCore>
    /// The number under which the plan was handed over last; 0 before.
    let serial: UnsafeMutablePointer<Atomic<UInt64>>
    /// The graph, whose nodes and states the core uses.
    public let graph: RenderGraph
    /// The frames of the driver's clock by which each node's outputs lag behind the inputs of the graph; by the node's index.
    public let latencies: [Int]
    /// The frames by which each connection is delayed; by the connection's index.
    public let delays: [Int]
    /// Whether something leads from each node to a sink; by the node's index.
    public let activeNodes: [Bool]

    /// Compiles a graph.
    ///
    /// The time grows as nodes and connections do. Throws `cycle` where nodes feed each other, and `clocks` where a connection joins two clocks. With `poisonsMemory` all memory is NaN
    /// at the beginning of each cycle: a signal that nothing has written is heard.
    public init(_ graph: RenderGraph, poisonsMemory: Bool = false) throws(RenderGraphError) {
        for (index, connection) in graph.connections.enumerated() {
            let destination = graph.nodes[connection.destination.node]
            guard graph.nodes[connection.source.node].clock == destination.inputClock ?? destination.clock else {
                throw .clocks(index)
            }
        }
        let order = try GraphOrder(graph)
        let layout = PlanLayout(graph, order)
        self.graph = graph
        (latencies, delays, activeNodes) = (layout.latencies, layout.delays, order.isActive)
        core = .allocate(capacity: 1)
        core.initialize(to: PlanCore(graph, order, layout, poisonsMemory: poisonsMemory))
        serial = core.pointee.serial
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The frames by which what is played lags behind the inputs: at the output, or at the nodes without outputs.
    public var latencyFrameCount: Int {
        if let output = graph.output { return latencies[output] }
        return graph.nodes.indices.reduce(0) { graph.nodes[$1].outputChannelCounts.isEmpty ? max($0, latencies[$1]) : $0 }
    }

    /// The longest cycle in frames, by every clock; a longer one is rendered in pieces.
    public var maximumFrameCount: Int { graph.maximumFrameCount }

    /// Whether every connection that leaves has faded out.
    public var hasFaded: Bool { graph.connections.allSatisfy { !$0.isLeaving || $0.state.isInaudible } }
}
