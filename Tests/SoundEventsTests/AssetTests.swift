// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Assets as they come and go. Test thread.

import AudioFiles
import Realtime
import Synchronization
import Testing

@testable import SoundEvents

/// Counts the calls of closures.
final class Calls: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

@Suite(.timeLimit(.minutes(2))) struct AssetTests {
    @Test func treesWithoutAnIdentifierChooseEachForItself() throws {
        let bench = try EventBench()
        func order(_ id: String?) throws -> [[Int]] {
            let nodes = (0..<8).map { _ in (node: EventBench.sampler("ramp"), weight: 1.0) }
            let tree = try bench.present.assets.tree(
                try bench.present.assets.registerTree(.random(RandomChoice(nodes)), id: id))
            return (0..<40).map { _ in tree.choose(texts: []).leaves }
        }
        let orders = try [order(nil), order(nil), order("steps")]
        #expect(Set(orders).count == 3)
    }

    @Test func anIdentifierThatTheRegistryMakesIsFree() throws {
        let assets = try EventBench().present.assets
        for number in 1...4 { try assets.registerSound(samples: [[1]], sampleRate: 48_000, id: "asset \(number)") }
        #expect(try assets.registerSound(samples: [[1]], sampleRate: 48_000) == "asset 5")
    }

    @Test func anAssetThatIsTakenAwayTellsWhenItsLastVoiceHasLeft() throws {
        let bench = try EventBench()
        let engine = try bench.present
        let (calls, tree) = (Calls(), try engine.assets.registerTree(EventBench.sampler("ramp"), id: "tree"))
        let events = try (0..<3).map { _ in try SoundEvent(tree, in: engine) }
        try events[0].start()
        try events[1].start(at: 500)
        #expect(engine.assets.unregister("ramp") { calls.add() })
        #expect(!engine.assets.unregister("ramp") { calls.add() })
        _ = try bench.render(1400)
        engine.update()
        #expect(calls.count == 0 && events[0].phase == .ended)
        // The third event was made in time, and comes too late.
        do throws(SoundEventError) {
            try events[2].start()
            Issue.record("It has started.")
        } catch { #expect("\(error)" == "There is no asset \"ramp\": register it first.") }
        _ = try bench.render(512)
        engine.update()
        #expect(calls.count == 1)
        // An asset that no event holds, and a tree.
        #expect(engine.assets.unregister("half") { calls.add() } && calls.count == 2)
        #expect(engine.assets.unregister("tree") { calls.add() } && calls.count == 3)
    }

    @Test func anEventThatCannotStartHoldsNothing() throws {
        let bench = try EventBench()
        let engine = try bench.present
        let event = try bench.event(.container([EventBench.sampler("ramp"), EventBench.sampler("half")]))
        let calls = Calls()
        engine.assets.unregister("half")
        #expect(throws: SoundEventError.self) { try event.start() }
        #expect(engine.assets.unregister("ramp") { calls.add() } && calls.count == 1)
        #expect(event.phase == .prepared)
    }

    @Test func aGraphThatGoesEndsEventsAndAssetsOnce() throws {
        let (endings, calls) = (Endings(), Calls())
        var bench: EventBench? = try EventBench()
        let event = try bench?.event(EventBench.sampler("long"))
        try event?.start { endings.add($0) }
        _ = try bench?.render(512)
        try bench?.present.assets.unregister("long") { calls.add() }
        #expect(endings.all.isEmpty && calls.count == 0)
        bench = nil
        #expect(endings.all == [.stopped] && calls.count == 1 && event?.phase == .ended)
    }

    @Test func aMissingFileIsNamed() throws {
        let assets = try EventBench().present.assets
        do throws(SoundEventError) {
            try assets.registerSound(file: "/nothing/here.wav")
            Issue.record("It has been read.")
        } catch {
            guard case .file = error else { throw error }
            #expect("\(error)".contains("/nothing/here.wav"))
        }
        #expect(!assets.identifiers.contains("/nothing/here.wav"))
    }

    // MARK: Loudness

    /// The level at which a sound is heard, in dB over its own.
    private func level(_ samples: [Float], _ normalization: AssetNormalization) throws -> Double {
        let bench = try EventBench()
        try bench.present.assets.registerSound(samples: [samples], sampleRate: 48_000, normalization: normalization, id: "x")
        try bench.event(EventBench.sampler("x")).start()
        let sound = try bench.render(samples.count)
        let loudest = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0
        return decibels(Double(sound[loudest] / samples[loudest]))
    }

    private func decibels(_ gain: Double) -> Double { 20 * Maths.log(gain) / Maths.log(10) }

    private func sine(_ level: Double, _ count: Int) -> [Float] {
        (0..<count).map { Float(level * Maths.sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
    }

    /// A sine of 997 Hz and full scale has −3.01 LUFS in one channel: BS.1770.
    @Test(arguments: [1.0, 0.1, 0.01]) func anAssetIsBroughtToTheTarget(level: Double) throws {
        let wanted = -23 - (decibels(level) - 3.01)
        let possible = -decibels(level)
        #expect(abs(try self.level(sine(level, 96_000), .dynamic) - min(wanted, possible)) < 0.05)
        #expect(abs(try self.level(sine(level, 9600), .none)) < 1e-4)
        // 50 ms: as if repeated.
        #expect(abs(try self.level(sine(level, 2400), .dynamic) - min(wanted, possible)) < 0.3)
    }

    @Test func silenceStaysAsItIs() throws {
        let assets = try EventBench().present.assets
        try assets.registerSound(
            samples: [[Float](repeating: 0, count: 48_000)], sampleRate: 48_000, normalization: .dynamic, id: "silence")
        try assets.registerSound(samples: [[1e-6, .nan, .infinity]], sampleRate: 48_000, normalization: .dynamic, id: "broken")
        #expect(try assets.sound("silence").gain == 1 && assets.sound("broken").gain == 1)
    }
}
