// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limit on voices, and sounds that sleep, beside models of them. Test thread.

import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct VoiceTests {
    private func long(_ level: Double, _ priority: Int = 0) -> SoundNode {
        EventBench.sampler("long") { ($0.level, $0.priority) = (level, priority) }
    }

    /// A fade to silence within 5 ms from a frame on.
    private func gone(_ frame: Int, _ start: Int) -> Double { 1 - max(0, min(1, Double(frame - start) / 240)) }

    @Test(arguments: [1, 64, 333, 4096]) func theOldestSoundGoesWithinAFade(block: Int) throws {
        let bench = try EventBench()
        let (engine, endings) = (try bench.present, Endings())
        engine.voiceLimit = 2
        for (index, level) in [0.5, 0.25, 0.125].enumerated() {
            try bench.event(long(level)).start(at: Int64(100 * index + 100)) { endings.add($0) }
        }
        expect(try bench.render(2000, block: block)) { frame in
            guard frame >= 100 else { return 0 }
            return 0.5 * gone(frame, 300) + (frame >= 200 ? 0.25 : 0) + (frame >= 300 ? 0.125 : 0)
        }
        engine.update()
        #expect(endings.all == [.dropped] && engine.droppedVoiceCount == 1 && engine.events.count == 2)
    }

    @Test func prioritiesOfSamplersAndEventsAddUp() throws {
        let bench = try EventBench()
        let (engine, endings) = (try bench.present, Endings())
        engine.voiceLimit = 2
        let (first, second) = (try bench.event(long(0.5, 1)), try bench.event(long(0.25)))
        second.priority = 2
        try first.start()
        try second.start()
        expect(try bench.render(100)) { _ in 0.75 }
        // This one would go first, and does not begin.
        try bench.event(long(0.125)).start { endings.add($0) }
        expect(try bench.render(512)) { _ in 0.75 }
        engine.update()
        #expect(endings.all == [.dropped])
        second.priority = -1
        try bench.event(long(0.125)).start()
        expect(try bench.render(512)) { 0.5 + 0.25 * gone($0, 0) + 0.125 }
        #expect(engine.droppedVoiceCount == 2 && second.priority == -1)
    }

    @Test func aFarSoundGoesBeforeAnOldOne() throws {
        let bench = try EventBench()
        try bench.present.voiceLimit = 2
        let events = try [0.5, 0.25, 0.125].map { try bench.event(long($0)) }
        for event in events.prefix(2) { try event.start() }
        _ = try bench.render(64)
        for (event, distance) in zip(events, [3.0, 7]) { event.memory.core.pointee.leaves[0].distance = distance }
        try events[2].start()
        expect(try bench.render(512)) { 0.5 + 0.25 * gone($0, 0) + 0.125 }
    }

    @Test func anEventGoesOnWithoutASoundThatIsTaken() throws {
        let bench = try EventBench()
        let (engine, endings) = (try bench.present, Endings())
        engine.voiceLimit = 1
        let nodes = [EventBench.sampler("half") { $0.priority = 1 }, EventBench.sampler("quarter")]
        try bench.event(.container(nodes)).start { endings.add($0) }
        expect(try bench.render(1024)) { $0 < 1000 ? 0.5 : 0 }
        engine.update()
        #expect(endings.all == [.finished] && engine.droppedVoiceCount == 1)
    }

    @Test func theLimitHoldsAtOnceAndPausedSoundsDoNotCount() throws {
        let bench = try EventBench()
        let engine = try bench.present
        let events = try [0.5, 0.25].map { try bench.event(long($0)) }
        for event in events { try event.start() }
        events[0].pause()
        _ = try bench.render(512)
        engine.voiceLimit = 1
        expect(try bench.render(512)) { _ in 0.25 }
        // The one that returns is the older one of equals.
        events[0].resume()
        expect(try bench.render(512)) { 0.25 + 0.5 * min(1, Double($0) / 240) * gone($0, 0) }
        engine.voiceLimit = -3
        #expect(engine.voiceLimit == 0)
        expect(try bench.render(512)) { 0.25 * gone($0, 0) }
        engine.voiceLimit = nil
        try bench.event(long(0.75)).start()
        expect(try bench.render(64)) { _ in 0.75 }
    }

    @Test func limitsDuckersAndPresetsAreTheSameBitsForBlocksOfEachLength() throws {
        func sound(_ block: Int) throws -> [Float] {
            let bench = try EventBench(seed: 4)
            let engine = try bench.present
            for group in ["a", "b"] { _ = try engine.addGroup(group) }
            engine.voiceLimit = 4
            let ducker = try SoundDucker(
                Ducker(sources: ["b"], targets: ["a"], gain: 0.3, attackSeconds: 0.003, releaseSeconds: 0.004), in: engine)
            ducker.activate()
            try engine.activate(GroupPreset(["a": .init(gain: 0.5, rate: 1.25, rateCurve: .sine)], fadeInSeconds: 0.15))
            let nodes = ["a", "b"].flatMap { group in
                ["ramp", "half"].map { asset in
                    (node: EventBench.sampler(asset) { ($0.group, $0.rate) = (group, 1.3) }, weight: 1.0)
                }
            }
            let tree = try engine.assets.registerTree(.random(RandomChoice(nodes)), id: "t")
            for index in 0..<60 { try SoundEvent(tree, in: engine).start(at: Int64(index * index % 131 * 97)) }
            defer { ducker.deactivate() }
            return try bench.render(16_384, block: block)
        }
        let whole = try sound(4096)
        #expect(whole.contains { $0 != 0 })
        for block in [1, 100, 512] { #expect(try sound(block) == whole, "blocks of \(block)") }
    }

    // MARK: Sleep

    private func ramp(_ frame: Int) -> Double { Double(frame % 1000 + 1) / 1000 }

    /// A loop of a ramp that has slept from frame 100 to frame 1112: the sound while it fell asleep and slept, and after it woke.
    private func sleep(_ culling: Sampler.Culling, block: Int = 100, seed: UInt64 = 1) throws -> (before: [Float], after: [Float]) {
        let bench = try EventBench(seed: seed)
        let tree = try bench.present.assets.registerTree(
            EventBench.sampler("ramp") { ($0.playback, $0.culling) = (.looping, culling) }, id: "t")
        let event = try SoundEvent(tree, in: try bench.present)
        try event.start()
        _ = try bench.render(100, block: block)
        event.memory.core.pointee.leaves[0].sleep(at: 100, over: 240)
        let before = try bench.render(1012, block: block)
        if event.phase != .ended { event.memory.core.pointee.leaves[0].wake(at: 1112, over: 240) }
        return (before, try bench.render(600, block: block))
    }

    @Test(arguments: [1, 100, 512]) func aSoundThatWakesIsAtItsPlace(block: Int) throws {
        for culling in [Sampler.Culling.sleepWakeAtZero, .sleepWakeAtRealtimeOffset, .sleepWakeAtRandomOffset] {
            let sound = try sleep(culling, block: block)
            expect(sound.before, { ramp(100 + $0) * gone($0, 0) }, "\(culling)")
            // A frame after the fade tells the place.
            let place = Int((Double(sound.after[300]) * 1000).rounded()) - 1 - 300
            switch culling {
            case .sleepWakeAtZero: #expect(place == 0)
            case .sleepWakeAtRealtimeOffset: #expect(place == 112)
            default: break
            }
            expect(sound.after, { ramp(place + 1000 + $0) * min(1, Double($0) / 240) }, "\(culling)")
        }
    }

    @Test func aSoundMayEndInsteadOfSleepingOrNeverSleep() throws {
        let ended = try sleep(.terminate)
        expect(ended.before) { ramp(100 + $0) * gone($0, 0) }
        #expect(ended.after.allSatisfy { $0 == 0 })
        let awake = try sleep(.doNotCull)
        expect(awake.before + awake.after) { ramp(100 + $0) }
    }

    @Test func theRandomPlaceFollowsFromTheSeed() throws {
        let sounds = try (0..<8).map { try sleep(.sleepWakeAtRandomOffset, seed: UInt64($0 / 2)).after }
        for pair in 0..<4 { #expect(sounds[2 * pair] == sounds[2 * pair + 1]) }
        #expect(Set(sounds).count == 4)
    }

    @Test func aSoundEndsInItsSleepIfItGoesOnThere() throws {
        let bench = try EventBench()
        let endings = Endings()
        let event = try bench.event(EventBench.sampler("ramp") { $0.culling = .sleepWakeAtRealtimeOffset })
        try event.start { endings.add($0) }
        _ = try bench.render(100)
        event.memory.core.pointee.leaves[0].sleep(at: 100, over: 240)
        _ = try bench.render(899)
        try bench.present.update()
        #expect(endings.all.isEmpty)
        _ = try bench.render(1)
        try bench.present.update()
        #expect(endings.all == [.finished])
    }

    @Test func aSoundThatIsWokenInItsFadeGoesOn() throws {
        let bench = try EventBench()
        let event = try bench.event(EventBench.sampler("long") { $0.culling = .sleepWakeAtZero })
        try event.start()
        _ = try bench.render(64)
        event.memory.core.pointee.leaves[0].sleep(at: 64, over: 240)
        expect(try bench.render(120)) { gone($0, 0) }
        event.memory.core.pointee.leaves[0].wake(at: 184, over: 240)
        expect(try bench.render(300)) { 0.5 + 0.5 * min(1, Double($0) / 240) }
    }
}
