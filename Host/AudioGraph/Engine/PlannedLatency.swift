// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The latencies that a plan was compiled for, and whether they are still those of its nodes and connections. Any thread but the render thread.

import Rendering

/// The latency of a node or of a connection's processor, as the plan has it and as it is now.
struct PlannedLatency {
    private enum Origin {
        case node(any PlannedOwner)
        case processor(any ConnectionProcessor)
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

    /// True if the plan aligns its paths for another latency than the present one.
    var isOutdated: Bool {
        switch origin {
        case .node(let owner): owner.latencyFrameCount != frameCount
        case .processor(let processor): processor.latencyFrameCount != frameCount
        }
    }
}

extension RenderGraph {
    /// The latencies that may change while a plan holds the graph.
    var changingLatencies: [PlannedLatency] {
        nodes.compactMap { PlannedLatency($0) } + connections.compactMap { PlannedLatency($0) }
    }
}
