// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A compiled plan, and the objects that it keeps alive. Control thread.

import Synchronization

/// A compiled plan: immutable, and the owner of everything that rendering it uses.
public final class RenderPlan: @unchecked Sendable {
    // SAFETY: after init only the core's working memory changes, and one render thread at a time uses that.
    let core: UnsafeMutablePointer<PlanCore>
    /// The number of the plan at its last hand-over; 0 before.
    let serial: UnsafeMutablePointer<Atomic<UInt64>>
    /// The graph, whose nodes and states the core uses.
    public let graph: RenderGraph
    /// The delay of each node's outputs behind the inputs of the graph, in frames of the driver's clock; by the node's index.
    public let latencies: [Int]
    /// The delay of each connection in frames; by the connection's index.
    public let delays: [Int]
    /// True if a path leads from a node to a sink; by the node's index.
    public let activeNodes: [Bool]

    /// Compiles a graph.
    ///
    /// The time is linear in nodes and connections. Throws `cycle` if nodes feed each other, and `clocks` if a connection joins
    /// two clocks. With `poisonsMemory` all memory is NaN at the beginning of each cycle, so that an unwritten signal is heard.
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

    /// The delay of the output, or of the nodes without outputs, behind the inputs, in frames.
    public var latencyFrameCount: Int {
        if let output = graph.output { return latencies[output] }
        return graph.nodes.indices.reduce(0) { graph.nodes[$1].outputChannelCounts.isEmpty ? max($0, latencies[$1]) : $0 }
    }

    /// The longest cycle in frames, by every clock; a longer one is rendered in pieces.
    public var maximumFrameCount: Int { graph.maximumFrameCount }

    /// True if every connection that leaves has faded out.
    public var hasFaded: Bool { graph.connections.allSatisfy { !$0.isLeaving || $0.state.isInaudible } }
}
