// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One graph with a node of every kind: the same bits in blocks of any size, on one processor and on two, offline and live. Test thread.

import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct SameBitsTests {
    private static let length = 4096

    /// Players of one and two channels, a source, mixers, an environment, a row of units, one in this process, a side
    /// chain, and several outputs.
    private static func connect(_ engine: AudioEngine) throws -> [AudioUnitEffect] {
        let names = ["Delay", "Distortion", "Reverb", "Probe", "Splitter"]
        var units: [AudioUnitEffect] = []
        for name in names { units.append(AudioUnitEffect(PluginUnit(try Build.unit(name)))) }
        let inside = AudioUnitEffect(PluginUnit(try Build.unit("Gain", inProcess: true)))
        let (stereo, mono, mixer) = (AudioPlayerNode(), AudioPlayerNode(), AudioMixerNode())
        let environment = AudioEnvironmentNode()
        let source = AudioSourceNode { _, sampleTime, output in
            for channel in 0..<output.channelCount {
                for frame in 0..<output.frameCount { output[channel][frame] = Float((sampleTime + Int64(frame)) % 97) / 970 }
            }
        }
        try units[3].unit.setValue(300, of: "latency")
        try inside.unit.setValue(-3, of: "gain")
        try engine.edit {
            for node in units + [inside, stereo, mono, mixer, source, environment] { engine.attach(node) }
            try engine.connect(
                stereo, to: [AudioConnectionPoint(node: units[0]), AudioConnectionPoint(node: units[2])], fromBus: 0)
            try engine.connect(units[0], to: units[1])
            try engine.connect(units[1], to: inside)
            try engine.connect(inside, to: mixer)
            let ends = [AudioConnectionPoint(node: units[3], bus: 1), AudioConnectionPoint(node: environment)]
            try engine.connect(source, to: ends, fromBus: 0)
            try engine.connect(environment, to: mixer)
            try engine.connect(units[2], to: units[3], fromBus: 0, toBus: 0)
            try engine.connect(units[3], to: mixer)
            try engine.connect(mono, to: units[4], format: Sounds.format(1))
            for bus in 0..<3 {
                try engine.connect(units[4], to: mixer, fromBus: bus, toBus: engine.firstFreeInput(of: mixer))
            }
            try engine.connect(mixer, to: engine.mainMixerNode)
        }
        (inside.volume, units[3].pan, units[4].volume, mixer.outputVolume) = (0.3, -0.4, 0.6, 0.7)
        (source.sourceMode, source.obstruction) = (.pointSource, -12)
        source.position = Audio3DPoint(x: -1, y: 1, z: 2)
        for (player, channelCount) in [(stereo, 2), (mono, 1)] {
            player.scheduleBuffer(try Sounds.ramp(1111, channelCount: channelCount), options: .loops)
            player.play()
        }
        return units + [inside]
    }

    private static func offline(_ blocks: [Int], isPipelined: Bool = false) throws -> [[Float]] {
        let engine = try AudioEngine.offline()
        if isPipelined { engine.setPolicy(UnitPolicy(), isPipelined: true) }
        let units = try connect(engine)
        try engine.start()
        // A pipeline takes a block for each unit of a row but the first.
        let late = isPipelined ? engine.latencyFrameCount - 300 : 0
        var heard: [[Float]] = [[], []]
        var left = length + late
        var rest = blocks[...]
        while left > 0 {
            let count = min(left, rest.popFirst() ?? blocks[blocks.count - 1])
            for (channel, samples) in try engine.render(count, block: count).enumerated() { heard[channel] += samples }
            left -= count
        }
        engine.stop()
        withExtendedLifetime(units) {}
        return heard.map { Array($0.dropFirst(late)) }
    }

    private static func live(_ blocks: [Int]) throws -> [[Float]] {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 4096, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let units = try connect(engine)
        try engine.start()
        var heard: [[Float]] = [[], []]
        var rest = blocks[...]
        while heard[0].count < length {
            let count = min(length - heard[0].count, rest.popFirst() ?? blocks[blocks.count - 1])
            // With a deadline that a busy machine keeps, too.
            let block = driver.render(frameCount: count, isOffline: false, slowdown: 1000)
            for channel in 0..<2 { heard[channel] += UnsafeBufferPointer(start: block[channel], count: count) }
        }
        engine.stop()
        let faults = units.flatMap(\.unit.faults)
        #expect(faults.isEmpty, "\(faults)")
        return heard
    }

    private static func random(_ seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        return (0..<200).map { _ in Int.random(in: 1...200, using: &random) }
    }

    @Test func aGraphOfEveryKindOfNodeSoundsTheSame() throws {
        let wanted = try Self.offline([512])
        #expect(wanted[0].contains { abs($0) > 0.01 } && wanted[0] != wanted[1])
        for blocks in [[1], [31], [64], [4096], Self.random(1), Self.random(2)] {
            let heard = try Self.offline(blocks)
            #expect(heard == wanted, "\(blocks.prefix(3))")
        }
        for blocks in [[31], [512], Self.random(3)] {
            let heard = try Self.live(blocks)
            #expect(heard == wanted, "live, \(blocks.prefix(3))")
        }
        let pipelined = try Self.offline([4096], isPipelined: true)
        #expect(pipelined == wanted, "in a pipeline")
    }

    @Test func itSoundsTheSameOnOneProcessor() throws {
        let wanted = try Self.offline([512])
        let all = Scheduling.processors(ofThread: 0)
        try Scheduling.setProcessors([try #require(all.min())], ofThread: 0)
        defer { try? Scheduling.setProcessors(all, ofThread: 0) }
        let heard = try Self.offline([512])
        #expect(heard == wanted)
    }

    @Test(arguments: [1, 64, 500]) func whatFollowsABypassIsTheSameInBlocksOfAnySize(block: Int) throws {
        func heard(_ block: Int) throws -> [Float] {
            let engine = try AudioEngine.offline()
            let (player, reverb) = (AudioPlayerNode(), AudioUnitEffect(PluginUnit(try Build.unit("Reverb"))))
            for node in [player, reverb] { engine.attach(node) }
            try engine.connect(player, to: reverb, format: Sounds.format(2))
            try engine.connect(reverb, to: engine.mainMixerNode)
            player.scheduleBuffer(try Sounds.ramp(1111, channelCount: 2), options: .loops)
            player.play()
            try engine.start()
            var sound = try engine.render(500, block: block)[0]
            // Longer than its fade, and no longer than the longest block.
            reverb.bypass = true
            sound += try engine.render(2000, block: block)[0]
            reverb.bypass = false
            return try sound + engine.render(1500, block: block)[0]
        }
        let wanted = try heard(2000)
        let isSame = zip(try heard(block), wanted).allSatisfy { $0.bitPattern == $1.bitPattern }
        #expect(isSame && wanted[500...].contains { $0 != 0 })
    }
}
