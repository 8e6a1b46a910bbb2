// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's echo and the gain before it. Test thread.

import Foundation
import HostingTestSupport
import TestSupport
import Testing

@Suite struct DistortionEchoTests {
    private let clean = RenderedEffect("aufx:dist:blkh", blockSize: 64, ["curve": 4])

    @Test(arguments: [(10.0, 480), (0.1, 5), (500, 24_000), (33.333, 1600)])
    func repeatsAtItsExactTime(milliseconds: Double, frames: Int) throws {
        let direct = try clean.impulseResponse(frameCount: 26_000)
        let echo = clean.with(["echo.time": milliseconds, "echo.mix": 100, "echo.feedback": 0])
        let output = try echo.impulseResponse(frameCount: 26_000)
        let difference = zip(output.dropFirst(frames), direct).map { abs($0 - $1) }.max()!
        #expect(difference < 1e-6)
        #expect(output[..<frames].allSatisfy { abs($0) < 1e-6 })
    }

    @Test func eachEchoIsTheFeedbackTimesTheOneBefore() throws {
        let direct = try clean.impulseResponse(frameCount: 12_000)
        let echo = clean.with(["echo.time": 40, "echo.mix": 50, "echo.feedback": 50])
        let output = try echo.impulseResponse(frameCount: 12_000)
        let gains: [Float] = [0.5, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625]
        for frame in output.indices {
            let parts = gains.indices.filter { $0 * 1920 <= frame }.map { gains[$0] * direct[frame - $0 * 1920] }
            #expect(abs(output[frame] - parts.reduce(0, +)) < 1e-6)
        }
    }

    @Test(arguments: [1, 17, 480, 4096])
    func doesNotDependOnTheBlockSize(blockSize: Int) throws {
        var effect = RenderedEffect("aufx:dist:blkh", blockSize: 64, preset: "Multi Echo Tight 2")
        effect.automation = [
            AutomationPoint(0.02, "echo.time", 7), AutomationPoint(0.03, "echo.time", 12),
            AutomationPoint(0.06, "echo.mix", 0), AutomationPoint(0.085, "echo.mix", 60),
        ]
        let input = SeededNoise(seed: 11).samples(8000)
        let one = try effect.render(input)
        effect.blockSize = blockSize
        #expect(try effect.render(input) == one)
    }

    @Test(arguments: [("echo.mix", 0.0, 60.0), ("echo.time", 3, 11), ("echo.feedback", 0, 90), ("preGain", 0, -40)])
    func noJumpIsHeardAsAClick(keyPath: String, before: Double, after: Double) throws {
        var effect = clean.with(["echo.mix": 50, "echo.time": 5]).with([keyPath: before])
        effect.automation = [AutomationPoint(0.1, keyPath, after)]
        let sine = Signal.sine(500, seconds: 0.2, sampleRate: 48_000).map { $0 * 0.4 }
        let level = Spectrum.peak(Array(try effect.render(sine)[2400...]), from: 8000, to: 20_000, sampleRate: 48_000)
        #expect(level < -80, "\(keyPath): \(level) dB")
    }

    @Test func isSixtyDecibelsDownAfterItsTail() throws {
        let values = ["drive": 12.0, "curve": 0, "echo.time": 100, "echo.feedback": 50, "echo.mix": 50]
        let echoes = 4800 * (2 + Int((70 + 12) / (20 * log10(2.0))))
        let tail = 2 * 80 + Int(48_000 * (70 + 12) * 0.115_13 / (2 * Double.pi * 0.7071 * 10)) + echoes
        let sine = Signal.sine(200, seconds: 0.5, sampleRate: 48_000)
        let output = try clean.with(values).render(sine + [Float](repeating: 0, count: tail + 4800))
        #expect(output[(sine.count + tail)...].allSatisfy { abs($0) < 1e-3 })
        #expect(output[(sine.count + 9600)..<(sine.count + 19_200)].contains { abs($0) > 1e-2 })
    }

    @Test(arguments: [-80.0, -12, 20])
    func preGainIsExact(decibels: Double) throws {
        let noise = SeededNoise(seed: 2).samples(4000)
        let (output, direct) = (try clean.with(["preGain": decibels]).render(noise), try clean.render(noise))
        let factor = Float(pow(10, decibels / 20))
        let difference = zip(output, direct).map { abs($0 - $1 * factor) }.max()!
        // The mix adds the rounding of the dry sound.
        #expect(difference < 1e-5 * factor + 6e-8, "\(difference)")
    }

    @Test func preGainLeavesTheDrySoundAlone() throws {
        let noise = SeededNoise(seed: 2).samples(4000)
        let dry = clean.with(["mix": 0])
        #expect(try dry.with(["preGain": 20, "echo.mix": 100]).render(noise) == dry.render(noise))
    }

    @Test func preGainCountsAsDrive() throws {
        let noise = SeededNoise(seed: 4).samples(4000)
        let driven = try clean.with(["curve": 0, "drive": 12]).render(noise)
        let raised = try clean.with(["curve": 0, "drive": 0, "preGain": 12]).render(noise)
        #expect(zip(driven, raised).allSatisfy { abs($0 - $1) < 1e-4 })
    }
}
