// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver whose counts of further channels are impossible: no memory but its own is touched. Test thread.

import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct DriverBusCountTests {
    /// The driver's input to its output, with a bus beside the main one.
    private static func player() throws -> PlanPlayer {
        var graph = RenderGraph(maximumFrameCount: 64)
        graph.nodes = [
            RenderGraph.Node(.render(DriverInput(furtherChannels: [0..<2])), inputChannelCounts: [], outputChannelCounts: [2, 2]),
            RenderGraph.Node(.mix(MixerLevel()), inputChannelCounts: [2], outputChannelCounts: [2]),
            RenderGraph.Node(
                .render(DriverOutput(furtherChannels: [0..<2])), inputChannelCounts: [2, 2], outputChannelCounts: [], isSink: true),
        ]
        graph.connections = [(0, 0, 1, 0), (1, 0, 2, 0), (0, 1, 2, 1)].map { source, output, destination, input in
            RenderGraph.Connection(
                from: RenderGraph.Bus(node: source, bus: output), to: RenderGraph.Bus(node: destination, bus: input))
        }
        let player = PlanPlayer()
        player.play(try RenderPlan(graph))
        return player
    }

    @Test(arguments: [3, 100, .max, -1, -100, .min + 3] as [Int]) func impossibleCountsOfChannelsAreCutOff(count: Int) throws {
        let player = try Self.player()
        let input = AudioBuffer(channelCount: 2, frameCapacity: 64)
        let output = AudioBuffer(channelCount: 2, frameCapacity: 64)
        let (inputs, outputs) = (input.block(frameCount: 64), output.block(frameCount: 64))
        for channel in 0..<2 { for frame in 0..<64 { inputs[channel][frame] = 0.5 } }
        for time in 0..<4 {
            var cycle = RenderCycle(
                sampleTime: Int64(time * 64), hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: true,
                inputs: inputs, outputs: outputs)
            (cycle.furtherInputCount, cycle.furtherOutputCount) = (count, count)
            #expect(cycle.mainOutputCount == (count > 0 ? 0 : 2) && cycle.mainInputCount == (count > 0 ? 0 : 2))
            player.render(cycle)
        }
        // Too many are all of them, and none is the main one.
        #expect((0..<2).allSatisfy { outputs[$0][63] == 0.5 })
    }
}
