// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Playing faster and slower: pitch, length, the way back to normal, and what cannot be stretched. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph
@testable import Rendering

@Suite(.serialized, .timeLimit(.minutes(15))) struct VarispeedTests {
    /// A player that leads through a varispeed to the mixer, with a looped sine of 100 periods a second.
    private struct Scene {
        let engine: AudioEngine
        let player = AudioPlayerNode()
        let varispeed = AudioUnitVarispeed()

        init(_ engine: AudioEngine, frequency: Double = 1000, length: Int = 48_000) throws {
            self.engine = engine
            engine.attach(player)
            engine.attach(varispeed)
            try engine.connect(player, to: varispeed)
            try engine.connect(varispeed, to: engine.mainMixerNode)
            let sine = try Sounds.buffer(length) { channel, frame in
                Float(0.5 * sin(2 * Double.pi * frequency * Double(frame) / 48_000 + Double(channel)))
            }
            player.scheduleBuffer(sine, options: .loops)
        }
    }

    @Test(arguments: [0.25, 0.5, 0.9, 1.1, 2, 4] as [Float]) func thePitchFollowsTheRate(rate: Float) throws {
        let scene = try Scene(.offline())
        scene.varispeed.rate = rate
        try scene.engine.start()
        scene.player.play()
        let heard = try scene.engine.render(48_000)[0]
        let cents = 1200 * log2(Tone.frequency(heard[10_000..<47_000]) / (1000 * Double(rate)))
        #expect(abs(cents) < 0.1)
        #expect(heard[10_000...].contains { abs($0) > 0.499 } && heard.allSatisfy { abs($0) < 0.51 })
        let (numerator, denominator) = TimePace.fraction(rate)
        #expect(scene.player.playerTime.sampleTime == 48_000 * Int64(numerator) / Int64(denominator))
    }

    /// At rate 1 the sound is the player's own, and so it is again after the rate has changed.
    @Test func theSoundAtUnityIsTheInputItself() throws {
        let scene = try Scene(.offline())
        try scene.engine.start()
        scene.player.play()
        let lag = scene.engine.latencyFrameCount
        let sine = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * 1000 * Double($0) / 48_000)) }
        var heard = try scene.engine.render(4800)[0]
        #expect(lag > 0 && heard[lag..<4800].elementsEqual(sine[0..<4800 - lag]))
        var position = 4800
        for rate in [1.1, 0.7, 3.99, 1.0001] as [Float] {
            scene.varispeed.rate = rate
            heard = try scene.engine.render(1234)[0]
            scene.varispeed.rate = 1
            // The place glides to a whole frame within 50 ms.
            _ = try scene.engine.render(2500)
            heard = try scene.engine.render(4800)[0]
            position = Int(try #require(scene.player.playerTime.sampleTime))
            let start = position - 4800 - lag
            #expect((0..<4800).allSatisfy { heard[$0] == sine[(start + $0) % 48_000] }, "after \(rate)")
        }
    }

    @Test func noChangeOfTheRateClicks() throws {
        let scene = try Scene(.offline(), frequency: 200)
        try scene.engine.start()
        scene.player.play()
        var heard: [Float] = []
        for rate in [1, 1.5, 1, 0.5, 0.51, 2, 1, 4, 0.25, 1] as [Float] {
            scene.varispeed.rate = rate
            heard += try scene.engine.render(3000, block: 256)[0]
        }
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        // A sine of 800 Hz and 0.5 goes 0.0523 in a frame at most.
        #expect(steps[500...].max()! < 0.054)
    }

    @Test func theBitsAreTheSameInBlocksOfAnySizeAndLive() throws {
        func sound(_ blocks: [Int]) throws -> [[Float]] {
            let scene = try Scene(.offline(), length: 4801)
            try scene.engine.start()
            scene.player.play()
            var heard: [[Float]] = [[], []]
            for rate in [1.3, 1, 0.6] as [Float] {
                scene.varispeed.rate = rate
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
        for blocks in [[1], [31], [64], [4096], [777, 1, 2000]] { #expect(try sound(blocks) == wanted, "blocks of \(blocks)") }
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 250, sampleRate: 48_000)
        let scene = try Scene(AudioEngine(driver: driver), length: 4801)
        try scene.engine.start()
        scene.player.play()
        var live: [Float] = []
        for rate in [1.3, 1, 0.6] as [Float] {
            scene.varispeed.rate = rate
            for _ in 0..<24 {
                let block = driver.render(frameCount: 250, isOffline: false, slowdown: 1000)
                live += UnsafeBufferPointer(start: block[0], count: 250)
            }
        }
        #expect(live == wanted[0])
    }

    /// The counts of an hour, without rendering it: the pace is exact, however time is cut.
    @Test func anHourEndsOnItsFrame() {
        #expect(TimePace.fraction(1.1) == (11, 10) && TimePace.fraction(0.3) == (3, 10) && TimePace.fraction(1) == (1, 1))
        #expect(TimePace.fraction(1 / 3) == (1, 3) && TimePace.fraction(4) == (4, 1) && TimePace.fraction(0.25) == (1, 4))
        for value in [0.2501, 1.0000001, 3.1415927, 0.7071068, 1.0594631] as [Float] {
            let (numerator, denominator) = TimePace.fraction(value)
            #expect(Float(Double(numerator) / Double(denominator)) == value)
        }
        let pace = TimePace()
        pace.setRate(1.1)
        pace.core.pointee.begin()
        var (taken, put) = (0, 0)
        while put < 3600 * 48_000 {
            let count = min(Int.random(in: 1...5000), 3600 * 48_000 - put)
            taken += pace.core.pointee.advance(count)
            put += count
        }
        #expect(taken == 3600 * 48_000 * 11 / 10)
        // Changes of the rate lose nothing either.
        for turn in 0..<100_000 {
            pace.setRate(turn % 2 == 0 ? 1.3 : 0.7)
            pace.core.pointee.begin()
            taken += pace.core.pointee.advance(1)
        }
        #expect(abs(taken - 3600 * 48_000 * 11 / 10 - 100_000) <= 1)
    }

    @Test func whatCannotBeStretchedIsRefusedWithTheReason() throws {
        let engine = try AudioEngine.offline()
        let (player, varispeed, other) = (AudioPlayerNode(), AudioUnitVarispeed(), AudioUnitVarispeed())
        for node in [player, varispeed, other] as [AudioNode] { engine.attach(node) }
        try engine.connect(varispeed, to: engine.mainMixerNode)
        try engine.connect(engine.inputNode, to: varispeed)
        #expect(throws: AudioEngineError.liveInput(effect: NamedNode(varispeed))) { try engine.start() }
        try engine.connect(player, to: varispeed)
        try engine.start()
        _ = try engine.render(512)
        // Past the varispeed, and through another one.
        other.name = "Other"
        try engine.connect(other, to: engine.mainMixerNode)
        #expect(throws: AudioEngineError.self) {
            try engine.connect(
                player, to: [AudioConnectionPoint(node: varispeed), AudioConnectionPoint(node: engine.mainMixerNode)], fromBus: 0)
        }
        #expect(throws: AudioEngineError.timeDomains(node: NamedNode(player), effects: [other, varispeed].map { NamedNode($0) })) {
            try engine.connect(player, to: [AudioConnectionPoint(node: varispeed), AudioConnectionPoint(node: other)], fromBus: 0)
        }
        #expect(throws: AudioEngineError.liveInput(effect: NamedNode(other))) { try engine.connect(engine.inputNode, to: other) }
        _ = try engine.render(512)
    }

    /// Taps in front of a time effect and behind it, whether it leads anywhere or not.
    @Test func whatLeadsToATimeEffectCanBeTapped() throws {
        let scene = try Scene(.offline())
        scene.varispeed.rate = 2
        let counts = Mutex([0, 0])
        let nodes: [AudioNode] = [scene.player, scene.varispeed]
        for (index, node) in nodes.enumerated() {
            _ = try node.installTap(onBus: 0, bufferSize: 512) { buffer, _ in counts.withLock { $0[index] += buffer.frameLength } }
        }
        try scene.engine.start()
        scene.player.play()
        _ = try scene.engine.render(5120)
        #expect(waitUntil(milliseconds: 2000) { counts.withLock { $0 } == [10_240, 5120] })
        scene.engine.disconnectNodeOutput(scene.varispeed)
        #expect(throws: Never.self) { try scene.engine.edit {} }
        for _ in 0..<20 { _ = try scene.engine.render(512) }
        #expect(waitUntil(milliseconds: 2000) { counts.withLock { $0[1] } > 5120 })
    }

    @Test func aRateThatIsTooMuchForTheCycleIsRefused() throws {
        let engine = AudioEngine()
        try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 16)
        let (player, timePitch) = (AudioPlayerNode(), AudioUnitTimePitch())
        for node in [player, timePitch] as [AudioNode] { engine.attach(node) }
        try engine.connect(player, to: timePitch)
        try engine.connect(timePitch, to: engine.mainMixerNode)
        #expect(throws: AudioEngineError.tooManyFrames(32, maximum: 16)) { try engine.start() }
    }

    /// Two in a row, players of two rates in front of them, and a detour that comes and goes while it plays.
    @Test func timeEffectsCanBeNestedAndComeAndGo() throws {
        let scene = try Scene(.offline())
        let second = AudioUnitVarispeed()
        let fast = AudioPlayerNode()
        let mixer = AudioMixerNode()
        for node in [second, fast, mixer] as [AudioNode] { scene.engine.attach(node) }
        try scene.engine.connect(scene.player, to: mixer)
        try scene.engine.connect(fast, to: mixer, format: AudioFormat(sampleRate: 96_000, channelCount: 2))
        try scene.engine.connect(mixer, to: scene.varispeed)
        try scene.engine.connect(scene.varispeed, to: second)
        try scene.engine.connect(second, to: scene.engine.mainMixerNode)
        (scene.varispeed.rate, second.rate) = (1.5, 2)
        try scene.engine.start()
        scene.player.play()
        fast.play()
        var heard = try scene.engine.render(24_000)[0]
        #expect(abs(Tone.frequency(heard[10_000..<24_000]) - 3000) < 0.5)
        #expect(fast.playerTime.sampleTime == 144_000 && scene.player.playerTime.sampleTime == 72_000)
        try scene.engine.connect(scene.player, to: scene.engine.mainMixerNode)
        for _ in 0..<40 { heard = try scene.engine.render(512)[0] }
        #expect(abs(Tone.frequency(heard[0..<512]) - 1000) < 5)
    }

    @Test func aDeadVarispeedIsStoodInForAndReturns() throws {
        let scene = try Scene(.offline())
        scene.varispeed.rate = 1.25
        try scene.engine.start()
        scene.player.play()
        _ = try scene.engine.render(4800)
        let process = try #require(scene.varispeed.plugin?.processIdentifier)
        kill(process, SIGKILL)
        _ = try scene.engine.render(9600)
        let heard = try scene.engine.render(24_000)[0]
        #expect(scene.varispeed.plugin?.processIdentifier != process)
        #expect(abs(Tone.frequency(heard[0..<24_000]) - 1250) < 1)
    }
}
