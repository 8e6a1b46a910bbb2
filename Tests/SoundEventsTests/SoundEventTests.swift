// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound events as they are heard, beside models of them. Test thread.

import AudioGraph
import HostingTestSupport
import Realtime
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct SoundEventTests {
    private func ramp(_ frame: Int) -> Double { frame >= 0 && frame < 1000 ? Double(frame + 1) / 1000 : 0 }

    @Test(arguments: [1, 64, 333, 512, 4096]) func aSoundBeginsAtItsFrameAndEndsWithItsAsset(block: Int) throws {
        let bench = try EventBench()
        let (event, endings) = (try bench.event(EventBench.sampler("ramp")), Endings())
        try event.start(at: 700) { endings.add($0) }
        let sound = try bench.render(2000, block: block)
        expect(sound) { ramp($0 - 700) }
        try bench.present.update()
        #expect(endings.all == [.finished] && event.phase == .ended && event.startFrame == 700)
    }

    @Test func withoutAFrameItBeginsWithTheNextBlock() throws {
        let bench = try EventBench()
        _ = try bench.render(512)
        let event = try bench.event(EventBench.sampler("half") { $0.level = 0.5 })
        #expect(event.phase == .prepared)
        try event.start()
        expect(try bench.render(1500)) { $0 < 1000 ? 0.25 : 0 }
        #expect(event.startFrame == 512)
    }

    @Test func aLoopGoesOnUntilItIsStopped() throws {
        let bench = try EventBench()
        let (event, endings) = (try bench.event(EventBench.sampler("ramp") { $0.playback = .looping }), Endings())
        try event.start { endings.add($0) }
        expect(try bench.render(2560)) { ramp($0 % 1000) }
        event.stop()
        // 5 ms are 240 frames.
        expect(
            try bench.render(512),
            { frame in
                frame < 240 ? ramp((2560 + frame) % 1000) * (1 - Double(frame) / 240) : 0
            })
        try bench.present.update()
        #expect(endings.all == [.stopped])
        #expect(try bench.render(512).allSatisfy { $0 == 0 })
    }

    @Test func aPauseKeepsThePlaceAndASeekMovesIt() throws {
        let bench = try EventBench()
        let event = try bench.event(EventBench.sampler("ramp"))
        try event.start()
        _ = try bench.render(100)
        event.pause()
        expect(try bench.render(512), { $0 < 240 ? ramp(100 + $0) * (1 - Double($0) / 240) : 0 })
        event.resume()
        expect(try bench.render(300), { ramp(340 + $0) * min(1, Double($0) / 240) })
        try event.seek(to: 0.01)
        expect(try bench.render(512), { ramp(480 + $0) })
        #expect(throws: SoundEventError.self) { try event.seek(to: -1) }
        try event.seek(to: 5)
        #expect(try bench.render(64).allSatisfy { $0 == 0 })
        try bench.present.update()
        #expect(event.phase == .ended)
    }

    @Test func aContainerPlaysAllAndASwitchOne() throws {
        let bench = try EventBench()
        let all = try bench.event(.container([EventBench.sampler("half"), EventBench.sampler("quarter")]))
        try all.start()
        expect(try bench.render(1024)) { $0 < 1000 ? 0.75 : 0 }
        let floor = TextParameter("floor", value: "wood")
        let steps = SoundNode.choice(
            TextChoice(floor, [("wood", EventBench.sampler("half")), ("gravel", EventBench.sampler("quarter"))]))
        for (text, level) in [("wood", 0.5), ("gravel", 0.25), ("snow", 0)] {
            let event = try bench.event(steps)
            try event.set("floor", to: text)
            try event.start()
            expect(try bench.render(1024), { $0 < 1000 ? level : 0 }, text)
        }
    }

    @Test(arguments: [0, 0.25, 0.5, 1]) func aBlendFollowsItsParameter(wetness: Double) throws {
        let bench = try EventBench()
        let parameter = NumberParameter("wet", value: wetness, range: 0...1)
        let ranges = [
            try #require(Blend.Range(below: 0.5, fullAt: 0, EventBench.sampler("half"))),
            try #require(Blend.Range(above: 0.25, fullAt: 1, curve: .squared, EventBench.sampler("quarter"))),
        ]
        let event = try bench.event(.blend(Blend(parameter, ranges)))
        try event.start()
        let dry = max(0, 1 - wetness / 0.5)
        let wet = wetness < 0.25 ? 0 : (wetness - 0.25) / 0.75 * ((wetness - 0.25) / 0.75)
        expect(try bench.render(900)) { _ in 0.5 * dry + 0.25 * wet }
        // Also while it plays.
        try event.set("wet", to: 1)
        expect(try bench.render(50)) { _ in 0.25 }
    }

    @Test(arguments: [64, 1000]) func aFadeOfAParameterIsExactInTime(block: Int) throws {
        let bench = try EventBench()
        let gain = NumberParameter("gain", value: 1, range: 0...1)
        let event = try bench.event(EventBench.sampler("long") { $0.gain = SteeredValue(gain) })
        try event.start()
        _ = try bench.render(block, block: block)
        try event.set("gain", to: 0.25, over: 0.05)
        expect(try bench.render(4000, block: block)) { 1 - 0.75 * min(1, Double($0) / 2400) }
        #expect(throws: SoundEventError.self) { try event.set("gain", to: .nan) }
        #expect(throws: SoundEventError.self) { try event.set("level", to: 1) }
        try event.set("gain", to: 7)
        expect(try bench.render(block, block: block)) { _ in 1 }
    }

    @Test(arguments: FadeCurve.allCases) func aGroupFadesByEachCurve(curve: FadeCurve) throws {
        let bench = try EventBench()
        let group = try bench.present.addGroup("music")
        let event = try bench.event(EventBench.sampler("long") { $0.group = "music" })
        try event.start()
        _ = try bench.render(512)
        try group.fadeGain(to: 0.2, over: 0.1, curve)
        expect(try bench.render(6000, block: 300)) { frame in
            frame < 4800 ? 1 - 0.8 * (frame == 0 ? 0 : curve.share(at: Double(frame) / 4800)) : 0.2
        }
    }

    @Test func groupsAreMutedAndPlaySolo() throws {
        let bench = try EventBench()
        let groups = try ["a", "b"].map { try bench.present.addGroup($0) }
        for (group, level) in [("a", 0.5), ("b", 0.25)] {
            try bench.event(EventBench.sampler("long") { ($0.group, $0.level) = (group, level) }).start()
        }
        try bench.event(EventBench.sampler("long") { $0.level = 0.125 }).start()
        func level() throws -> Float { try bench.render(1024)[1023] }
        #expect(try level() == 0.875)
        groups[0].isSolo = true
        #expect(try level() == 0.625)
        groups[0].isMuted = true
        #expect(try level() == 0.125)
        (groups[0].isSolo, groups[0].isMuted) = (false, false)
        groups[1].gain = 0.5
        #expect(try level() == 0.75)
        #expect(throws: SoundEventError.self) { try bench.present.addGroup("a") }
    }

    @Test func aRateChangesThePitch() throws {
        let bench = try EventBench()
        let sine = (0..<48_000).map { Float(Maths.sin(2 * Double.pi * 440 * Double($0) / 48_000)) }
        try bench.present.assets.registerSound(samples: [sine], sampleRate: 48_000, id: "sine")
        for (rate, block) in [(0.5, 512), (1.5, 333), (2.0, 64)] {
            let event = try bench.event(EventBench.sampler("sine") { $0.rate = rate })
            try event.start()
            let sound = try bench.render(8192, block: block)
            expect(
                Array(sound[100..<8000]), { Maths.sin(2 * Double.pi * 440 * rate * Double($0 + 100) / 48_000) }, within: 2e-4,
                "\(rate)")
            event.stop()
            _ = try bench.render(512)
        }
    }

    @Test func theSameSceneIsTheSameBitsForBlocksOfEachLength() throws {
        func sound(_ block: Int) throws -> [Float] {
            let bench = try EventBench(seed: 9)
            _ = try bench.present.addGroup("g")
            let wet = NumberParameter("wet", value: 0.3, range: 0...1)
            let nodes = ["ramp", "half", "quarter"].map { (node: EventBench.sampler($0) { $0.rate = 1.01 }, weight: 1.0) }
            let blend = try #require(Blend.Range(above: 0, fullAt: 1, .random(RandomChoice(nodes))))
            let tree = try bench.present.assets.registerTree(
                .container([.blend(Blend(wet, [blend])), EventBench.sampler("long") { ($0.group, $0.level) = ("g", 0.1) }]), id: "t"
            )
            for index in 0..<20 {
                let event = try SoundEvent(tree, in: try bench.present)
                try event.set("wet", to: 0.1 * Double(index % 10))
                try event.start(at: Int64(index * 517))
            }
            return try bench.render(16_384, block: block)
        }
        let whole = try sound(4096)
        #expect(whole.contains { $0 != 0 })
        for block in [1, 100, 512] { #expect(try sound(block) == whole, "blocks of \(block)") }
    }

    @Test func inManualModeAllCallsWaitForTheUpdate() throws {
        let bench = try EventBench(.manual)
        let (events, endings) = (try (0..<3).map { _ in try bench.event(EventBench.sampler("half")) }, Endings())
        for event in events { try event.start { endings.add($0) } }
        #expect(try bench.render(512).allSatisfy { $0 == 0 })
        try bench.present.update()
        expect(try bench.render(1024)) { $0 < 1000 ? 1.5 : 0 }
        #expect(endings.all.isEmpty)
        try bench.present.update()
        #expect(endings.all == [.finished, .finished, .finished])
    }

    @Test func anEventStartsOnceAndItsAssetsMustBeThere() async throws {
        let bench = try EventBench()
        let engine = try bench.present
        #expect(throws: SoundEventError.self) { try SoundEvent("nothing", in: engine) }
        #expect(throws: SoundEventError.self) { try SoundEvent("ramp", in: engine) }
        #expect(throws: SoundEventError.self) { try bench.event(EventBench.sampler("nothing")) }
        #expect(throws: SoundEventError.self) { try bench.event(EventBench.sampler("ramp") { $0.group = "none" }) }
        #expect(throws: SoundEventError.self) { try engine.assets.registerSound(samples: [[1]], sampleRate: 48_000, id: "ramp") }
        #expect(throws: SoundEventError.self) { try engine.assets.registerSound(samples: [], sampleRate: 48_000) }
        #expect(throws: SoundEventError.self) { try engine.assets.registerSound(samples: [[1]], sampleRate: .nan) }
        #expect(throws: SoundEventError.self) { try engine.assets.registerSound(file: "/nothing.wav") }
        let event = try bench.event(EventBench.sampler("half"))
        try event.start()
        #expect(throws: SoundEventError.self) { try event.start() }
        // An asset that is taken away sounds on.
        #expect(engine.assets.unregister("half") && !engine.assets.unregister("half"))
        expect(try bench.render(900)) { _ in 0.5 }
    }

    @Test func moreEventsThanTheEngineTakesAreRefused() throws {
        let bench = try EventBench()
        let tree = try bench.present.assets.registerTree(EventBench.sampler("quarter") { $0.level = 1 / 1024 })
        let endings = Endings()
        for _ in 0..<SoundEngine.mostEvents { try SoundEvent(tree, in: try bench.present).start { endings.add($0) } }
        #expect(throws: SoundEventError.self) { try SoundEvent(tree, in: try bench.present).start() }
        expect(try bench.render(1024)) { $0 < 1000 ? 1 : 0 }
        try bench.present.update()
        #expect(endings.all.count == SoundEngine.mostEvents && Set(endings.all) == [.finished])
        try SoundEvent(tree, in: try bench.present).start()
        expect(try bench.render(512)) { _ in 0.25 / 1024 }
    }

    @Test func anEngineThatGoesEndsItsEvents() throws {
        let bench = try EventBench()
        let (event, endings) = (try bench.event(EventBench.sampler("long")), Endings())
        try event.start { endings.add($0) }
        _ = try bench.render(512)
        bench.forgetEngine()
        expect(try bench.render(512), { $0 < 240 ? 1 - Double($0) / 240 : 0 })
        _ = try bench.render(512)
        #expect(endings.all == [.stopped])
        event.stop()
        #expect(throws: SoundEventError.self) { try event.set("x", to: 1) }
    }

    @Test func aThousandEventsFromManyThreadsEndOnceEach() async throws {
        let bench = try EventBench()
        let (engine, endings) = (try bench.present, Endings())
        let tree = try engine.assets.registerTree(EventBench.sampler("quarter"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for index in 0..<250 {
                        let event = try SoundEvent(tree, in: engine)
                        try event.start { endings.add($0) }
                        if index % 3 == 0 { event.stop() }
                    }
                }
            }
            for _ in 0..<50 { _ = try bench.render(512) }
            try await group.waitForAll()
        }
        _ = try bench.render(2048)
        engine.update()
        #expect(endings.all.count == 1000 && engine.events.isEmpty)
    }
}
