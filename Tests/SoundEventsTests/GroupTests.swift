// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Presets of groups, and duckers, beside models of them. Test thread.

import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct GroupTests {
    /// A bench with groups, and a sound of level 1 in the group "music".
    private func bench(_ groups: String...) throws -> EventBench {
        let bench = try EventBench()
        for group in groups { _ = try bench.present.addGroup(group) }
        try bench.event(EventBench.sampler("long") { $0.group = "music" }).start()
        return bench
    }

    /// A sound of 1000 frames without loudness, which counts for duckers all the same.
    private func source(_ group: String, rate: Double = 1) -> SoundNode {
        EventBench.sampler("half") { ($0.group, $0.level, $0.rate) = (group, 0, rate) }
    }

    @Test(arguments: [1, 100, 512]) func aPresetMovesItsGroupsAndTheNextOneTakesThemBack(block: Int) throws {
        let bench = try bench("music", "voices")
        let engine = try bench.present
        let quiet = GroupPreset(["music": .init(gain: 0.25, gainCurve: .squared)], fadeInSeconds: 0.01, fadeOutSeconds: 0.02)
        try engine.activate(quiet)
        #expect(engine.activePreset == quiet)
        func square(_ frame: Int, _ count: Double) -> Double { min(1, Double(frame) / count) * min(1, Double(frame) / count) }
        expect(try bench.render(600, block: block)) { 1 - 0.75 * square($0, 480) }
        // Another one that does not name the group.
        let other = GroupPreset(["voices": .init(gain: 0.5)], fadeInSeconds: 5)
        try engine.activate(other)
        expect(try bench.render(1200, block: block)) { 0.25 + 0.75 * square($0, 960) }
        // And one that does, in a time of the caller's.
        try engine.activate(quiet, over: 0)
        expect(try bench.render(100, block: block)) { _ in 0.25 }
        engine.deactivatePreset(over: 0.005)
        #expect(engine.activePreset == nil)
        expect(try bench.render(600, block: block)) { 0.25 + 0.75 * square($0, 240) }
        engine.deactivatePreset()
        #expect(throws: SoundEventError.self) { try engine.activate(GroupPreset(["effects": .init()])) }
        #expect(throws: SoundEventError.self) { try engine.activate(GroupPreset(["music": .init(gain: .nan)])) }
        #expect(engine.activePreset == nil)
    }

    @Test func aPresetChangesTheSpeedOfItsGroups() throws {
        let bench = try bench("music")
        let engine = try bench.present
        let event = try bench.event(EventBench.sampler("half") { $0.group = "music" })
        try engine.activate(GroupPreset(["music": .init(rate: 2)]))
        try event.start()
        _ = try bench.render(499)
        engine.update()
        #expect(event.phase == .started)
        _ = try bench.render(1)
        engine.update()
        #expect(event.phase == .ended)
    }

    /// The level of the target: the ducker lowers it to 0.25 within 480 frames, and lifts it within 960.
    private func level(_ edges: [(frame: Int, isDown: Bool)], _ frame: Int) -> Double {
        var (from, to, start, length) = (1.0, 1.0, 0, 1.0)
        func value(_ frame: Int) -> Double { from + (to - from) * min(1, Double(frame - start) / length) }
        for edge in edges where edge.frame <= frame {
            (from, to, start, length) = (value(edge.frame), edge.isDown ? 0.25 : 1, edge.frame, edge.isDown ? 480 : 960)
        }
        return value(frame)
    }

    private let ducker = Ducker(
        sources: ["voices"], targets: ["music"], gain: 0.25, attackSeconds: 0.01, releaseSeconds: 0.02)

    @Test(arguments: [1, 64, 333, 512, 4096]) func aDuckerFollowsItsSourcesToTheFrame(block: Int) throws {
        let bench = try bench("music", "voices")
        let ducker = try SoundDucker(ducker, in: try bench.present)
        ducker.activate()
        // One alone, two that overlap, one that begins with the last frame of the one before, and a fast one.
        for frame in [700, 1500, 3000, 4000] { try bench.event(source("voices")).start(at: Int64(frame)) }
        try bench.event(source("voices", rate: 1.5)).start(at: 6000)
        let edges = [(700, true), (2500, false), (3000, true), (5000, false), (6000, true), (6667, false)]
        expect(try bench.render(9000, block: block)) { level(edges, $0) }
        #expect(ducker.isActive)
    }

    @Test func aDuckerActsOnlyWhileItIsOn() throws {
        let bench = try bench("music", "voices")
        let engine = try bench.present
        var ducker: SoundDucker? = try SoundDucker(ducker, in: engine)
        let event = try bench.event(EventBench.sampler("long") { ($0.group, $0.level) = ("voices", 0) })
        try event.start()
        expect(try bench.render(512)) { _ in 1 }
        ducker?.activate()
        expect(try bench.render(600)) { level([(0, true)], $0) }
        event.pause()
        // The pause is silent after its fade of 240 frames.
        expect(try bench.render(1300)) { level([(-600, true), (240, false)], $0) }
        event.resume()
        expect(try bench.render(600)) { level([(0, true)], $0) }
        ducker?.deactivate()
        expect(try bench.render(1024)) { level([(-600, true), (0, false)], $0) }
        ducker?.activate()
        _ = try bench.render(600)
        // A ducker that goes releases, too.
        ducker = nil
        expect(try bench.render(1024)) { level([(-600, true), (0, false)], $0) }
        engine.update()
        expect(try bench.render(64)) { _ in 1 }
    }

    @Test func duckersMultiplyAndLeaveInAnyOrder() throws {
        let bench = try bench("music", "voices", "radio")
        let engine = try bench.present
        var duckers: [SoundDucker?] = try [0.5, 0.25, 0.125].map { gain in
            let sources: Set = gain == 0.25 ? ["radio", "voices"] : ["voices"]
            return try SoundDucker(
                Ducker(sources: sources, targets: ["music"], gain: gain, attackSeconds: 0, releaseSeconds: 0), in: engine)
        }
        for ducker in duckers { ducker?.activate() }
        let event = try bench.event(EventBench.sampler("long") { ($0.group, $0.level) = ("voices", 0) })
        try event.start()
        for (index, level) in [(nil, 0.5 * 0.25 * 0.125), (1, 0.5 * 0.125), (2, 0.5), (0, 1)] as [(Int?, Double)] {
            if let index { duckers[index] = nil }
            expect(try bench.render(100)) { _ in level }
            engine.update()
        }
        #expect(throws: SoundEventError.self) { try SoundDucker(Ducker(sources: ["x"], targets: ["music"], gain: 0), in: engine) }
        #expect(throws: SoundEventError.self) { try SoundDucker(Ducker(sources: [], targets: [], gain: .nan), in: engine) }
    }

    @Test func twoGroupsThatDuckEachOther() throws {
        let bench = try bench("music", "voices")
        let engine = try bench.present
        let duckers = try [("music", "voices"), ("voices", "music")].map { source, target in
            try SoundDucker(
                Ducker(sources: [source], targets: [target], gain: 0.5, attackSeconds: 0, releaseSeconds: 0), in: engine)
        }
        for ducker in duckers { ducker.activate() }
        try bench.event(EventBench.sampler("half") { $0.group = "voices" }).start(at: 100)
        expect(try bench.render(1300)) { (100..<1100).contains($0) ? 0.5 + 0.25 : 1 }
    }

    @Test func aSpeedThatComesBackWithinABlockIsTheSameBitsForBlocksOfEachLength() throws {
        func sound(_ block: Int) throws -> [Float] {
            let bench = try EventBench()
            let group = try bench.present.addGroup("music")
            let noise = (0..<8000).map { Float(($0 * 7919) % 1009) / 1009 }
            try bench.present.assets.registerSound(samples: [noise], sampleRate: 48_000, id: "noise")
            try bench.event(EventBench.sampler("noise") { $0.group = "music" }).start()
            group.rate = 2
            _ = try bench.render(512, block: block)
            try group.fadeRate(to: 0.5, over: 0.01, .jumpToEndValue)
            return try bench.render(2048, block: block)
        }
        let whole = try sound(512)
        for block in [1, 64, 100] { #expect(try sound(block) == whole, "blocks of \(block)") }
    }
}
