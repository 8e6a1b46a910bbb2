// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver with one memory for input and output: nothing is written over before it has been read. Test thread.

import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct InPlaceTests {
    /// Renders a cycle whose inputs are 0.5 and 0.125, in the memory of its outputs; returns the first sample of each.
    private func render(_ plan: RenderPlan, channels: [Int] = [0, 1]) -> [Float] {
        let player = PlanPlayer()
        player.play(plan)
        let memory = AudioBuffer(channelCount: 2, frameCapacity: 64)
        let outputs = memory.block(frameCount: 64)
        let inputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        defer { inputs.deallocate() }
        for (channel, place) in channels.enumerated() {
            (inputs + channel).initialize(to: outputs[place])
            for frame in 0..<64 { outputs[place][frame] = channel == 0 ? 0.5 : 0.125 }
        }
        let cycle = RenderCycle(
            sampleTime: 0, hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: true,
            inputs: AudioBlock(channels: UnsafePointer(inputs), channelCount: 2, frameCount: 64), outputs: outputs)
        withUnsafePointer(to: cycle) { player.callback.function(player.callback.context, $0) }
        #expect((0..<2).allSatisfy { outputs[$0][63] == outputs[$0][0] })
        return [outputs[0][0], outputs[1][0]]
    }

    private func builder() -> RenderPlanBuilder { RenderPlanBuilder(channelCount: 2, maximumFrameCount: 64) }

    @Test func aMixerThatFillsTheDriverHearsTheInputAsItCame() {
        var builder = builder()
        let (constant, input) = (builder.add(source: Constant(0.25)), builder.add(source: DriverInput()))
        #expect(render(builder.plan(output: builder.add(Mixer(inputCount: 2), of: [constant, input]))) == [0.75, 0.375])
    }

    @Test func channelsThatChangePlacesArriveWhole() {
        var builder = builder()
        let input = builder.add(source: DriverInput())
        #expect(render(builder.plan(output: input), channels: [1, 0]) == [0.5, 0.125])
    }

    @Test func theInputIsReadBeforeAMixerOfNothingWritesSilence() {
        var builder = builder()
        let silence = builder.add(Mixer(inputCount: 0), of: [])
        let tap = SampleKeeper()
        _ = builder.add(tap, after: builder.add(source: DriverInput()))
        #expect(render(builder.plan(output: silence)) == [0, 0])
        #expect(tap.sample == 0.5)
    }
}

/// Remembers the first sample of its input.
private final class SampleKeeper: RenderNode {
    // SAFETY: the test reads it after the cycle, which it renders itself.
    nonisolated(unsafe) private let memory: UnsafeMutablePointer<Float>

    init() {
        memory = .allocate(capacity: 1)
        memory.initialize(to: 0)
    }

    deinit { memory.deallocate() }

    var sample: Float { memory.pointee }
    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SampleKeeper.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: Float.self).pointee = call.input[0][0]
        call.outputs[0].isSilent = true
    }
}
