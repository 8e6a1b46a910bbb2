// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sound in the room of a scene. Test thread.

import AudioGraph
import HostingTestSupport
import Spatial
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct SceneRoomTests {
    private func power(_ sound: [[Float]]) -> Double { sound.joined().reduce(0) { $0 + Double($1 * $1) } }

    @Test func theRoomHearsWhatIsSentToItAndGoesOnBehindIt() throws {
        let bench = try SpaceBench()
        try bench.engine.setReverb(.largeHall)
        #expect(bench.engine.reverb == .largeHall && bench.engine.reverbNode != nil)
        try bench.move(0, 0, -1)
        func play(_ level: Double?, direct: SpatialMixer.Send? = nil) throws -> [[Float]] {
            let event = try bench.event(
                "noise", { $0.playback = .oneShot },
                { mixer in
                    mixer.directPath = direct
                    mixer.lateReverb = level.map { SpatialMixer.Send(level: $0) }
                })
            try event.start()
            let sound = try bench.graph.render(24_000)
            let tail = try bench.graph.render(9600)
            event.stop()
            _ = try bench.graph.render(480_000)
            #expect(level == nil || power(tail) > 1e-6)
            return sound
        }
        let (whole, half) = (try power(play(1)), try power(play(0.5)))
        // The room moves a little by itself.
        #expect((3...5.3).contains(whole / half), "\(whole / half)")
        #expect(try power(play(nil, direct: SpatialMixer.Send())) > 1)
    }

    @Test func aPresetCanBeChangedAndTakenAway() throws {
        let bench = try SpaceBench()
        try bench.engine.setReverb(.smallRoom)
        let node = bench.engine.reverbNode
        try bench.engine.setReverb(.cathedral)
        #expect(bench.engine.reverbNode === node && bench.engine.reverb == .cathedral)
        try bench.engine.setReverb(nil)
        #expect(bench.engine.reverbNode == nil && node?.engine == nil && bench.engine.reverb == nil)
        try bench.event("noise", { _ in }) { ($0.directPath, $0.lateReverb) = (nil, SpatialMixer.Send()) }.start()
        #expect(try bench.graph.render(4800).joined().allSatisfy { $0 == 0 })
        try bench.engine.setReverb(.smallRoom)
        #expect(try bench.graph.render(24_000).joined().contains { abs($0) > 1e-4 })
    }
}
