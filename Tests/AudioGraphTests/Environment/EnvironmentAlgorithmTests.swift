// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each algorithm of an environment, its outputs, and sources that follow a way. Test thread.

import AudioFormats
import AudioGraph
import HostingTestSupport
import Testing

@Suite struct EnvironmentAlgorithmTests {
    @Test func aSphericalHeadIsLouderAtTheEarOfTheSource() throws {
        let scene = try EnvironmentScene()
        scene.player.renderingAlgorithm = .sphericalHead
        // A constant has the gain of a steady pressure: 1 far away, and more at the ear of a near source.
        let far = try scene.gains(x: 0, z: -1)
        #expect(abs(far[0] - far[1]) < 1e-4 && abs(far[0] - 0.707) < 0.02)
        let side = try scene.gains(x: 0.2)
        #expect(side[1] > 2 * side[0] && side[0] > 0.3)
    }

    @Test(arguments: [AudioEnvironmentOutputType.auto, .headphones])
    func aSoundFieldHasItsSourcesAtTheirSide(type: AudioEnvironmentOutputType) throws {
        let scene = try EnvironmentScene()
        scene.environment.outputType = type
        scene.player.renderingAlgorithm = .soundField
        let left = try scene.gains(x: -0.9, z: -0.4)
        let right = try scene.gains(x: 0.9, z: -0.4)
        #expect(areClose(left, Array(right.reversed()), within: 0.02))
        if type == .auto { #expect(left[0] > 3 * abs(left[1])) }
        #expect(try scene.gains(x: 0, z: -9)[0] < 0.2)
    }

    /// A source in an environment of so many channels, and the gains after it has settled.
    private func gains(_ layout: ChannelLayout, _ place: Audio3DPoint, _ change: (AudioPlayerNode) -> Void = { _ in }) throws
        -> [Float]
    {
        let engine = try AudioEngine.offline(channelCount: layout.channelCount)
        let (environment, player) = (AudioEnvironmentNode(), AudioPlayerNode())
        engine.attach(environment)
        engine.attach(player)
        try engine.connect(player, to: environment, format: Sounds.format(1))
        var format = Sounds.format(layout.channelCount)
        format.layout = layout
        try engine.connect(environment, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 1) { _, _ in 0.5 }, options: .loops)
        player.position = place
        change(player)
        try engine.start()
        player.play()
        return try engine.render(2400).map { 2 * ($0.last ?? 0) }
    }

    @Test func sixAndEightLoudspeakersPlayASourceWhereItIs() throws {
        for count in [6, 8] {
            let layout = try #require(ChannelLayout.usual(count))
            #expect(
                areClose(try gains(layout, Audio3DPoint(x: 0, y: 0, z: -1)), layout.speakers.map { $0 == .frontCenter ? 1 : 0 }))
            let behind = try gains(layout, Audio3DPoint(x: 0, y: 0, z: 1))
            for (speaker, gain) in zip(layout.speakers, behind) {
                #expect(abs(gain - (speaker == .backLeft || speaker == .backRight ? 0.707_106_8 : 0)) < 1e-4)
            }
        }
    }

    @Test func aSoundFieldIsDecodedToAllLoudspeakers() throws {
        let layout = try #require(ChannelLayout.usual(6))
        let heard = try gains(layout, Audio3DPoint(x: 0, y: 0, z: -1)) { $0.renderingAlgorithm = .soundField }
        let largest = heard.indices.max { heard[$0] < heard[$1] }
        #expect(largest.map { layout.speakers[$0] } == .frontCenter && heard[3] == 0)
    }

    @Test func anAmbienceBedTurnsWithTheListener() throws {
        let scene = try EnvironmentScene(channelCount: 2, others: 0)
        scene.player.sourceMode = .ambienceBed
        // The left loudspeaker stands at 30°: its lateral part is a half.
        let wanted: [Float] = [0.866_025_4, 0.5]
        #expect(areClose(try scene.gains(x: 500), wanted, within: 1e-4))
        scene.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 180, pitch: 0, roll: 0)
        #expect(areClose(try scene.gains(), wanted.reversed(), within: 1e-4))
    }

    @Test func aWayIsFollowedFrameByFrame() throws {
        let scene = try EnvironmentScene()
        _ = try scene.gains()
        // The frames that have been rendered so far.
        let start: Int64 = 2400
        let path = try #require(
            AudioPath([
                AudioPath.Point(sampleTime: start, position: Audio3DPoint(x: 0, y: 0, z: -1)),
                AudioPath.Point(sampleTime: start + 9600, position: Audio3DPoint(x: 0, y: 0, z: -9)),
            ]))
        scene.player.path = path
        let heard = try scene.engine.render(12_000, block: 500)
        // In the middle of the way the distance is 5 m, half a frame's rounding aside.
        #expect(abs(heard[0][4800] * 2 - 0.707_106_8 / 5) < 0.002 && abs(heard[0][11_000] * 2 - 0.707_106_8 / 9) < 1e-4)
        #expect(scene.player.path == path)
        #expect(areClose(try scene.gains(x: -1), [1, 0]))
        #expect(scene.player.path == nil && AudioPath([]) == nil)
    }

    @Test func theAirTakesTrebleAndTravelDelays() throws {
        let scene = try EnvironmentScene()
        (scene.environment.absorbsTreble, scene.environment.hasDopplerEffect) = (true, true)
        scene.environment.distanceAttenuationParameters.rolloffFactor = 0
        scene.player.stop()
        scene.player.position = Audio3DPoint(x: -34.32, y: 0, z: 0)
        let tone: [Float] = [0, 0.5, 0, -0.5]
        scene.player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 1) { _, frame in tone[frame % 4] }, options: .loops)
        _ = try scene.engine.render(4800)
        scene.player.play()
        let heard = try scene.engine.render(9600)[0]
        #expect(heard[..<4700].allSatisfy { abs($0) < 1e-3 } && heard[4900...].contains { abs($0) > 0.1 })
        let power = heard.suffix(2400).reduce(Float(0)) { $0 + $1 * $1 } / 2400
        // 12 kHz lose 7.5 dB on 34 m.
        #expect(abs(20 * Maths.log10((2 * power).squareRoot() / 0.5) + 7.5) < 1.5)
    }

    @Test func impossibleAirIsRefused() throws {
        let scene = try EnvironmentScene()
        (scene.environment.airTemperature, scene.environment.airHumidity) = (1000, .nan)
        #expect((scene.environment.airTemperature, scene.environment.airHumidity) == (20, 50))
        #expect(throws: AudioEngineError.self) { try scene.engine.edit {} }
    }
}
