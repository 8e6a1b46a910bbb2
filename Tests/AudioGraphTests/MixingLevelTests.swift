// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level of a source counts at mixers alone. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

@Suite struct MixingLevelTests {
    @Test func aLevelInFrontOfAnEffectWaitsForAMixer() throws {
        let engine = try AudioEngine.offline()
        let (player, effect) = (AudioPlayerNode(), AudioUnitEQ())
        for node in [player, effect] { engine.attach(node) }
        try engine.connect(player, to: effect, format: Sounds.format(2))
        try engine.connect(effect, to: engine.mainMixerNode, format: Sounds.format(2))
        player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 2) { _, _ in 0.5 }, options: .loops)
        player.volume = 0.25
        try engine.start()
        player.play()
        func level() throws -> Float { try engine.render(9600)[0].last ?? 0 }
        #expect(abs(try level() - 0.5) < 1e-4)
        effect.volume = 0.5
        #expect(abs(try level() - 0.25) < 1e-4)
        // The player has kept its level.
        try engine.connect(player, to: engine.mainMixerNode, format: Sounds.format(2))
        #expect(abs(try level() - 0.125) < 1e-4)
    }
}
