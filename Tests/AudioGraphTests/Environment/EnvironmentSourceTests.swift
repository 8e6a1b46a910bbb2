// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What sources in space are told: their channels, what stands in the way, and one connection apart. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

@Suite struct EnvironmentSourceTests {
    @Test func twoChannelsGoThroughAsTheyAre() throws {
        let scene = try EnvironmentScene(channelCount: 2)
        #expect(scene.player.sourceMode == .spatializeIfMono)
        #expect(areClose(try scene.gains(x: -10), [1, 0.5]))
    }

    @Test func aPointSourceIsTheMeanOfItsChannels() throws {
        let scene = try EnvironmentScene(channelCount: 2)
        scene.player.sourceMode = .pointSource
        #expect(areClose(try scene.gains(x: -2), [0.375, 0]))
        scene.player.sourceMode = .spatializeIfMono
        #expect(areClose(try scene.gains(), [1, 0.5]))
    }

    @Test func whatIsBypassedKnowsNoPlace() throws {
        let scene = try EnvironmentScene()
        #expect(areClose(try scene.gains(x: -2), [0.5, 0]))
        scene.player.sourceMode = .bypass
        #expect(areClose(try scene.gains(), [1, 1]))
        scene.player.sourceMode = .spatializeIfMono
        scene.player.renderingAlgorithm = .stereoPassThrough
        #expect(areClose(try scene.gains(), [1, 1]))
        scene.player.renderingAlgorithm = .auto
        #expect(areClose(try scene.gains(), [0.5, 0]))
    }

    @Test func theDirectionFadesInsideTheHead() throws {
        let scene = try EnvironmentScene(channelCount: 2)
        scene.player.sourceMode = .pointSource
        // The mean of 0.5 and 0.25, at both sides.
        #expect(areClose(try scene.gains(x: 0), [0.530_330_1, 0.530_330_1]))
        // Half way to the left ear the lateral part is a half: the roots of 3/4 and 1/4.
        #expect(areClose(try scene.gains(x: -0.04375), [0.649_519_1, 0.375]))
        scene.player.pointSourceInHeadMode = .bypass
        #expect(areClose(try scene.gains(x: 0), [1, 0.5]))
        #expect(areClose(try scene.gains(x: -0.04375), [0.5 + 0.375, 0.25]))
        #expect(areClose(try scene.gains(x: -1), [0.75, 0]))
    }

    @Test func whatIsInTheWayTakesLevelAndTreble() throws {
        let scene = try EnvironmentScene()
        scene.player.obstruction = -12
        scene.player.occlusion = -8
        // −20 dB.
        #expect(areClose(try scene.gains(x: -1), [0.1, 0]))
        // 12 kHz through a one-pole low pass that begins at 6300 Hz: the share is 0.5616, and the gain 0.5143.
        scene.player.stop()
        let tone: [Float] = [0, 0.5, 0, -0.5]
        scene.player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 1) { _, frame in tone[frame % 4] }, options: .loops)
        scene.player.play()
        let heard = try scene.engine.render(4800)[0].suffix(2400)
        let power = heard.reduce(Float(0)) { $0 + $1 * $1 } / 2400
        #expect(abs((2 * power).squareRoot() / 0.5 - 0.051_43) < 1e-4)
        (scene.player.obstruction, scene.player.occlusion) = (12, -.infinity)
        #expect((scene.player.obstruction, scene.player.occlusion) == (0, -100))
    }

    @Test func oneConnectionHasAPlaceOfItsOwn() throws {
        let scene = try EnvironmentScene()
        let destination = try #require(scene.player.destination(forMixer: scene.environment, bus: 0))
        destination.position = Audio3DPoint(x: 2, y: 0, z: 0)
        #expect(areClose(try scene.gains(), [0, 0.5]))
        #expect(scene.player.position == Audio3DPoint() && destination.position.x == 2)
        destination.volume = 0.5
        #expect(areClose(try scene.gains(), [0, 0.25]))
        #expect(areClose(try scene.gains(x: -2), [0.25, 0]))
        #expect(destination.position.x == -2)
    }

    @Test func aPlaceIsKeptFromConnectionToConnection() throws {
        let scene = try EnvironmentScene()
        _ = try scene.gains(x: -2)
        scene.engine.disconnectNodeOutput(scene.player)
        _ = try scene.gains()
        #expect(scene.environment.nextAvailableInputBus == 0)
        try scene.engine.connect(scene.player, to: scene.environment, format: Sounds.format(1))
        #expect(areClose(try scene.gains(), [0.5, 0]))
        #expect(scene.environment.nextAvailableInputBus == 1)
    }

    @Test func sourcesAddUp() throws {
        let scene = try EnvironmentScene()
        _ = try scene.gains(x: -2)
        for x: Float in [2, 4] {
            let player = AudioPlayerNode()
            scene.engine.attach(player)
            try scene.engine.connect(player, to: scene.environment, format: Sounds.format(1))
            player.position = Audio3DPoint(x: x, y: 0, z: 0)
            player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 1) { _, _ in 0.5 }, options: .loops)
            player.play()
        }
        #expect(areClose(try scene.gains(), [0.5, 0.75]))
    }
}
