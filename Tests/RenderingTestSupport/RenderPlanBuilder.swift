// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Builds a graph of nodes with one signal each. Test thread.

import Rendering

/// An audio signal inside a plan: the output of one node.
package struct Signal: Hashable, Sendable {
    let index: Int
}

/// Builds a plan, node by node, in the order of execution.
///
/// `[control]` throughout.
package struct RenderPlanBuilder {
    private let channelCount: Int
    private var graph: RenderGraph

    /// Makes an empty plan.
    ///
    /// Every signal has `channelCount` channels. A cycle has at most `maximumFrameCount` frames.
    package init(channelCount: Int, maximumFrameCount: Int) {
        self.channelCount = channelCount
        graph = RenderGraph(maximumFrameCount: maximumFrameCount)
    }

    /// Adds a node that reads the driver's inputs, or nothing.
    package mutating func add(source node: any RenderNode) -> Signal { add(.render(node), node.latencyFrameCount) }

    /// Adds a node that reads `signal`, also at further inputs if they have channels.
    package mutating func add(_ node: any RenderNode, after signal: Signal, sideChannelCounts: [Int] = []) -> Signal {
        let new = add(.render(node), node.latencyFrameCount, inputCount: 1)
        graph.nodes[new.index].inputChannelCounts += sideChannelCounts
        for (bus, count) in ([channelCount] + sideChannelCounts).enumerated() where count > 0 {
            graph.connections.append(
                RenderGraph.Connection(from: RenderGraph.Bus(node: signal.index), to: RenderGraph.Bus(node: new.index, bus: bus)))
        }
        return new
    }

    /// Adds a mixer of `signals`, each with its own level.
    ///
    /// Signals beyond the mixer's strips are omitted.
    package mutating func add(_ mixer: Mixer, of signals: [Signal]) -> Signal {
        let new = add(.mix(mixer.level), 0, inputCount: signals.count)
        for (bus, (signal, strip)) in zip(signals, mixer.connections).enumerated() {
            graph.connections.append(
                RenderGraph.Connection(
                    from: RenderGraph.Bus(node: signal.index), to: RenderGraph.Bus(node: new.index, bus: bus), state: strip))
        }
        return new
    }

    /// Completes the plan; the driver plays `signal`.
    ///
    /// A node is rendered even if nothing reads its signal.
    package mutating func plan(output signal: Signal) -> RenderPlan {
        var graph = graph
        // Every added node is rendered, for example a tap at the end of a branch.
        let read = Set(graph.connections.map(\.source.node))
        for node in graph.nodes.indices where node != signal.index && !read.contains(node) { graph.nodes[node].isSink = true }
        graph.nodes.append(
            RenderGraph.Node(
                .render(DriverOutput()), inputChannelCounts: [channelCount], outputChannelCounts: [], isSink: true))
        graph.connections.append(
            RenderGraph.Connection(
                from: RenderGraph.Bus(node: signal.index), to: RenderGraph.Bus(node: graph.nodes.count - 1)))
        do throws(RenderGraphError) {
            return try RenderPlan(graph)
        } catch {
            // A signal depends only on earlier ones.
            preconditionFailure("\(error)")
        }
    }

    private mutating func add(_ work: RenderGraph.Work, _ latencyFrameCount: Int, inputCount: Int = 0) -> Signal {
        graph.nodes.append(
            RenderGraph.Node(
                work, inputChannelCounts: [Int](repeating: channelCount, count: inputCount), outputChannelCounts: [channelCount],
                latencyFrameCount: latencyFrameCount))
        return Signal(index: graph.nodes.count - 1)
    }
}
