// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors that add into memory of the node, which finishes it when all connections are through. Test thread.

import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct MixerSumTests {
    private func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
        left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
    }

    /// Five sources at a mixer, whose volumes change twice; some fall silent.
    private func mixed(
        _ sum: StereoMixerSum?, _ blocks: [Int], _ processor: (Int) -> (any ConnectionProcessor)? = { _ in nil }
    ) throws -> [[Float]] {
        let level = MixerLevel()
        let strips = (0..<5).map { _ in MixingState() }
        var graph = RenderGraph(maximumFrameCount: 4096)
        let sources = (0..<5).map { graph.add(.render(NoiseNode(seed: $0, until: $0 == 2 ? 700 : 10_000)), latency: $0 * 30) }
        let mixer = graph.add(.mix(level, sum), inputs: [2, 2, 2, 2, 2])
        for (index, source) in sources.enumerated() {
            graph.connect(source, to: mixer, bus: index, ConnectionState(mixing: strips[index], processor: processor(index)))
        }
        graph.play(mixer)
        return try render([(graph, 4096), (graph, 4096), (graph, 4096)], inBlocksOf: blocks) { frame in
            for (index, strip) in strips.enumerated() where frame > 0 { strip.volume = Float(index + 1) / Float(frame) * 1000 }
            if frame > 0 { level.volume = 0.5 }
        }
    }

    @Test func aSumOfItsOwnEqualsTheMixersBitForBit() throws {
        for blocks in cuts(of: 12_288) {
            let wanted = try mixed(nil, blocks)
            let heard = try mixed(StereoMixerSum(), blocks) { _ in SummingProcessor() }
            #expect(isSame(heard, wanted) && wanted[0][12_000] == 0 && wanted[1][9000] != 0, "in blocks of \(blocks)")
        }
    }

    /// The two kinds of connections may be mixed; the order of addition is another one then.
    @Test func theSumIsAddedToWhatConnectionsAddToTheBus() throws {
        let wanted = try mixed(nil, [256])
        let heard = try mixed(StereoMixerSum(), [256]) { $0 % 2 == 0 ? SummingProcessor() : nil }
        for channel in 0..<2 {
            let largest = zip(heard[channel], wanted[channel]).map { abs($0 - $1) }.max() ?? 1
            #expect(largest < 1e-6)
        }
    }

    @Test func aNodeThatRendersFindsItsSumComplete() throws {
        for blocks in cuts(of: 4096) {
            let heard = try summed(.render(StereoSumNode()), blocks) { SummingProcessor() }
            #expect(isSame(heard, try summed(.mix(MixerLevel()), blocks) { nil }), "in blocks of \(blocks)")
        }
    }

    private func summed(
        _ work: RenderGraph.Work, _ blocks: [Int], _ processor: () -> (any ConnectionProcessor)?
    ) throws -> [[Float]] {
        var graph = RenderGraph(maximumFrameCount: 4096)
        let sources = (0..<3).map { graph.add(.render(NoiseNode(seed: $0))) }
        let node = graph.add(work, inputs: [2, 2])
        for (index, source) in sources.enumerated() {
            graph.connect(source, to: node, bus: index / 2, ConnectionState(mixing: MixingState(), processor: processor()))
        }
        graph.play(node)
        return try render([(graph, 4096)], inBlocksOf: blocks)
    }
}
