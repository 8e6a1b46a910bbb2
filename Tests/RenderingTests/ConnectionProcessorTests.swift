// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a connection's processor is called with, and what the compiler knows of it. Test thread.

import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct ConnectionProcessorTests {
    private func sample(_ seed: Int, _ channel: Int, _ frame: Int) -> Float {
        frame < 0 ? 0 : Noise.sample(seed: seed, channel: channel, frame: frame)
    }

    private func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
        left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
    }

    /// One source that leads to a mixer twice: through a processor, and directly.
    private func parallel(_ processor: DelayingProcessor) -> RenderGraph {
        var graph = RenderGraph(maximumFrameCount: 4096)
        let source = graph.add(.render(NoiseNode(seed: 1)))
        let mixer = graph.add(.mix(MixerLevel()), inputs: [2, 2])
        graph.connect(source, to: mixer, ConnectionState(mixing: MixingState(), processor: processor))
        graph.connect(source, to: mixer, bus: 1, ConnectionState(mixing: MixingState()))
        graph.play(mixer)
        return graph
    }

    @Test func aParallelConnectionIsDelayedByTheLatencyOfAProcessor() throws {
        let wanted = (0..<2).map { channel in (0..<3000).map { frame in 2 * sample(1, channel, frame - 100) } }
        for blocks in cuts(of: 3000) {
            let graph = parallel(DelayingProcessor(100))
            let plan = try RenderPlan(graph)
            #expect(plan.delays == [0, 100, 0] && plan.latencyFrameCount == 100)
            #expect(isSame(try render([(graph, 3000)], inBlocksOf: blocks), wanted), "in blocks of \(blocks)")
        }
    }

    @Test func aProcessorGetsTheVolumeAsItGlides() throws {
        let wanted = try glide { ConnectionState(mixing: $0) }
        let heard = try glide { ConnectionState(mixing: $0, processor: DelayingProcessor(0)) }
        #expect(isSame(wanted, heard) && wanted[0][1500] != 0)
    }

    private func glide(_ state: (MixingState) -> ConnectionState) throws -> [[Float]] {
        let mixing = MixingState()
        var graph = RenderGraph(maximumFrameCount: 4096)
        let source = graph.add(.render(NoiseNode(seed: 1)))
        let mixer = graph.add(.mix(MixerLevel()), inputs: [2])
        graph.connect(source, to: mixer, state(mixing))
        graph.play(mixer)
        return try render([(graph, 1024), (graph, 1024)], inBlocksOf: [64]) { if $0 > 0 { mixing.volume = 0.25 } }
    }

    @Test func aProcessorIsHeardToItsEndAfterItsSourceFellSilent() throws {
        for blocks in cuts(of: 4096) {
            var graph = RenderGraph(maximumFrameCount: 4096)
            let source = graph.add(.render(NoiseNode(seed: 3, until: 512)))
            let mixer = graph.add(.mix(MixerLevel()), inputs: [2])
            graph.connect(source, to: mixer, ConnectionState(mixing: MixingState(), processor: DelayingProcessor(1000, latency: 0)))
            graph.play(mixer)
            let heard = try render([(graph, 4096)], inBlocksOf: blocks)
            let wanted = (0..<2).map { channel in
                (0..<4096).map { frame in (1000..<1512).contains(frame) ? sample(3, channel, frame - 1000) : 0 }
            }
            #expect(isSame(heard, wanted), "in blocks of \(blocks)")
        }
    }

    /// A branch comes, goes and leads elsewhere beside a connection whose processor remembers much.
    @Test func whatAProcessorKnowsLivesOnThroughEdits() throws {
        for blocks in cuts(of: 8192) {
            let edited = try remembered(isEdited: true, blocks)
            #expect(isSame(edited, try remembered(isEdited: false, blocks)), "in blocks of \(blocks)")
            #expect(edited[0][8191] == sample(1, 0, 8191 - 700))
        }
    }

    private func remembered(isEdited: Bool, _ blocks: [Int]) throws -> [[Float]] {
        let (source, other) = (NoiseNode(seed: 1), NoiseNode(seed: 2))
        let (level, sourceHistory) = (MixerLevel(), NodeHistory())
        let processor = DelayingProcessor(700)
        let state = ConnectionState(mixing: MixingState(), processor: processor)
        let (end, branch) = (ConnectionState.standing(), ConnectionState())
        let stages = (0..<4).map { stage -> (RenderGraph, Int) in
            var graph = RenderGraph(maximumFrameCount: isEdited ? 4096 << (stage % 2) : 4096)
            graph.fadeFrameCount = 1200
            let heard = graph.add(.render(source))
            graph.nodes[heard].history = sourceHistory
            let mixer = graph.add(.mix(level), inputs: [2])
            graph.connect(heard, to: mixer, state)
            graph.play(mixer, over: end)
            if isEdited, stage > 0 {
                let beside = graph.add(.render(other))
                let sink = graph.add(.render(Constant(0)), inputs: [2, 2], outputs: [], isSink: true)
                graph.connect(beside, to: sink, branch, isLeaving: stage == 3)
                if stage == 2 { graph.connect(heard, to: sink, bus: 1, ConnectionState()) }
            }
            return (graph, 2048)
        }
        let heard = try render(stages, inBlocksOf: blocks)
        #expect(processor.core.pointee.resetCount == 1)
        let lengths = processor.shapes.withLock { $0.map(\.maximumFrameCount) }
        #expect(lengths == (isEdited ? [4096, 8192, 4096, 8192] : [4096, 4096, 4096, 4096]))
        return heard
    }

    @Test func aConnectionThatLeavesStaysUntilItsProcessorHasFallenSilent() throws {
        let state = ConnectionState(mixing: MixingState(), processor: DelayingProcessor(2000, latency: 0))
        let (source, level, history, end) = (NoiseNode(seed: 1), MixerLevel(), NodeHistory(), ConnectionState.standing())
        func graph(isLeaving: Bool) -> RenderGraph {
            var graph = RenderGraph(maximumFrameCount: 4096)
            graph.fadeFrameCount = 480
            let heard = graph.add(.render(source))
            graph.nodes[heard].history = history
            let mixer = graph.add(.mix(level), inputs: [2])
            graph.connect(heard, to: mixer, state, isLeaving: isLeaving)
            graph.play(mixer, over: end)
            return graph
        }
        var audible: [Bool] = []
        let stages = [(graph(isLeaving: false), 2560)] + (0..<12).map { _ in (graph(isLeaving: true), 256) }
        let heard = try render(stages, inBlocksOf: [64]) { _ in audible.append(!state.isInaudible) }
        // The fade is over after 480 frames, and what went in before is out 2000 frames later.
        #expect(audible == [false] + [Bool](repeating: true, count: 10) + [false, false])
        #expect(heard[0][2560 + 1999] == sample(1, 0, 2559) && heard[0][2560 + 2480] == 0)
    }
}
