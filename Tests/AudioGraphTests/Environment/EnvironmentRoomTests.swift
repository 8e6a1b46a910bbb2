// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The room of an environment: blend, obstacles, level, and the death of its process. Test thread.

import AudioFormats
import AudioGraph
import Glibc
import HostingTestSupport
import PluginHosting
import Testing

@Suite struct EnvironmentRoomTests {
    /// A source in front of the listener: the direct sound comes from the centre alone, and the room from the left and the right.
    private struct Scene {
        let engine: AudioEngine
        let environment = AudioEnvironmentNode()
        let player = AudioPlayerNode()

        init(hasRoom: Bool = true) throws {
            engine = try AudioEngine.offline(channelCount: 6)
            engine.attach(environment)
            engine.attach(player)
            try engine.connect(player, to: environment, format: Sounds.format(1))
            try engine.connect(environment, to: engine.mainMixerNode, format: Sounds.format(6))
            player.scheduleBuffer(try Self.tone(), options: .loops)
            player.position = Audio3DPoint(x: 0, y: 0, z: -1)
            (player.reverbBlend, environment.reverbParameters.enable) = (0.5, hasRoom)
            try engine.start()
            player.play()
        }

        /// A sawtooth of 1.3 kHz.
        static func tone() throws -> AudioPCMBuffer {
            try Sounds.buffer(1110, channelCount: 1) { _, frame in Float(frame % 37) / 37 - 0.5 }
        }

        /// The sound of the centre, and that of the left and the right.
        func render(_ frameCount: Int) throws -> (direct: [Float], room: [Float]) {
            let heard = try engine.render(frameCount)
            return (heard[2], heard[0] + heard[1])
        }

        /// The level of the room after it has settled.
        func roomLevel() throws -> Float {
            _ = try engine.render(48_000)
            return try power(render(24_000).room)
        }
    }

    private static func isHeard(_ samples: [Float]) -> Bool { samples.contains { abs($0) > 1e-4 } }

    @Test func theRoomHearsASourceByItsBlend() throws {
        let scene = try Scene()
        let (direct, room) = try scene.render(24_000)
        #expect(Self.isHeard(room) && Self.isHeard(direct))
        let half = try scene.roomLevel()
        scene.player.reverbBlend = 1
        let whole = try scene.roomLevel()
        // Twice the amplitude; the room moves a little by itself.
        #expect((3...5.3).contains(whole / half), "\(whole / half)")
        #expect(!Self.isHeard(try scene.render(4800).direct))
        scene.player.reverbBlend = 0
        _ = try scene.engine.render(480_000)
        #expect(!Self.isHeard(try scene.render(4800).room))
    }

    @Test func anObstructionLeavesTheRoomAndAnOcclusionDoesNot() throws {
        let scene = try Scene()
        let open = try scene.roomLevel()
        scene.player.obstruction = -100
        #expect(abs(try scene.roomLevel() / open - 1) < 0.1)
        #expect(!Self.isHeard(try scene.render(4800).direct))
        (scene.player.obstruction, scene.player.occlusion) = (0, -100)
        _ = try scene.engine.render(480_000)
        let (direct, room) = try scene.render(4800)
        #expect(!Self.isHeard(direct) && !Self.isHeard(room))
    }

    @Test func levelFilterAndPresetShapeTheRoom() throws {
        let scene = try Scene()
        let level = try scene.roomLevel()
        scene.environment.reverbParameters.level = -20
        #expect(abs(try scene.roomLevel() / level - 0.01) < 0.002)
        scene.environment.reverbParameters.level = 100
        #expect(scene.environment.reverbParameters.level == 40)
        scene.environment.reverbParameters.level = 0
        let filter = scene.environment.reverbParameters.filterParameters
        (filter.filterType, filter.frequency, filter.bypass) = (.highPass, 10_000, false)
        #expect(try scene.roomLevel() < level / 10)
        filter.bypass = true
        scene.environment.reverbParameters.loadFactoryReverbPreset(.smallRoom)
        _ = try scene.roomLevel()
        scene.player.stop()
        _ = try scene.engine.render(48_000)
        // A small room is silent after a second, a hall is not.
        #expect(!Self.isHeard(try scene.render(4800).room))
    }

    @Test func withoutARoomTheWholeSourceIsHeardDirectly() throws {
        let scene = try Scene(hasRoom: false)
        let direct = try scene.render(4800)
        #expect(!Self.isHeard(direct.room) && scene.player.reverbBlend == 0.5)
        scene.environment.reverbParameters.enable = true
        _ = try scene.engine.render(24_000)
        #expect(Self.isHeard(try scene.render(4800).room))
        scene.environment.reverbParameters.enable = false
        _ = try scene.engine.render(4800)
        #expect(!Self.isHeard(try scene.render(4800).room))
        let points = scene.engine.outputConnectionPoints(for: scene.player, outputBus: 0)
        #expect(points.count == 1 && points[0].node === scene.environment)
    }

    @Test func theDirectSoundGoesOnBitForBitWhenTheRoomDies() throws {
        let (scene, other) = (try Scene(), try Scene())
        #expect(Self.isHeard(try scene.render(24_000).room))
        _ = try other.engine.render(24_000)
        let unit = try #require(scene.environment.reverbParameters.unit)
        kill(try #require(unit.processIdentifier), SIGKILL)
        var (direct, room): ([Float], [Float]) = ([], [])
        for _ in 0..<100 {
            let heard = try scene.render(480)
            direct += heard.direct
            room = heard.room
        }
        #expect(unit.restartCount == 1 && Self.isHeard(room))
        #expect(try direct.map(\.bitPattern) == other.render(48_000).direct.map(\.bitPattern) && Self.isHeard(direct))
    }

    @Test func aSourceThatComesLaterIsInTheRoomAndOneThatLeavesIsNot() throws {
        let scene = try Scene()
        scene.player.reverbBlend = 0
        let late = AudioPlayerNode()
        scene.engine.attach(late)
        try scene.engine.connect(late, to: scene.environment, format: Sounds.format(1))
        late.reverbBlend = 1
        late.scheduleBuffer(try Scene.tone(), options: .loops)
        late.play()
        _ = try scene.engine.render(24_000)
        #expect(Self.isHeard(try scene.render(4800).room))
        scene.engine.detach(late)
        _ = try scene.engine.render(480_000)
        #expect(!Self.isHeard(try scene.render(4800).room))
    }
}

private func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
