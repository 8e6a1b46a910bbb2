// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources with a rate of their own: pitch, length, the same bits in any blocks, and what has none. Test thread.

import Glibc
import HostingTestSupport
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct SourceRateTests {
    /// A player with a sine that leads to the mixer, or first through a varispeed.
    private struct Scene {
        let engine: AudioEngine
        let player = AudioPlayerNode()

        init(frequency: Double = 1000, sampleRate: Double = 48_000, through middle: AudioNode? = nil) throws {
            engine = try AudioEngine.offline()
            engine.attach(player)
            if let middle {
                engine.attach(middle)
                try engine.connect(player, to: middle)
                try engine.connect(middle, to: engine.mainMixerNode)
            } else {
                let format = AudioFormat(sampleRate: sampleRate, channelCount: 2)
                try engine.connect(player, to: engine.mainMixerNode, format: format)
            }
            let length = Int(sampleRate)
            let sine = try #require(
                AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: sampleRate, channelCount: 2), frameCapacity: length))
            sine.frames = length
            for channel in 0..<2 {
                for frame in 0..<length {
                    sine.samples[channel][frame] = Float(0.5 * sin(2 * Double.pi * frequency * Double(frame) / sampleRate))
                }
            }
            player.scheduleBuffer(sine, options: .loops)
        }

        func start() throws {
            try engine.start()
            player.play()
        }
    }

    private static func cents(_ samples: ArraySlice<Float>, from wanted: Double) -> Double {
        1200 * log2(Tone.frequency(samples) / wanted)
    }

    @Test(arguments: [(0.5, 48_000), (0.9, 48_000), (1.1, 44_100), (2, 96_000), (2, 48_000)] as [(Float, Double)])
    func thePitchAndTheTimeFollowTheRate(rate: Float, sampleRate: Double) throws {
        let scene = try Scene(sampleRate: sampleRate)
        scene.player.rate = rate
        try scene.start()
        let heard = try scene.engine.render(48_000)[0]
        #expect(abs(Self.cents(heard[10_000..<47_000], from: 1000 * Double(rate))) < 0.1)
        #expect(heard[10_000...].contains { abs($0) > 0.499 } && heard.allSatisfy { abs($0) < 0.51 })
        let time = try #require(scene.player.playerTime.sampleTime)
        #expect(abs(Double(time) - sampleRate * Double(rate)) < 3)
    }

    @Test func aSourceWhoseRateWasAlwaysOneIsNotTouched() throws {
        let (plain, set) = (try Scene(), try Scene())
        set.player.rate = 1
        for scene in [plain, set] { try scene.start() }
        #expect(set.engine.latencyFrameCount == 0)
        #expect(try plain.engine.render(4800) == set.engine.render(4800))
    }

    @Test func backAtOneTheSoundIsTheSourceItself() throws {
        let scene = try Scene()
        scene.player.rate = 1.3
        try scene.start()
        _ = try scene.engine.render(4800)
        scene.player.rate = 1
        _ = try scene.engine.render(4800)
        let (lag, heard) = (scene.engine.latencyFrameCount, try scene.engine.render(4800)[0])
        let end = Int(try #require(scene.player.playerTime.sampleTime))
        let sine = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * 1000 * Double($0) / 48_000)) }
        #expect(lag == 84 && (0..<4800).allSatisfy { heard[$0] == sine[(end - 4800 - lag + $0) % 48_000] })
    }

    @Test func noChangeOfTheRateClicks() throws {
        let scene = try Scene(frequency: 200)
        try scene.start()
        var heard: [Float] = []
        for rate in [1, 1.5, 1, 0.5, 0.51, 2, 1, 0.5, 2, 1] as [Float] {
            scene.player.rate = rate
            heard += try scene.engine.render(3000, block: 256)[0]
        }
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        // A sine of 400 Hz and 0.5 goes 0.0262 in a frame at most.
        #expect(steps[500...].max()! < 0.028)
    }

    @Test func theBitsAreTheSameInBlocksOfAnySize() throws {
        func sound(_ blocks: [Int]) throws -> [[Float]] {
            let scene = try Scene()
            scene.player.rate = 1.7
            try scene.start()
            var heard: [[Float]] = [[], []]
            for rate in [1.3, 1, 0.6] as [Float] {
                scene.player.rate = rate
                var (left, next) = (6000, 0)
                while left > 0 {
                    let count = min(left, blocks[next % blocks.count])
                    for (channel, samples) in try scene.engine.render(count, block: count).enumerated() {
                        heard[channel] += samples
                    }
                    (left, next) = (left - count, next + 1)
                }
            }
            return heard
        }
        let wanted = try sound([512])
        for blocks in [[1], [31], [4096], [777, 1, 2000]] { #expect(try sound(blocks) == wanted, "blocks of \(blocks)") }
    }

    /// The two rates multiply.
    @Test func aRateInFrontOfATimeEffect() throws {
        let varispeed = AudioUnitVarispeed()
        let scene = try Scene(through: varispeed)
        (scene.player.rate, varispeed.rate) = (2, 0.75)
        try scene.start()
        let heard = try scene.engine.render(48_000)[0]
        #expect(abs(Self.cents(heard[10_000..<47_000], from: 1500)) < 0.1)
    }

    /// A source in space, whose tap hears it at its rate as well.
    @Test func aSourceInSpace() throws {
        let environment = AudioEnvironmentNode()
        let scene = try Scene(through: environment)
        (scene.player.sourceMode, scene.player.position) = (.pointSource, Audio3DPoint(x: 1, y: 0, z: 0))
        (scene.player.renderingAlgorithm, environment.outputType) = (.HRTF, .headphones)
        scene.player.rate = 0.5
        try scene.start()
        let heard = try scene.engine.render(48_000)[1]
        #expect(abs(Self.cents(heard[10_000..<47_000], from: 500)) < 0.5)
    }

    @Test func anEndedSourceIsSilentAndDetaches() throws {
        let scene = try Scene()
        scene.player.rate = 2
        try scene.start()
        _ = try scene.engine.render(4800)
        scene.player.stop()
        _ = try scene.engine.render(4800)
        #expect(try scene.engine.render(4800)[0].allSatisfy { $0 == 0 })
        _ = try scene.engine.detach(scene.player).get()
        #expect(try scene.engine.render(4800)[0].allSatisfy { $0 == 0 })
    }

    @Test func nodesWithInputsAndDestinationsRefuseARate() throws {
        let scene = try Scene()
        try scene.start()
        scene.engine.mainMixerNode.rate = 2
        #expect(throws: AudioEngineError.self) { try scene.engine.edit {} }
        let destination = try #require(scene.player.destination(forMixer: scene.engine.mainMixerNode, bus: 0))
        destination.rate = 2
        #expect(throws: AudioEngineError.self) { try scene.engine.edit {} }
        scene.player.rate = .nan
        #expect(throws: AudioEngineError.self) { try scene.engine.edit {} }
        scene.player.rate = 9
        #expect(scene.player.rate == 2 && destination.rate == 2)
    }
}
