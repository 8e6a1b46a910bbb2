// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mixer's gains and their glides, the null driver's pace. Test thread.

import LinuxSystem
import Realtime
import RenderingTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite struct NodeTests {
    /// Renders `blocks` from a plan of two channels.
    private func render(_ blocks: [Int], _ build: (inout RenderPlanBuilder) -> Signal) -> [[Float]] {
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 4096)
        let signal = build(&builder)
        let player = PlanPlayer()
        player.play(builder.plan(output: signal))
        return render(blocks, player)
    }

    private func render(_ blocks: [Int], _ player: PlanPlayer) -> [[Float]] {
        let driver = SteppedDriver(playing: player, channelCount: 2, maximumFrameCount: 4096, sampleRate: 48_000)
        var joined: [[Float]] = [[], []]
        for count in blocks {
            let block = driver.render(frameCount: count)
            for channel in 0..<2 { joined[channel] += UnsafeBufferPointer(start: block[channel], count: count) }
        }
        return joined
    }

    @Test func theMixerAddsUp() {
        let output = render([64]) { builder in
            let signals = [0.25, 0.5].map { builder.add(source: Constant($0)) }
            return builder.add(Mixer(inputCount: 2), of: signals)
        }
        #expect(output == [[Float](repeating: 0.75, count: 64), [Float](repeating: 0.75, count: 64)])
    }

    @Test func volumeGlidesInAStraightLineOverTwentyMilliseconds() {
        let mixer = Mixer(inputCount: 1)
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 4096)
        let source = builder.add(source: Constant(1))
        let mixed = builder.add(mixer, of: [source])
        let player = PlanPlayer()
        player.play(builder.plan(output: mixed))
        #expect(render([10], player)[0].allSatisfy { $0 == 1 })
        mixer.strips[0].volume = 0
        let output = render([100, 1000], player)
        for frame in 0..<960 { #expect(abs(output[0][frame] - (1 - Float(frame) / 960)) < 1e-4) }
        #expect(output[0][960...].allSatisfy { $0 == 0 })
        #expect(output[0] == output[1])
    }

    @Test(
        arguments: [(-1, 1, 0), (-0.5, 1, 0.70710678), (0, 1, 1), (0.5, 0.70710678, 1), (1, 0, 1), (7, 0, 1)]
            as [(Float, Float, Float)])
    func panLeavesOneSideAsItIsAndTakesFromTheOther(pan: Float, left: Float, right: Float) {
        let mixer = Mixer(inputCount: 1)
        mixer.strips[0].pan = pan
        let output = render([2000]) { builder in
            let source = builder.add(source: Constant(1))
            return builder.add(mixer, of: [source])
        }
        #expect(abs(output[0][1999] - left) < 1e-6 && abs(output[1][1999] - right) < 1e-6)
    }
}

@Suite(.timed("counts the cycles of the null driver"), .serialized) struct NullDriverTests {
    @Test func theNullDriverKeepsPace() throws {
        let player = PlanPlayer()
        let driver = NullDriver(channelCount: 2, quantum: 480, sampleRate: 48_000)
        try driver.start(player.callback)
        let started = driver.status.cycles
        Futex.pause(microseconds: 500_000)
        let cycles = driver.status.cycles - started
        driver.stop()
        // 10 ms a cycle; a busy machine may skip some, and none may come early.
        #expect(cycles >= 40 && cycles <= 51)
        let after = driver.status.cycles
        Futex.pause(microseconds: 30_000)
        #expect(driver.status.cycles == after)
    }

    @Test func theNullDriverStartsAgainAfterAStop() throws {
        let player = PlanPlayer()
        let driver = NullDriver(channelCount: 2, quantum: 64, sampleRate: 48_000)
        for _ in 0..<3 {
            let before = driver.status.cycles
            try driver.start(player.callback)
            Futex.pause(microseconds: 50_000)
            driver.stop()
            #expect(driver.status.cycles > before + 2)
        }
    }
}
