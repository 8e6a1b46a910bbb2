// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Environments that play to the layouts of BS.2051 and to sound fields, and sources that are sound fields. Test thread.

import AudioFormats
import AudioGraph
import HostingTestSupport
import Testing

@Suite struct EnvironmentArrangementTests {
    /// The gains of a constant source, after it has settled.
    private func gains(
        _ arrangement: AudioEnvironmentArrangement?, _ format: AudioFormat, channels: [Float] = [0.5],
        _ change: (AudioEnvironmentNode, AudioPlayerNode) -> Void
    ) throws -> [Float] {
        let engine = try AudioEngine.offline(channelCount: format.channelCount)
        let (environment, player) = (AudioEnvironmentNode(), AudioPlayerNode())
        environment.outputArrangement = arrangement
        engine.attach(environment)
        engine.attach(player)
        try engine.connect(player, to: environment, format: Sounds.format(channels.count))
        try engine.connect(environment, to: engine.outputNode, format: format)
        player.scheduleBuffer(
            try Sounds.buffer(4800, channelCount: channels.count) { channel, _ in channels[channel] }, options: .loops)
        change(environment, player)
        try engine.start()
        player.play()
        return try engine.render(2400).map { 2 * ($0.last ?? 0) }
    }

    @Test func everyLayoutPlaysASourceInFrontWithTheSamePower() throws {
        for name in AudioEnvironmentArrangement.loudspeakerNames {
            let arrangement = AudioEnvironmentArrangement.loudspeakers(name)
            let count = try #require(arrangement.channelCount)
            let heard = try gains(arrangement, Sounds.format(count)) { $1.position = Audio3DPoint(x: 0, y: 0, z: -1) }
            let power = heard.reduce(0) { $0 + $1 * $1 }
            #expect(heard.count == count && abs(power - 1) < 1e-3, "\(name): \(heard)")
        }
    }

    @Test func sevenOneFourHasSpeakersAbove() throws {
        let layout = try #require(
            ChannelLayout([
                .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight, .topFrontLeft,
                .topFrontRight, .topBackLeft, .topBackRight,
            ]))
        var format = Sounds.format(12)
        format.layout = layout
        let heard = try gains(nil, format) { $1.position = Audio3DPoint(x: 0, y: 1, z: 0) }
        #expect(heard[8...].allSatisfy { $0 > 0.4 } && heard[..<8].allSatisfy { abs($0) < 1e-3 }, "\(heard)")
    }

    @Test(arguments: 1...3)
    func aSoundFieldHoldsTheDirection(order: Int) throws {
        let count = (order + 1) * (order + 1)
        let left = try gains(.soundField(order: order), Sounds.format(count)) { $1.position = Audio3DPoint(x: -1, y: 0, z: 0) }
        // W, Y, Z and X of SN3D: all, to the left, up and to the front.
        #expect(areClose(Array(left[..<4]), [1, 1, 0, 0], within: 1e-4) && left.count == count)
        let front = try gains(.soundField(order: order), Sounds.format(count)) { environment, player in
            player.position = Audio3DPoint(x: -1, y: 0, z: 0)
            environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: -90, pitch: 0, roll: 0)
        }
        #expect(areClose(Array(front[..<4]), [1, 0, 0, 1], within: 1e-4))
    }

    @Test func channelsWithoutAPlaceComeFromTheirLoudspeakers() throws {
        let field = try gains(.soundField(order: 1), Sounds.format(4), channels: [0.5, 0]) { _, _ in }
        #expect(areClose(field, [1, 0.5, 0, 0.866_025_4], within: 1e-4))
    }

    @Test(arguments: [4, 9, 16])
    func aSourceThatIsASoundFieldTurnsWithTheListener(count: Int) throws {
        // A plane wave from the front, of order 1 at least: W and X.
        let wave = (0..<count).map { Float($0 == 0 || $0 == 3 ? 0.5 : 0) }
        func heard(_ yaw: Float) throws -> [Float] {
            try gains(.soundField(order: 1), Sounds.format(4), channels: wave) { environment, player in
                (player.sourceMode, player.hasAmbisonicBed) = (.ambienceBed, true)
                environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: yaw, pitch: 0, roll: 0)
            }
        }
        #expect(areClose(try heard(0), [1, 0, 0, 1], within: 1e-4))
        // The channel in front is at the left of a head that has turned to the right.
        #expect(areClose(try heard(90), [1, 1, 0, 0], within: 1e-4))
    }

    @Test func theRoomIsInTheFieldToo() throws {
        let heard = try gains(.soundField(order: 1), Sounds.format(4)) { environment, player in
            (player.position, player.reverbBlend) = (Audio3DPoint(x: 0, y: 0, z: -1), 1)
            environment.reverbParameters.enable = true
        }
        #expect(heard.count == 4 && abs(heard[2]) < 1e-6 && abs(heard[3]) < 1e-6)
    }

    @Test func whatIsUnknownIsRefused() throws {
        let (engine, environment) = (try AudioEngine.offline(), AudioEnvironmentNode())
        engine.attach(environment)
        for arrangement in [AudioEnvironmentArrangement.loudspeakers("1+1+1"), .soundField(order: 4), .soundField(order: .max)] {
            environment.outputArrangement = arrangement
            #expect(environment.outputArrangement == nil)
            #expect(throws: AudioEngineError.self) { try engine.edit {} }
        }
        environment.outputArrangement = .soundField(order: 3)
        #expect(throws: AudioEngineError.self) {
            try engine.connect(environment, to: engine.mainMixerNode, format: Sounds.format(2))
        }
    }
}
