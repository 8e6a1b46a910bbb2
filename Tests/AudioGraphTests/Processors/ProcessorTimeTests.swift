// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors in time: their latency, the same bits for blocks of any size, edits around them. Test thread.

import HostingTestSupport
import LinuxSystem
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(2))) struct ProcessorTimeTests {
    private static let length = 6000

    /// A source beside itself, turned over and late: what is aligned cancels itself.
    private func cancelling(_ delay: AudioProcessorNode) throws -> AudioEngine {
        let (engine, player) = (try AudioEngine.offline(), AudioPlayerNode())
        let mixer = AudioMixerNode()
        for node in [player, delay, mixer] { engine.attach(node) }
        try engine.connect(
            player, to: [AudioConnectionPoint(node: delay), AudioConnectionPoint(node: mixer)], fromBus: 0, format: Sounds.format())
        try engine.connect(delay, to: mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(1111), options: .loops)
        player.play()
        return engine
    }

    @Test func pathsBesideAProcessorAreDelayedByItsLatency() throws {
        let delay = AudioProcessorNode(HonestDelay())
        let engine = try cancelling(delay)
        try engine.start()
        #expect(engine.latencyFrameCount == 300 && delay.latencyFrameCount == 300)
        #expect(try engine.render(4000, block: 256)[0].allSatisfy { $0 == 0 })
    }

    @Test func anotherLatencyIsCompensatedWhileItPlays() throws {
        let delay = AudioProcessorNode(HonestDelay())
        let engine = try cancelling(delay)
        try engine.start()
        _ = try engine.render(1000, block: 100)
        for frames in [700.0, 20, 0, 1000] {
            try delay.setValue(frames, of: "frames")
            _ = try engine.render(6000, block: 100)
            #expect(engine.latencyFrameCount == Int(frames))
            #expect(try engine.render(1000, block: 100)[0].allSatisfy { $0 == 0 }, "\(frames)")
        }
    }

    /// The paths that stay change with the edit, and not with the cycle in which the fade of the one that leaves has ended.
    @Test func pathsMeetAnewOnTheSameFrameInBlocksOfAnySizeWhenALateOneLeaves() throws {
        func heard(_ block: Int) throws -> [Float] {
            let delay = AudioProcessorNode(HonestDelay())
            let engine = try cancelling(delay)
            try engine.start()
            let before = try engine.render(32_000, block: block)[0]
            _ = try engine.detach(delay).get()
            return before + (try engine.render(32_000, block: block)[0])
        }
        let wanted = try heard(64)
        for block in [256, 1000] { #expect(try heard(block) == wanted, "\(block)") }
        #expect(wanted[..<32_000].allSatisfy { $0 == 0 } && wanted[32_100] != 0)
        // The fade takes 1200 frames, and nothing is late after it.
        #expect((33_200..<64_000).allSatisfy { wanted[$0] == Float($0 % 1111 + 1) / 65_536 })
    }

    @Test(arguments: [1 << 40, .max, (1 << 20) + 1]) func aLatencyThatNoPathCanMakeUpForIsRefused(frames: Int) throws {
        let node = AudioProcessorNode(name: "Late", latencyFrameCount: frames) { block in block.output.copy(from: block.input) }
        let engine = try cancelling(node)
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        #expect(
            error?.description == "\"Late\" does not take 2 channels at 48000.0 Hz on bus 0: it would have a latency of \(frames) "
                + "frames, and 1048576 are the most.", "\(error!)")
        #expect(!engine.isRunning)
    }

    @Test(arguments: [(-5, 0), (.min, 0), (.max, 1 << 20), (1 << 40, 1 << 20)] as [(Int, Int)])
    func aLatencyThatGrowsBeyondAllBoundsIsCutOff(
        frames: Int, counted: Int
    ) throws {
        let node = AudioProcessorNode(Boaster(frames))
        let engine = try cancelling(node)
        try engine.start()
        _ = try engine.render(600, block: 100)
        #expect(engine.latencyFrameCount == counted && node.latencyFrameCount == counted)
    }

    @Test func aTimeThatIsNoneHasNoFrames() {
        let environment = RenderEnvironment(sampleRate: 48_000, maximumFrameCount: 512, isOffline: true)
        let setup = AudioProcessorSetup(inputs: [], outputs: [], environment)
        #expect(setup.frameCount(seconds: 0.02) == 960 && setup.frameCount(seconds: .nan) == 0)
        #expect(setup.frameCount(seconds: .infinity) == 1 << 53 && setup.frameCount(seconds: -.infinity) == -1 << 53)
    }

    /// Every kind of processor, with a latency to align.
    private static func connect(_ engine: AudioEngine) throws -> AudioProcessorNode {
        let (player, tremolo) = (AudioPlayerNode(), AudioProcessorNode(Tremolo()))
        let (delay, ring, ramps) = (
            AudioProcessorNode(HonestDelay()), AudioProcessorNode(RingModulator()), AudioProcessorNode(Ramps())
        )
        let half = AudioProcessorNode { block in block.output.copy(from: block.input, gain: 0.5) }
        try engine.edit {
            for node in [player, tremolo, delay, ring, ramps, half] { engine.attach(node) }
            try engine.connect(
                player, to: [AudioConnectionPoint(node: delay), AudioConnectionPoint(node: tremolo)], fromBus: 0,
                format: Sounds.format())
            try engine.connect(delay, to: ring)
            try engine.connect(ramps, to: ring, fromBus: 1, toBus: 1)
            try engine.connect(ring, to: half)
            try engine.connect(half, to: engine.mainMixerNode)
            try engine.connect(tremolo, to: engine.mainMixerNode)
        }
        player.scheduleBuffer(try Sounds.ramp(1111), options: .loops)
        player.play()
        return tremolo
    }

    private static func render(_ blocks: [Int], _ render: (Int) throws -> [[Float]]) rethrows -> [[Float]] {
        var heard: [[Float]] = [[], []]
        var rest = blocks[...]
        while heard[0].count < length {
            let count = min(length - heard[0].count, rest.popFirst() ?? blocks[blocks.count - 1])
            for (channel, samples) in try render(count).enumerated() { heard[channel] += samples }
        }
        return heard
    }

    private static func offline(_ blocks: [Int]) throws -> [[Float]] {
        let engine = try AudioEngine.offline()
        _ = try connect(engine)
        try engine.start()
        return try render(blocks) { try engine.render($0, block: $0) }
    }

    private static func live(_ blocks: [Int]) throws -> [[Float]] {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 4096, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        _ = try connect(engine)
        try engine.start()
        defer { engine.stop() }
        return render(blocks) { count in
            let block = driver.render(frameCount: count, isOffline: false, slowdown: 1000)
            return (0..<2).map { Array(UnsafeBufferPointer(start: block[$0], count: count)) }
        }
    }

    private static func random(_ seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        return (0..<400).map { _ in Int.random(in: 1...200, using: &random) }
    }

    @Test func processorsPutOutTheSameBitsInBlocksOfAnySizeLiveAndOffline() throws {
        let wanted = try Self.offline([512])
        #expect(wanted[0].contains { $0 > 0.001 })
        #expect(wanted[0] != wanted[1])
        for blocks in [[1], [32], [64], [256], [4096], Self.random(1), Self.random(2)] {
            #expect(try Self.offline(blocks) == wanted, "\(blocks.prefix(3))")
        }
        for blocks in [[32], [64], [256], [4096], Self.random(3)] {
            #expect(try Self.live(blocks) == wanted, "live, \(blocks.prefix(3))")
        }
    }

    /// Whether the processors go on as if nothing had been: other branches come and go, are tapped and change their level.
    @Test func editsAroundAProcessorLeaveItsBitsAsTheyAre() throws {
        func heard(edits: Bool) throws -> [Float] {
            let engine = try AudioEngine.offline()
            let tremolo = try Self.connect(engine)
            let (other, guest) = (AudioSourceNode { isSilence, _, _ in isSilence = true }, AudioProcessorNode(Tremolo()))
            try engine.start()
            var sound: [Float] = []
            for step in 0..<40 {
                if edits {
                    switch step % 8 {
                    case 1: for node in [other, guest] { engine.attach(node) }
                    case 2: try engine.connect(other, to: guest)
                    case 3: try engine.connect(guest, to: engine.mainMixerNode)
                    case 4: try engine.connect(other, to: guest, format: Sounds.format(1))
                    case 6: engine.detach(guest)
                    case 7: engine.detach(other)
                    default: break
                    }
                }
                if step == 20 { try tremolo.setValue(1, of: "depth") }
                sound += try engine.render(1500, block: 250)[0]
            }
            return sound
        }
        let (wanted, edited) = (try heard(edits: false), try heard(edits: true))
        #expect(zip(wanted, edited).allSatisfy { $0.bitPattern == $1.bitPattern } && wanted.contains { $0 != 0 })
    }

    @Test func aProcessorPlaysBesideADriverOfItsOwnTime() throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 256, sampleRate: Sounds.rate))
        let tremolo = try Self.connect(engine)
        try engine.start()
        #expect(waitUntil(milliseconds: 5000) { engine.statistics.map { $0.cycles > 20 } ?? false })
        try tremolo.setValue(0.1, of: "depth")
        engine.stop()
        #expect(tremolo.invalidBlockCount == 0)
    }
}
