// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Signals that share memory: none is read before it is written, or after it has been written over. Test thread.

import Realtime
import TestSupport
import Testing

@testable import Rendering

@Suite struct MemoryTests {
    /// A graph of sources, units and mixers, whose connections lead from earlier nodes to later ones.
    private static func graph(_ random: inout some RandomNumberGenerator) -> RenderGraph {
        var graph = RenderGraph(maximumFrameCount: 64)
        let count = Int.random(in: 4...40, using: &random)
        for index in 0..<count {
            let isMixer = index > 2 && Bool.random(using: &random)
            let latency = Int.random(in: 0...5, using: &random) == 0 ? Int.random(in: 1...100, using: &random) : 0
            graph.nodes.append(
                isMixer
                    ? RenderGraph.Node(.mix(MixerLevel()), inputChannelCounts: [1], outputChannelCounts: [1])
                    : RenderGraph.Node(
                        .render(Constant(Float(index + 1))), inputChannelCounts: [], outputChannelCounts: [1],
                        latencyFrameCount: latency))
            guard isMixer else { continue }
            for _ in 0..<Int.random(in: 1...5, using: &random) { connect(Int.random(in: 0..<index, using: &random), index, &graph) }
        }
        graph.nodes.append(
            RenderGraph.Node(.render(DriverOutput()), inputChannelCounts: [1], outputChannelCounts: [], isSink: true))
        connect(count - 1, count, &graph)
        return graph
    }

    private static func connect(_ source: Int, _ destination: Int, _ graph: inout RenderGraph) {
        graph.connections.append(
            RenderGraph.Connection(from: RenderGraph.Bus(node: source), to: RenderGraph.Bus(node: destination)))
    }

    /// What each node puts out once all delays are full: counted by hand, with memory of its own for each node.
    private static func values(_ graph: RenderGraph) -> [Float] {
        graph.nodes.indices.reduce(into: []) { values, node in
            guard case .mix = graph.nodes[node].work else { return values.append(Float(node + 1)) }
            values.append(graph.connections.filter { $0.destination.node == node }.reduce(0) { $0 + values[$1.source.node] })
        }
    }

    /// With all memory NaN at the beginning of each cycle, a signal in the wrong place could not be missed.
    @Test func everySignalIsReadWhereItWasWritten() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let graph = Self.graph(&random)
            let player = PlanPlayer()
            player.play(try RenderPlan(graph, poisonsMemory: true))
            let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
            var last: Float = 0
            // The longest way may be late by a hundred frames at each of its nodes.
            for _ in 0..<70 { last = driver.render(frameCount: 64)[0][63] }
            let wanted = Self.values(graph)[graph.nodes.count - 2]
            #expect(abs(last - wanted) <= wanted * 1e-5, "seed \(seed): \(last) for \(wanted)")
        }
    }

    /// The control: a node that leaves its output as it was is heard as NaN.
    @Test func poisonIsHeard() throws {
        var graph = RenderGraph(maximumFrameCount: 64)
        graph.nodes = [
            RenderGraph.Node(.render(Idle()), inputChannelCounts: [], outputChannelCounts: [1]),
            RenderGraph.Node(.render(DriverOutput()), inputChannelCounts: [1], outputChannelCounts: [], isSink: true),
        ]
        Self.connect(0, 1, &graph)
        let player = PlanPlayer()
        player.play(try RenderPlan(graph, poisonsMemory: true))
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        #expect(driver.render(frameCount: 64)[0][63].isNaN)
    }
}

/// Writes nothing.
private final class Idle: RenderNode {
    var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    var renderFunction: Function { { _, _ in } }
}
