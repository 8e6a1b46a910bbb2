// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What users of other engines complain of, and no other suite tries. Test thread.

import HostingTestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct ComplaintTests {
    private func constant(_ value: Float, _ channelCount: Int = 2) throws -> AudioPCMBuffer {
        try Sounds.buffer(4800, channelCount: channelCount) { _, _ in value }
    }

    private func player(_ value: Float, in engine: AudioEngine, _ channelCount: Int = 2) throws -> AudioPlayerNode {
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: Sounds.format(channelCount))
        player.scheduleBuffer(try constant(value, channelCount), options: .loops)
        player.play()
        return player
    }

    /// "An empty mixer ignores later connections", "an unfed mixer is silently disconnected", "eight inputs crash".
    @Test func aMixerThatWasEmptyWhileItPlayedTakesTwentyInputs() throws {
        let engine = try AudioEngine.offline()
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.start()
        #expect(try engine.render(9600)[0].allSatisfy { $0 == 0 })
        for _ in 0..<20 { try engine.connect(try player(0.01, in: engine), to: mixer) }
        _ = try engine.render(4800)
        #expect(try engine.render(4800)[0].allSatisfy { abs($0 - 0.2) < 1e-4 })
        #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 0)?.node === mixer)
    }

    /// "Splits with different rates are refused".
    @Test func oneSourceFeedsMixersOfThreeRates() throws {
        let engine = try AudioEngine.offline()
        let source = try player(0.1, in: engine)
        let mixers = [44_100.0, 48_000, 96_000].map { _ in AudioMixerNode() }
        for (mixer, rate) in zip(mixers, [44_100.0, 48_000, 96_000]) {
            engine.attach(mixer)
            try engine.connect(mixer, to: engine.mainMixerNode, format: AudioFormat(sampleRate: rate, channelCount: 2))
        }
        try engine.connect(source, to: mixers.map { AudioConnectionPoint(node: $0) }, fromBus: 0)
        try engine.start()
        _ = try engine.render(9600)
        #expect(try engine.render(4800)[0].allSatisfy { abs($0 - 0.3) < 1e-4 })
    }

    /// "Only two channels".
    @Test(arguments: [3, 6, 16]) func manyChannelsAreKeptApart(channelCount: Int) throws {
        let engine = try AudioEngine.offline(channelCount: channelCount)
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: Sounds.format(channelCount))
        let buffer = try Sounds.buffer(4800, channelCount: channelCount) { channel, _ in Float(channel + 1) / 64 }
        player.scheduleBuffer(buffer, options: .loops)
        player.play()
        try engine.start()
        _ = try engine.render(4800)
        let heard = try engine.render(480)
        for channel in 0..<channelCount { #expect(heard[channel].allSatisfy { $0 == Float(channel + 1) / 64 }) }
    }

    /// "Many time-pitches crackle".
    @Test func eightTimePitchesSoundAsEachDoesAlone() throws {
        func render(_ numbers: Range<Int>) throws -> [Float] {
            let engine = try AudioEngine.offline()
            for number in numbers {
                let (player, timePitch) = (AudioPlayerNode(), AudioUnitTimePitch())
                (timePitch.rate, timePitch.pitch) = (0.8 + 0.1 * Float(number), Float(50 * number))
                engine.attach(player)
                engine.attach(timePitch)
                try engine.connect(player, to: timePitch)
                try engine.connect(timePitch, to: engine.mainMixerNode)
                let tone = try Sounds.buffer(4800) { _, frame in Float((frame * (number + 3)) % 96) / 960 - 0.05 }
                player.scheduleBuffer(tone, options: .loops)
                player.play()
            }
            try engine.start()
            return try engine.render(24_000)[0]
        }
        let together = try render(0..<8)
        let apart = try (0..<8).map { try render($0..<$0 + 1) }
        for frame in 12_000..<24_000 {
            #expect(abs(together[frame] - apart.reduce(0) { $0 + $1[frame] }) < 1e-5)
        }
    }
}
