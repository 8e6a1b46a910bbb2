// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The driver whose cycles the caller renders: input, output, time, deadlines, start and stop. Test thread.

import LinuxSystem
import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct SteppedDriverTests {
    private let driver = SteppedDriver(channelCount: 2, inputChannelCount: 1, maximumFrameCount: 256, sampleRate: 48_000)

    /// What a callback saw of its last cycle; it plays the input upside down.
    private final class Recorder {
        var cycle: RenderCycle?

        var callback: RenderCallback {
            RenderCallback(
                function: { context, cycle in
                    guard let context, let cycle = cycle?.assumingMemoryBound(to: RenderCycle.self).pointee else { return }
                    Unmanaged<Recorder>.fromOpaque(context).takeUnretainedValue().cycle = cycle
                    for channel in 0..<cycle.outputs.channelCount {
                        for frame in 0..<cycle.frameCount { cycle.outputs[channel][frame] = -cycle.inputs[0][frame] }
                    }
                }, context: Unmanaged.passUnretained(self).toOpaque())
        }
    }

    private func samples(_ block: AudioBlock) -> [[Float]] {
        (0..<block.channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: block.frameCount)) }
    }

    @Test func aCycleReadsTheInputAndFillsTheOutputInBlocksOfAnySize() {
        let recorder = Recorder()
        driver.start(recorder.callback)
        for frameCount in [1, 256, 0, 33] {
            let input = driver.input(frameCount: frameCount)
            for frame in 0..<frameCount { input[0][frame] = Float(frame + 1) }
            let expected = (0..<frameCount).map { -Float($0 + 1) }
            #expect(samples(driver.render(frameCount: frameCount)) == [expected, expected])
        }
        #expect(recorder.cycle?.sampleTime == 257)
        #expect(recorder.cycle?.isOffline == true && recorder.cycle?.sampleRate == 48_000)
        #expect(driver.status == DriverStatus(sampleRate: 48_000, quantum: 256, cycles: 4, xruns: 0))
        driver.stop()
    }

    @Test func aCycleWithADeadlineHasAsManyTimesItsLengthAsTheCallerSays() {
        let recorder = Recorder()
        driver.start(recorder.callback)
        let before = MonotonicClock.now()
        driver.render(frameCount: 64, isOffline: false, slowdown: 1000, transport: Transport(tempo: 90))
        #expect(recorder.cycle?.isOffline == false && recorder.cycle?.sampleRate == 48)
        #expect(recorder.cycle?.transport.tempo == 90)
        #expect((recorder.cycle?.hostTime ?? 0) >= before)
        #expect(driver.status.sampleRate == 48_000)
        driver.stop()
    }

    /// The plan is silent at an impossible rate, and no rate traps.
    @Test(arguments: [0, .infinity, .nan, -1, 1e300, 1e-300, .leastNonzeroMagnitude] as [Double])
    func aPlanIsSilentAtAnImpossibleRate(
        slowdown: Double
    ) {
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 256)
        let mixed = builder.add(Mixer(inputCount: 1), of: [builder.add(source: Constant(1))])
        let player = PlanPlayer()
        player.play(builder.plan(output: mixed))
        driver.start(player.callback)
        let isPossible = slowdown > 0 && (48_000 / slowdown).isFinite && 48_000 / slowdown > 0
        for isOffline in [false, true] {
            let heard = samples(driver.render(frameCount: 16, isOffline: isOffline, slowdown: slowdown))[0]
            #expect(heard.allSatisfy { $0 == (isPossible ? 1 : 0) }, "\(heard)")
        }
        #expect(samples(driver.render(frameCount: 16))[0].allSatisfy { $0 == 1 })
        driver.stop()
    }

    @Test func aDriverThatIsNotStartedPlaysSilence() {
        let recorder = Recorder()
        driver.start(recorder.callback)
        for frame in 0..<16 { driver.input(frameCount: 16)[0][frame] = 1 }
        driver.render(frameCount: 16)
        driver.stop()
        let silence = [Float](repeating: 0, count: 16)
        #expect(samples(driver.render(frameCount: 16)) == [silence, silence])
        #expect(driver.status.cycles == 1)
        // Time and counts begin anew.
        driver.start(recorder.callback)
        driver.render(frameCount: 16)
        #expect(recorder.cycle?.sampleTime == 0 && driver.status.cycles == 1)
        driver.stop()
    }
}
