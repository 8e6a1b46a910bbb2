// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The latencies that a plan was compiled for, and whether they are still those of its nodes and connections. Any thread but the render thread.

import Rendering

/// The latency of a node or of a connection's processor, or the pace by which latencies before it count, as the plan has it and as it is now.
struct PlannedLatency {
    private enum Origin {
        case node(any PlannedOwner)
        case processor(any ConnectionProcessor)
        case pace(TimePace, rate: Double)
    }

    private let origin: Origin
    private let frameCount: Int

    /// Returns nil for a node whose latency stays.
    init?(_ node: RenderGraph.Node) {
        guard let owner = node.plannedOwner, owner.hasChangingLatency else { return nil }
        (origin, frameCount) = (.node(owner), node.latencyFrameCount)
    }

    /// Returns nil for a connection without a processor.
    init?(_ connection: RenderGraph.Connection) {
        guard let processor = connection.state.processor else { return nil }
        (origin, frameCount) = (.processor(processor), connection.latencyFrameCount)
    }

    /// Makes the latency of a pace, which has nodes with latencies before it.
    init(_ pace: TimePace) { (origin, frameCount) = (.pace(pace, rate: pace.rate), 0) }

    /// True if the plan aligns its paths for another latency than the present one.
    var isOutdated: Bool {
        switch origin {
        case .node(let owner): owner.latencyFrameCount != frameCount
        case .processor(let processor): processor.latencyFrameCount != frameCount
        case .pace(let pace, let rate): pace.rate != rate
        }
    }
}

extension RenderGraph {
    /// The latencies that may change while a plan holds the graph.
    var changingLatencies: [PlannedLatency] {
        nodes.compactMap { PlannedLatency($0) } + connections.compactMap { PlannedLatency($0) }
            + latePaces.map { PlannedLatency($0) }
    }

    /// The paces that nodes or connections with a latency follow.
    private var latePaces: [TimePace] {
        let lateNodes = nodes.filter { $0.latencyFrameCount > 0 }.map(\.clock)
        let lateConnections = connections.filter { $0.latencyFrameCount > 0 }.map { nodes[$0.source.node].clock }
        var followed: Set<Int> = []
        for var clock in lateNodes + lateConnections {
            while clock != 0, followed.insert(clock).inserted { clock = clocks[clock].base }
        }
        return followed.sorted().compactMap { clocks[$0].pace }
    }
}
