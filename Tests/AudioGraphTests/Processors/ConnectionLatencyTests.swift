// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors of connections whose latency changes while an engine plays. Test thread.

import HostingTestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(2))) struct ConnectionLatencyTests {
    @Test func theLatencyOfAConnectionIsCompensatedWhileItPlays() throws {
        let (engine, player, mixer) = (try AudioEngine.offline(), AudioPlayerNode(), LateMixerNode())
        for node in [player, mixer] { engine.attach(node) }
        // A source beside itself, turned over: what is aligned cancels itself.
        try engine.connect(
            player, to: (0..<2).map { AudioConnectionPoint(node: mixer, bus: $0) }, fromBus: 0, format: Sounds.format())
        try engine.connect(mixer, to: engine.mainMixerNode)
        try #require(player.destination(forMixer: mixer, bus: 1)).volume = -1
        player.scheduleBuffer(try Sounds.ramp(1111), options: .loops)
        player.play()
        try #require(mixer.processors.count == 2)
        mixer.processors[0].latencyFrameCount = 300
        try engine.start()
        #expect(engine.latencyFrameCount == 300)
        #expect(try engine.render(4000, block: 100)[0].allSatisfy { $0 == 0 })
        for (frames, place) in [(700, 0), (20, 0), (0, 0), (1000, 1)] {
            mixer.processors[place].latencyFrameCount = frames
            _ = try engine.render(6000, block: 100)
            #expect(engine.latencyFrameCount == frames)
            #expect(try engine.render(1000, block: 100)[0].allSatisfy { $0 == 0 }, "\(frames)")
        }
    }
}
