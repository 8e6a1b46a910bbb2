// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypass and reset take effect at the right time and without a click.

import AudioUnits
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines")) struct BypassTests {
    /// Frames of a fade at 48 kHz.
    private let fade = 480

    @Test(arguments: [false, true])
    func aBypassedUnitPassesItsInputOnAsLateAsItsLatency(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        try unit.set("latency", to: 50)
        try unit.set("level.gain", to: -2)
        let ramp = (0..<4096).map { Float($0) / 4096 }
        var bench = try Bench([unit], input: [ramp])
        bench.row.members[0].isBypassed = true
        let output = bench.render(blocks: [Int](repeating: 256, count: 12))[0]
        for frame in (fade + 50)..<output.count { #expect(output[frame] == ramp[frame - 50]) }
    }

    @Test(arguments: [0, 50], [false, true])
    func aBypassedUnitFollowsALatencyThatChangesWhileItRenders(from first: Int, inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        try unit.set("latency", to: Double(first))
        try unit.set("level.gain", to: -2)
        let ramp = (0..<8192).map { Float($0) / 8192 }
        var bench = try Bench([unit], input: [ramp])
        var output = bench.render(blocks: [256, 256])[0]
        try unit.set("latency", to: 120)
        output += bench.render(256)[0]
        bench.row.members[0].isBypassed = true
        output += bench.render(blocks: [Int](repeating: 256, count: 12))[0]
        for frame in (768 + fade + 120)..<output.count { #expect(output[frame] == ramp[frame - 120]) }
    }

    @Test(arguments: [false, true])
    func bypassGoesOnAndOffWithoutAClick(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        try unit.set("level.gain", to: -1)
        var bench = try Bench([unit], input: [TestSignal.sine(frames: 16_384)], maximumFrameCount: 128)
        var output: [Float] = []
        for block in 0..<100 {
            bench.row.members[0].isBypassed = (30..<60).contains(block)
            output += bench.render(128)[0]
        }
        let ownStep = Float(0.5 * 2 * Double.pi * 220 / 48_000)
        #expect(largestStep(output) < ownStep + 1.0 / Float(fade) + 1e-4)
        #expect(output[..<3840] == TestSignal.sine(frames: 3840, amplitude: -0.5)[...])
        #expect(output[4400..<7680] == TestSignal.sine(frames: 7680)[4400...])
        #expect(output[8200..<12_800] == TestSignal.sine(frames: 12_800, amplitude: -0.5)[8200...])
    }

    @Test(arguments: [false, true])
    func whatIsNotANumberDoesNotComeThroughBypass(inProcess: Bool) throws {
        let unit = try Build.unit("Misbehaver", inProcess: inProcess)
        var bench = try Bench([unit], input: [[Float](repeating: 0.5, count: 8192)], maximumFrameCount: 128)
        #expect(bench.render(128)[0].allSatisfy { $0 == 0.5 })
        try unit.send(MIDIMessage(0xB0, 6, 0))
        bench.row.members[0].isBypassed = true
        _ = bench.render(128)
        let output = bench.render(blocks: [128, 128, 128, 128])[0]
        #expect(output.allSatisfy { $0 == 0.5 })
    }

    @Test(arguments: [false, true])
    func aResetUnitSoundsLikeAFreshOne(inProcess: Bool) throws {
        let input = [TestSignal.sine(frames: 4096), TestSignal.sine(frames: 4096, frequency: 631)]
        let used = try Build.unit("Probe", inProcess: inProcess)
        let fresh = try Build.unit("Probe", inProcess: inProcess)
        for unit in [used, fresh] {
            try unit.set("latency", to: 333)
            try unit.set("level.gain", to: 0.7)
        }
        var first = try Bench([used], input: input, isLooping: true)
        _ = first.render(blocks: [512, 512, 512, 512, 512, 512, 512, 512])
        try used.reset()
        var second = try Bench([fresh], input: input, isLooping: true)
        #expect(first.render(blocks: [100, 512]) == second.render(blocks: [100, 512]))
    }

    @Test(arguments: [false, true])
    func whatIsSetTogetherWithAResetIsNotForgotten(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: [[Float](repeating: 1, count: 1024)])
        try unit.set("level.gain", to: 2)
        try unit.reset()
        try unit.set("level.offset", to: 0.5)
        try unit.schedule("level.gain", to: 3, at: 20)
        let output = bench.render(blocks: [10, 30])[0]
        #expect(output[..<20].allSatisfy { $0 == 2.5 })
        #expect(output[20...].allSatisfy { $0 == 3.5 })
    }
}

/// The largest difference between neighbouring samples.
func largestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
}
