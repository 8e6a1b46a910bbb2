// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place in time of events behind a time effect, less the latency that the engine tells. Test thread.

import Glibc
import HostingTestSupport
import Testing

@testable import AudioGraph
@testable import Rendering

@Suite(.serialized, .timeLimit(.minutes(15))) struct TimeAlignmentTests {
    /// A rate that is set before a number of output frames.
    private struct Step {
        let rate: Float
        var cents: Float = 0
        let frameCount: Int
    }

    private static let sampleRate = 48_000.0

    /// Short pulses of 1500 Hz, each `spacing` frames after the one before.
    private static func pulses(_ count: Int, spacing: Int) throws -> AudioPCMBuffer {
        try Sounds.buffer((count + 1) * spacing) { _, frame in
            let nearest = min(count, max(1, (frame + spacing / 2) / spacing))
            let distance = Double(frame - nearest * spacing)
            return abs(distance) > 480
                ? 0 : Float(0.6 * exp(-distance * distance / 14_400) * cos(2 * Double.pi * 1500 * distance / sampleRate))
        }
    }

    /// Renders pulses through an effect; returns by how many milliseconds each that is heard is late.
    private static func lateness(
        _ effect: AudioUnitTimeEffect, pulses count: Int, spacing: Int, _ steps: [Step], before: AudioNode? = nil,
        set: (Step) -> Void
    ) throws -> [Double] {
        let (engine, player) = (try AudioEngine.offline(), AudioPlayerNode())
        for node in [player, effect] as [AudioNode] { engine.attach(node) }
        if let before {
            engine.attach(before)
            try engine.connect(player, to: before)
            try engine.connect(before, to: effect)
        } else {
            try engine.connect(player, to: effect)
        }
        try engine.connect(effect, to: engine.mainMixerNode)
        player.scheduleBuffer(try pulses(count, spacing: spacing))
        set(steps[0])
        try engine.start()
        player.play()
        var heard: [Float] = []
        for step in steps {
            set(step)
            heard += try engine.render(step.frameCount)[0]
        }
        heard += try engine.render(engine.latencyFrameCount + 4096)[0]
        heard.removeFirst(engine.latencyFrameCount)
        return (1...count).compactMap { centre(of: heard, around: $0 * spacing, spacing, steps) }
    }

    /// By how many milliseconds the energy around an input frame is late; nil if that frame is not heard.
    private static func centre(of heard: [Float], around frame: Int, _ spacing: Int, _ steps: [Step]) -> Double? {
        guard let place = output(Double(frame), steps), let start = output(Double(frame) - 0.45 * Double(spacing), steps),
            let end = output(Double(frame) + 0.45 * Double(spacing), steps), Int(end) < heard.count
        else { return nil }
        var (sum, energy) = (0.0, 0.0)
        for index in max(0, Int(start))..<Int(end) {
            let power = Double(heard[index]) * Double(heard[index])
            (sum, energy) = (sum + power * Double(index), energy + power)
        }
        return energy > 1e-2 ? (sum / energy - place) / sampleRate * 1000 : nil
    }

    /// The output frame of an input frame, after the steps; nil beyond them.
    private static func output(_ frame: Double, _ steps: [Step]) -> Double? {
        var (input, output) = (0.0, 0.0)
        for step in steps {
            let next = input + Double(step.rate) * Double(step.frameCount)
            if frame < next { return output + (frame - input) / Double(step.rate) }
            (input, output) = (next, output + Double(step.frameCount))
        }
        return nil
    }

    private static func steady(_ rate: Float, _ cents: Float = 0, inputFrames: Int) -> [Step] {
        [Step(rate: rate, cents: cents, frameCount: Int(Float(inputFrames) / rate))]
    }

    @Test(arguments: [0.25, 0.5, 0.9, 1, 1.1, 2, 4] as [Float]) func varispeedIsOnTime(rate: Float) throws {
        let varispeed = AudioUnitVarispeed()
        let late = try Self.lateness(
            varispeed, pulses: 4, spacing: 12_000, Self.steady(rate, inputFrames: 58_000), set: { varispeed.rate = $0.rate })
        #expect(late.count == 4 && late.allSatisfy { abs($0) < 0.1 }, "\(late)")
    }

    @Test func varispeedIsOnTimeAfterChanges() throws {
        let varispeed = AudioUnitVarispeed()
        let steps = [1, 4, 0.25, 1, 0.5, 2, 1].map { Step(rate: $0, frameCount: 12_288) } as [Step]
        let late = try Self.lateness(varispeed, pulses: 18, spacing: 6_000, steps, set: { varispeed.rate = $0.rate })
        // A pulse during a change is played at two rates, and its middle moves.
        #expect(late.count >= 16 && late.allSatisfy { abs($0) < 1 }, "\(late)")
    }

    @Test(
        arguments: [
            (0.0625, 0), (0.125, 0), (0.25, 0), (0.5, 0), (0.9, 0), (1, 0), (1.1, 0), (2, 0), (4, 0), (1, -2400), (1, -1200),
            (1, 1200), (1, 2400), (0.5, 700), (2, -300),
        ] as [(Float, Float)])
    func timePitchIsOnTime(rate: Float, cents: Float) throws {
        let timePitch = AudioUnitTimePitch()
        let late = try Self.lateness(
            timePitch, pulses: 9, spacing: 12_007, Self.steady(rate, cents, inputFrames: 125_000),
            set: { (timePitch.rate, timePitch.pitch) = ($0.rate, $0.cents) })
        Self.expectTimely(late, least: rate > 2 || cents <= -2400 ? 1 : 5)
    }

    @Test func timePitchIsOnTimeAfterChanges() throws {
        let timePitch = AudioUnitTimePitch()
        let steps = [(1, 0), (0.5, 0), (2, 0), (0.25, 0), (1, 1200), (1, 0), (1.5, -700)].map { (rate: Float, cents: Float) in
            Step(rate: rate, cents: cents, frameCount: 24_576)
        }
        let late = try Self.lateness(
            timePitch, pulses: 24, spacing: 7_001, steps, set: { (timePitch.rate, timePitch.pitch) = ($0.rate, $0.cents) })
        Self.expectTimely(late, least: 15)
    }

    private static func expectTimely(_ late: [Double], least: Int) {
        #expect(late.count >= least && late.allSatisfy { abs($0) < 15 }, "\(late)")
        #expect(abs(late.reduce(0, +)) / Double(max(1, late.count)) < 10, "\(late)")
    }

    /// A latency before a time effect lasts as long as the pace makes it.
    @Test(arguments: [0.5, 2] as [Float]) func aLatencyBeforeATimeEffectIsTakenOffAtItsRate(rate: Float) throws {
        let (varispeed, delay) = (AudioUnitVarispeed(), AudioUnitVarispeed())
        let late = try Self.lateness(
            varispeed, pulses: 4, spacing: 12_000, Self.steady(rate, inputFrames: 58_000), before: delay,
            set: { varispeed.rate = $0.rate })
        #expect(late.count == 4 && late.allSatisfy { abs($0) < 0.1 }, "\(late)")
    }
}
