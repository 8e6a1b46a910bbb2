// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Beds around a listener, and the latency of two ears. Test thread.

import AudioFormats
import AudioGraph
import HostingTestSupport
import Spatial
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct AmbientMixerTests {
    private func play(
        _ bench: SpaceBench, _ levels: [Float], _ layout: ChannelLayout?, _ change: (inout AmbientMixer) -> Void = { _ in }
    ) throws {
        var mixer = AmbientMixer(layout: layout)
        change(&mixer)
        let samples = levels.map { Array(repeating: $0, count: 48_000) }
        let sound = try bench.engine.assets.registerSound(samples: samples, sampleRate: 48_000, layout: layout)
        let tree = try bench.engine.assets.registerTree(.sampler(Sampler(sound, mixer: .ambient(mixer), playback: .looping)))
        try SoundEvent(tree, in: bench.engine, mixers: bench.parameters).start()
    }

    @Test func theListenerTurnsAmongTheLoudspeakersAndKeepsThem() throws {
        let bench = try SpaceBench()
        try play(bench, [0.5, 0], nil)
        let ahead = try bench.gains()
        // The left loudspeaker is at 30° to the left.
        #expect(abs(ahead[0] - 0.75.squareRoot()) < 1e-5 && abs(ahead[1] - 0.5) < 1e-5)
        try bench.listener.move(to: SceneTransform(position: SIMD3(500, 0, 0)))
        #expect(try bench.gains() == ahead)
        try bench.listener.move(to: SceneTransform(orientation: HeadAxes(HeadAngles(yaw: -30))))
        let turned = try bench.gains()
        #expect(abs(turned[0] - turned[1]) < 1e-5)
    }

    @Test func itsOwnOrientationTurnsTheOtherWay() throws {
        let bench = try SpaceBench()
        try play(bench, [0.5, 0], nil) { $0.orientation = HeadAxes(HeadAngles(yaw: 30)) }
        let gains = try bench.gains()
        #expect(abs(gains[0] - gains[1]) < 1e-5 && gains[0] > 0.5)
    }

    @Test func lowFrequenciesAreLeftOut() throws {
        for channelCount in [2, 6] {
            let bench = try SpaceBench(channelCount: channelCount)
            let layout = try #require(ChannelLayout.usual(6))
            let low = try #require(layout.speakers.firstIndex(of: .lowFrequency))
            try play(bench, (0..<6).map { $0 == low ? 0.5 : 0 }, layout)
            #expect(try bench.gains().allSatisfy { $0 == 0 })
        }
    }

    @Test func discreteChannelsAreRefused() throws {
        let bench = try SpaceBench()
        #expect(throws: SoundEventError.self) { try play(bench, Array(repeating: 0.1, count: 11), nil) }
    }

    @Test func soundsOfAllMixersAreInStepForTwoEars() throws {
        let bench = try SpaceBench(.automatic, .binaural)
        try bench.move(-1)
        #expect(bench.engine.running.space.latencyFrameCount == 64)
        // A click by each way: the ears of the test head hear it 10 frames after the head.
        let click: [Float] = (0..<4000).map { $0 == 1000 ? 1 : 0 }
        try bench.engine.assets.registerSound(samples: [click], sampleRate: 48_000, id: "click")
        func first(_ mixer: SoundMixer) throws -> Int? {
            let tree = try bench.engine.assets.registerTree(.sampler(Sampler("click", mixer: mixer)))
            try SoundEvent(tree, in: bench.engine, mixers: bench.parameters).start()
            let sound = try bench.graph.render(8192)[0]
            let peak = sound.map { abs($0) }.max() ?? 0
            return sound.firstIndex { abs($0) > peak / 2 }
        }
        let (channel, spatial) = (try first(.channel(ChannelMixer())), try first(.spatial(SpatialMixer())))
        let ambient = try first(.ambient(AmbientMixer()))
        #expect(channel == 1064)
        let (ofHead, ofBed) = (try #require(spatial), try #require(ambient))
        #expect(abs(ofHead - 1064) < 40 && abs(ofBed - 1064) < 40)
    }

    @Test func aChangeOfTheOutputIsAFade() throws {
        let bench = try SpaceBench()
        try bench.move(0, 0, -1)
        try bench.event().start()
        _ = try bench.graph.render(4800)
        try bench.engine.setOutputSpatialization(.binaural)
        let sound = try bench.graph.render(9600)[0]
        #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
        try bench.engine.setOutputSpatialization(.automatic)
        let back = try bench.graph.render(9600)[0]
        #expect(zip(back, back.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
        #expect(abs((back.last ?? 0) - 0.5 / Float(2).squareRoot()) < 1e-5 && bench.engine.running.space.latencyFrameCount == 0)
    }
}
