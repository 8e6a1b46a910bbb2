// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Time and pitch apart from each other: pitch, length, the way back to normal. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import Testing

@testable import AudioGraph
@testable import Rendering

@Suite(.serialized, .timeLimit(.minutes(15))) struct TimePitchTests {
    /// A player of a looped sine that leads through a time-pitch to the mixer.
    private struct Scene {
        let engine: AudioEngine
        let player = AudioPlayerNode()
        let timePitch = AudioUnitTimePitch()

        init(frequency: Double = 500, length: Int = 48_000) throws {
            engine = try .offline()
            engine.attach(player)
            engine.attach(timePitch)
            try engine.connect(player, to: timePitch)
            try engine.connect(timePitch, to: engine.mainMixerNode)
            let sine = try Sounds.buffer(length) { channel, frame in
                Float(0.5 * sin(2 * Double.pi * frequency * Double(frame) / 48_000 + Double(channel)))
            }
            player.scheduleBuffer(sine, options: .loops)
            try engine.start()
            player.play()
        }
    }

    /// The frequency of a sine, by the phase of its component at about `near` in the first and the last quarter of the samples.
    private static func frequency(_ samples: ArraySlice<Float>, near: Double) -> Double {
        func phase(_ part: ArraySlice<Float>) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for index in part.indices {
                let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index - part.startIndex) / Double(part.count))
                let angle = 2 * Double.pi * near * Double(index) / 48_000
                real += window * Double(part[index]) * cos(angle)
                imaginary -= window * Double(part[index]) * sin(angle)
            }
            return atan2(imaginary, real)
        }
        let quarter = samples.count / 4
        var turn = phase(samples.suffix(quarter)) - phase(samples.prefix(quarter))
        turn = turn.remainder(dividingBy: 2 * Double.pi)
        return near + turn / (2 * Double.pi) * 48_000 / Double(samples.count - quarter)
    }

    @Test(arguments: [0.5, 1, 1.25, 2] as [Float], [-1200, 0, 300] as [Float])
    func thePitchIsWithinOneCentAndTheLengthExact(rate: Float, cents: Float) throws {
        let scene = try Scene()
        (scene.timePitch.rate, scene.timePitch.pitch) = (rate, cents)
        let heard = try scene.engine.render(72_000)[0]
        let wanted = 500 * exp2(Double(cents) / 1200)
        let found = Self.frequency(heard[30_000..<70_000], near: wanted)
        #expect(abs(1200 * log2(found / wanted)) < 1)
        let level = (heard[30_000..<70_000].reduce(0) { $0 + Double($1 * $1) } / 40_000).squareRoot()
        #expect(abs(level - 0.3536) < 0.03)
        let (numerator, denominator) = TimePace.fraction(rate)
        #expect(scene.player.playerTime.sampleTime == 72_000 * Int64(numerator) / Int64(denominator))
    }

    /// The lowest strings of guitar and bass, tuned down: their periods are longer than a grain's usual search.
    @Test(arguments: [(82, -100), (82, -500), (80, -1200), (110, -1200), (55, -300), (82, 500)] as [(Double, Float)])
    func lowStringsKeepTheirPitch(frequency: Double, cents: Float) throws {
        let scene = try Scene(frequency: frequency)
        scene.timePitch.pitch = cents
        let heard = try scene.engine.render(200_000)[0]
        // The places at which the sound rises through 0.
        var rises: [Double] = []
        for frame in 20_000..<199_999 where heard[frame] < 0 && heard[frame + 1] >= 0 {
            rises.append(Double(frame) + Double(heard[frame] / (heard[frame] - heard[frame + 1])))
        }
        let first = try #require(rises.first)
        let last = try #require(rises.last)
        let found = Double(rises.count - 1) * 48_000 / (last - first)
        let off = 1200 * log2(found / (frequency * exp2(Double(cents) / 1200)))
        #expect(abs(off) < 3, "\(off) cents")
    }

    @Test func theSoundAtUnityIsTheInputItself() throws {
        let scene = try Scene()
        let sine = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * 500 * Double($0) / 48_000)) }
        let lag = scene.engine.latencyFrameCount
        _ = try scene.engine.render(20_000)
        for (rate, cents) in [(1.1, 0), (0.5, 200), (1, -700), (32, 0), (1.0 / 32, 1200), (4, 2400)] as [(Float, Float)] {
            (scene.timePitch.rate, scene.timePitch.pitch) = (rate, cents)
            _ = try scene.engine.render(7000)
            (scene.timePitch.rate, scene.timePitch.pitch) = (1, 0)
            _ = try scene.engine.render(24_000)
            let heard = try scene.engine.render(4800)[0]
            let start = Int(try #require(scene.player.playerTime.sampleTime)) - 4800 - lag
            #expect((0..<4800).allSatisfy { heard[$0] == sine[(start + $0) % 48_000] }, "after \(rate) and \(cents)")
        }
    }

    @Test func noChangeClicks() throws {
        let scene = try Scene(frequency: 200)
        var heard = try scene.engine.render(24_000)[0]
        for (rate, cents) in [(1.5, 0), (1.5, 100), (1, 0), (0.5, 0), (2, -200), (1, 0)] as [(Float, Float)] {
            (scene.timePitch.rate, scene.timePitch.pitch) = (rate, cents)
            heard += try scene.engine.render(12_000, block: 256)[0]
        }
        // Changes that come faster than a fade.
        for turn in 0..<40 {
            (scene.timePitch.rate, scene.timePitch.pitch) = (turn % 2 == 0 ? 1.2 : 1, turn % 3 == 0 ? 50 : 0)
            heard += try scene.engine.render(128 * (turn % 5 + 1), block: 128)[0]
        }
        (scene.timePitch.rate, scene.timePitch.pitch) = (1, 0)
        heard += try scene.engine.render(24_000)[0]
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        // The sine's own steepest step is 0.0131, and a semitone more; a fade of 8 ms adds 1 / 384.
        #expect(steps[10_000...].max()! < 0.018)
        #expect(heard[10_000...].contains { abs($0) > 0.45 })
    }

    @Test func theBitsAreTheSameInBlocksOfAnySize() throws {
        func sound(_ block: Int) throws -> [[Float]] {
            let scene = try Scene(length: 4801)
            var heard: [[Float]] = [[], []]
            for (rate, cents) in [(1, 0), (1.5, 0), (0.7, 300), (1, 0)] as [(Float, Float)] {
                (scene.timePitch.rate, scene.timePitch.pitch) = (rate, cents)
                for (channel, samples) in try scene.engine.render(16_384, block: block).enumerated() { heard[channel] += samples }
            }
            return heard
        }
        let wanted = try sound(512)
        for block in [31, 64, 4096] { #expect(try sound(block) == wanted, "blocks of \(block)") }
    }

    @Test func theRangesAreThoseOfTheModel() throws {
        let timePitch = AudioUnitTimePitch()
        #expect(timePitch.rate == 1 && timePitch.pitch == 0 && !timePitch.bypass)
        (timePitch.rate, timePitch.pitch) = (100, -9999)
        #expect(timePitch.rate == 32 && timePitch.pitch == -2400)
        timePitch.bypass = true
        #expect(timePitch.rate == 32 && timePitch.plugin?.value(of: "pitch") == 0)
        (timePitch.rate, timePitch.pitch, timePitch.bypass) = (0, 5000, false)
        #expect(timePitch.rate == 1.0 / 32 && timePitch.plugin?.value(of: "pitch") == 2400)
    }
}
