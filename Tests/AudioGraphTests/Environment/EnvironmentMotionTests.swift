// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources that move do not click, and sound the same in blocks of any length. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

@Suite struct EnvironmentMotionTests {
    /// 0.5 from one side to the other within 20 ms is 0.0005 a frame.
    private func largestStep(_ samples: [Float]) -> Float { zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }

    @Test func aJumpFromEarToEarGlides() throws {
        let scene = try EnvironmentScene()
        _ = try scene.gains(x: -1)
        scene.player.position = Audio3DPoint(x: 1, y: 0, z: 0)
        let heard = try scene.engine.render(1920, block: 64)
        // It begins within 64 frames.
        #expect(abs(heard[0][0] - 0.5) < 0.001 && abs(heard[1][959 + 64] - 0.5) < 0.001)
        for side in heard { #expect(largestStep(side) < 0.000_55) }
    }

    @Test func aSourceThatCirclesAndTheWayOfItsChannelsDoNotClick() throws {
        let scene = try EnvironmentScene()
        var heard: [[Float]] = [[], []]
        for step in 0..<200 {
            let angle = Float(step) * 0.13
            scene.player.position = Audio3DPoint(x: 2 * Maths.sin(angle), y: 0, z: -2 * Maths.cos(angle))
            if step == 90 { scene.player.sourceMode = .bypass }
            if step == 120 { scene.player.sourceMode = .pointSource }
            if step == 150 { scene.player.obstruction = -40 }
            if step == 160 { scene.environment.distanceAttenuationParameters.rolloffFactor = 3 }
            for (channel, samples) in try scene.engine.render(137, block: 137).enumerated() { heard[channel] += samples }
        }
        for side in heard {
            // The player begins at once, as a buffer does.
            #expect(largestStep(Array(side.dropFirst())) < 0.001)
            #expect(side.contains { $0 > 0.24 } && side.contains { $0 < 0.01 })
        }
    }

    /// Renders a source in front of a head that turns to the right within half a second.
    private static func turned(inBlocksOf block: Int) throws -> [[Float]] {
        let scene = try EnvironmentScene()
        scene.player.position = Audio3DPoint(x: 0, y: 0, z: -1)
        scene.environment.listenerMotion = AudioHeadMotion([
            AudioHeadMotion.Pose(sampleTime: 0, orientation: Audio3DAngularOrientation()),
            AudioHeadMotion.Pose(sampleTime: 24_000, orientation: Audio3DAngularOrientation(yaw: 90, pitch: 0, roll: 0)),
        ])
        var heard: [[Float]] = [[], []]
        while heard[0].count < 28_800 {
            let count = min(block, 28_800 - heard[0].count)
            for (channel, samples) in try scene.engine.render(count, block: count).enumerated() { heard[channel] += samples }
        }
        return heard
    }

    @Test func aHeadTurnsFrameByFrame() throws {
        let heard = try Self.turned(inBlocksOf: 480)
        for side in heard { #expect(largestStep(Array(side.dropFirst())) < 0.000_05) }
        // A source at an angle from the nose is at the sine of it between the ears.
        for frame in [0, 6000, 12_000, 18_000, 24_000, 28_000] {
            let side = -Maths.sin(min(1, Float(frame) / 24_000) * .pi / 2)
            #expect(abs(heard[0][max(1, frame)] - 0.5 * ((1 - side) / 2).squareRoot()) < 0.001, "frame \(frame)")
            #expect(abs(heard[1][max(1, frame)] - 0.5 * ((1 + side) / 2).squareRoot()) < 0.001, "frame \(frame)")
        }
        for block in [1, 64, 4096] {
            #expect(try Self.turned(inBlocksOf: block) == heard, "in blocks of \(block)")
        }
    }

    @Test func anOrientationThatIsSetEndsTheTurnsOfTheHead() throws {
        let environment = AudioEnvironmentNode()
        let front = AudioHeadMotion.Pose(sampleTime: 0, orientation: Audio3DAngularOrientation())
        environment.listenerMotion = AudioHeadMotion([front])
        #expect(environment.listenerMotion?.poses == [front])
        environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 10, pitch: 0, roll: 0)
        #expect(environment.listenerMotion == nil)
        environment.listenerMotion = AudioHeadMotion([front])
        environment.listenerVectorOrientation = Audio3DVectorOrientation()
        #expect(environment.listenerMotion == nil)
        let nowhere = Audio3DAngularOrientation(yaw: .nan, pitch: 0, roll: 0)
        #expect(AudioHeadMotion([]) == nil && AudioHeadMotion([.init(sampleTime: 0, orientation: nowhere)]) == nil)
    }

    /// A scene with each kind of source, edited at frames 2048, 4096 and so on.
    private static func render(_ blocks: [Int]) throws -> [[Float]] {
        let engine = try AudioEngine.offline()
        let environment = AudioEnvironmentNode()
        engine.attach(environment)
        try engine.connect(environment, to: engine.mainMixerNode)
        var players: [AudioPlayerNode] = []
        for channelCount in [1, 2, 1] {
            let player = AudioPlayerNode()
            engine.attach(player)
            try engine.connect(player, to: environment, format: Sounds.format(channelCount))
            player.scheduleBuffer(try Sounds.ramp(1111, channelCount: channelCount), options: .loops)
            player.play()
            players.append(player)
        }
        // It is rendered while it has left the environment, too.
        let ends = [AudioConnectionPoint(node: environment, bus: 0), AudioConnectionPoint(node: engine.mainMixerNode)]
        try engine.connect(players[0], to: ends, fromBus: 0, format: Sounds.format(1))
        // One that falls silent, and leaves what its filter holds.
        players[2].stop()
        players[2].scheduleBuffer(try Sounds.ramp(1500, channelCount: 1))
        players[2].scheduleBuffer(try Sounds.ramp(700, channelCount: 1), at: AudioTime(sampleTime: 5001, atRate: Sounds.rate))
        players[2].obstruction = -60
        players[2].play()
        try engine.start()
        var heard: [[Float]] = [[], []]
        let edits: [() throws -> Void] = [
            {}, { players[0].position = Audio3DPoint(x: -3, y: 1, z: 2) }, { players[1].sourceMode = .pointSource },
            { environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 100, pitch: 3, roll: 1) },
            { players[0].obstruction = -20 }, { engine.disconnectNodeInput(environment, bus: 0) },
            { try engine.connect(players[0], to: ends, fromBus: 0, format: Sounds.format(1)) }, { players[0].occlusion = -30 },
            { (players[0].obstruction, players[0].occlusion, environment.outputVolume) = (0, 0, 0.5) },
        ]
        var rest = blocks[...]
        for edit in edits {
            try edit()
            var left = 2048
            while left > 0 {
                let count = min(left, rest.popFirst() ?? blocks[blocks.count - 1])
                for (channel, samples) in try engine.render(count, block: count).enumerated() { heard[channel] += samples }
                left -= count
            }
        }
        engine.stop()
        return heard
    }

    @Test func blocksOfAnyLengthHaveTheSameBits() throws {
        let wanted = try Self.render([512])
        #expect(wanted[0].contains { abs($0) > 0.001 } && wanted[0] != wanted[1])
        for blocks in [[1], [31], [64], [2048], [4096], [1, 2, 3, 700, 5, 900, 11]] {
            let heard = try Self.render(blocks)
            for side in 0..<2 {
                let first = heard[side].indices.first { heard[side][$0].bitPattern != wanted[side][$0].bitPattern }
                #expect(first == nil, "in blocks of \(blocks) on side \(side)")
            }
        }
    }
}
