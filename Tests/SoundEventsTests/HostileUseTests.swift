// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wrong and unlucky use: buffers from closures, engines that go, short loops, layouts that do not fit. Test thread.

import AudioFormats
import AudioGraph
import HostingTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct HostileUseTests {
    private final class Shared: Sendable {
        let count = Atomic(0)
        let isOver = Atomic(false)
    }

    private func buffer(_ frameCount: Int, _ value: Float) throws -> AudioPCMBuffer {
        try Sounds.buffer(frameCount, channelCount: 1) { _, _ in value }
    }

    /// A closure that schedules the next buffer is told that the event has ended, and nothing is written behind its end.
    @Test func aBufferThatIsScheduledWhenItsEventEnds() throws {
        let bench = try EventBench(.manual)
        let stream = SoundStream("s", mixer: EventBench.mixer, channelCount: 1)
        let event = try bench.event(.push(stream))
        let node = try #require(event.pushStreams["s"])
        let refused = Shared()
        for _ in 0..<3 {
            let next = try buffer(480, 0.25)
            try node.schedule(try buffer(480, 0.5)) { _ in
                do throws(SoundEventError) { try node.schedule(next) } catch { refused.count.add(1, ordering: .relaxed) }
            }
        }
        try event.start()
        try bench.present.update()
        _ = try bench.render(64)
        event.stop()
        try bench.present.update()
        _ = try bench.render(4800)
        try bench.present.update()
        _ = try bench.render(4800)
        #expect(refused.count.load(ordering: .relaxed) == 3 && event.phase == .ended)
    }

    /// A group of speed 4 leaps over a loop of one frame, and comes back.
    @Test(arguments: [1, 2, 3]) func aLoopThatIsShorterThanAStep(length: Int) throws {
        let bench = try EventBench()
        try bench.present.assets.registerSound(samples: [Array(repeating: 0.5, count: length)], sampleRate: 48_000, id: "short")
        let group = try bench.present.addGroup("g")
        let event = try bench.event(
            EventBench.sampler("short") {
                $0.playback = .looping
                $0.group = "g"
            })
        try event.start()
        for rate in [4, 1, 3.7, 1, 0.25, 1.0] {
            group.rate = rate
            #expect(try bench.render(1000).allSatisfy { abs($0) < 0.8 })
        }
        group.rate = 1
        _ = try bench.render(1000)
        #expect(try bench.render(1000).allSatisfy { abs($0 - 0.5) < 0.01 })
    }

    @Test func aLayoutOfOtherChannelsARateOfNoFileAndATreeOfManyLevels() throws {
        let assets = try EventBench().present.assets
        let layout = try #require(ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]))
        #expect(throws: SoundEventError.self) {
            try assets.registerSound(samples: [[1], [1]], sampleRate: 48_000, layout: layout)
        }
        for rate in [1e-300, 1, 1e9, .infinity, .nan] {
            #expect(throws: SoundEventError.self) { try assets.registerSound(samples: [[1]], sampleRate: rate) }
        }
        #expect(throws: SoundEventError.self) {
            try assets.registerSound(
                samples: Array(repeating: [1, 0.5], count: 81), sampleRate: 48_000, normalization: .dynamic)
        }
        var tree = EventBench.sampler("half")
        for _ in 0..<1000 { tree = .container([tree]) }
        #expect(throws: SoundEventError.self) { try assets.registerTree(tree) }
    }

    /// The graph and the engine go while an event at a place plays: its closure is called, and nothing stays.
    @Test func everythingGoesWhileAnEventPlaysAtAPlace() throws {
        let endings = Endings()
        weak var running: RunningEvents?
        do {
            let bench = try EventBench(.manual)
            let engine = try bench.present
            running = engine.running
            let (source, listener) = (SceneSource(in: engine.scene), SceneListener(in: engine.scene))
            try engine.scene.root.add(source)
            try engine.scene.root.add(listener)
            let mixer = SpatialMixer("space")
            try engine.assets.registerTree(.sampler(Sampler("long", mixer: .spatial(mixer), playback: .looping)), id: "tree")
            var parameters = MixerParameters()
            parameters.add(source, heardBy: listener, mixer: "space")
            let event = try SoundEvent("tree", in: engine, mixers: parameters)
            try event.start(completion: endings.add)
            engine.update()
            _ = try bench.render(480)
            // A move that no update has taken holds the object.
            try source.move(to: SceneTransform(position: SIMD3(1, 2, 3)))
        }
        #expect(endings.all == [.stopped] && running == nil)
    }

    /// Each update frees the table of moves before it: hundreds of objects move while a thread renders.
    @Test(.timed("renders beside updates")) func tablesOfMovesGoOnlyWhenTheyHaveBeenRead() async throws {
        let bench = try EventBench(.manual)
        let engine = try bench.present
        let sources = (0..<500).map { _ in SceneSource(in: engine.scene) }
        for source in sources { try engine.scene.root.add(source) }
        let shared = Shared()
        let graph = bench.graph
        async let rendered: Int = Task.detached {
            var count = 0
            while !shared.isOver.load(ordering: .relaxed) { count += try graph.render(64, block: 64)[0].count }
            return count
        }.value
        for round in 0..<400 {
            for (index, source) in sources.enumerated() {
                try source.move(to: SceneTransform(position: SIMD3(Double(index), Double(round), 0)))
            }
            engine.update()
        }
        shared.isOver.store(true, ordering: .relaxed)
        #expect(try await rendered > 0)
        withExtendedLifetime(bench) {}
    }
}
