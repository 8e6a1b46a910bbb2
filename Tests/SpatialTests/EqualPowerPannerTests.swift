// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A panner on connections and for voices: the same bits in both places, and in blocks of any length. Test thread.

import Realtime
import Rendering
import RenderingTestSupport
import Spatial
import Testing

@Suite struct EqualPowerPannerTests {
    private func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
        left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
    }

    /// Gains that differ from stage to stage.
    private func gains(_ stage: Int, _ voice: Int) -> PannerGains {
        var gains = PannerGains()
        gains.left = Float((stage + voice) % 4) / 4
        gains.right = 1 - gains.left
        gains.through = stage % 3 == 2 ? 0.5 : 0
        gains.cutoffHertz = stage % 2 == 1 ? 1000 : .infinity
        return gains
    }

    /// Renders a graph in stages of 2048 frames, between which the panners are told something else.
    private func stages(_ graph: RenderGraph, _ panners: [EqualPowerPanner], _ blocks: [Int]) throws -> [[Float]] {
        try render([RenderGraph](repeating: graph, count: 6).map { ($0, 2048) }, inBlocksOf: blocks) { frame in
            for (voice, panner) in panners.enumerated() { panner.set(gains(frame / 2048, voice)) }
        }
    }

    private func connected(_ blocks: [Int]) throws -> [[Float]] {
        let panners = (0..<2).map { _ in EqualPowerPanner() }
        var graph = RenderGraph(maximumFrameCount: 4096)
        let sources = (0..<2).map { graph.add(.render(NoiseNode(seed: $0)), outputs: [1]) }
        let mixer = graph.add(.mix(MixerLevel()), inputs: [1, 1])
        for (index, source) in sources.enumerated() {
            graph.connect(source, to: mixer, bus: index, ConnectionState(mixing: MixingState(), processor: panners[index]))
        }
        graph.play(mixer)
        return try stages(graph, panners, blocks)
    }

    @Test func blocksOfAnyLengthHaveTheSameBits() throws {
        let wanted = try connected([512])
        #expect(wanted[0] != wanted[1] && wanted[0][12_000] != 0)
        for blocks in cuts(of: 6 * 2048) { #expect(isSame(try connected(blocks), wanted), "in blocks of \(blocks)") }
    }

    @Test func aNodeThatCallsItForTwoVoicesHasTheBitsOfTwoConnections() throws {
        let wanted = try connected([512])
        for blocks in cuts(of: 6 * 2048) {
            let panners = (0..<2).map { _ in EqualPowerPanner() }
            var graph = RenderGraph(maximumFrameCount: 4096)
            let voices = graph.add(.render(VoicesNode(panners)))
            graph.play(voices)
            #expect(isSame(try stages(graph, panners, blocks), wanted), "in blocks of \(blocks)")
        }
    }

    @Test func theFilterRingsAfterItsSourceFellSilent() throws {
        var gains = PannerGains()
        (gains.right, gains.cutoffHertz) = (0, 200)
        for blocks in cuts(of: 4096) {
            var graph = RenderGraph(maximumFrameCount: 4096)
            let source = graph.add(.render(NoiseNode(seed: 1, until: 500)), outputs: [1])
            let mixer = graph.add(.mix(MixerLevel()), inputs: [1])
            graph.connect(source, to: mixer, ConnectionState(mixing: MixingState(), processor: EqualPowerPanner(gains)))
            graph.play(mixer)
            let heard = try render([(graph, 4096)], inBlocksOf: blocks)
            #expect(heard[0][500...1000].allSatisfy { $0 != 0 } && heard[0][3000...].allSatisfy { $0 == 0 })
            let ratio = heard[0][600] / heard[0][599]
            #expect(abs(ratio - Maths.exp(-2 * Float.pi * 200 / 48_000)) < 1e-4 && heard[1].allSatisfy { $0 == 0 })
        }
    }

    @Test func whatIsNoGainCountsAsNone() throws {
        var gains = PannerGains()
        (gains.left, gains.right, gains.through, gains.cutoffHertz) = (.nan, .infinity, -.infinity, .nan)
        var graph = RenderGraph(maximumFrameCount: 4096)
        let source = graph.add(.render(NoiseNode(seed: 1)), outputs: [1])
        let mixer = graph.add(.mix(MixerLevel()), inputs: [1])
        graph.connect(source, to: mixer, ConnectionState(mixing: MixingState(), processor: EqualPowerPanner(gains)))
        graph.play(mixer)
        #expect(try render([(graph, 256)], inBlocksOf: [64]).joined().allSatisfy { $0 == 0 })
    }
}
