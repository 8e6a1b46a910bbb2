// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// From the output of the commands to the figures of a round. Any thread.

import BenchmarkSupport
import Testing

@Suite struct BenchmarkFiguresTests {
    private func measured(_ text: String) throws -> MeasureFacts { try Figures.decode(from: text, printedBy: "bulkhead measure") }

    private func complaint(_ text: String) -> String? {
        do {
            _ = try measured(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [false, true])
    func theStandardSetIsReadWithOneFloorAndWithOneForEachPlacement(hasPlacements: Bool) throws {
        var round = RoundFigures()
        let facts = try measured(MeasuredText.measure(hasPlacements: hasPlacements))
        try round.note(one: facts)
        try round.note(chain: facts)
        #expect(round[.floor] == 4)
        #expect(round[.unit] == 4.2)
        #expect(round[.unitOverFloor].map { abs($0 - 1.05) < 1e-9 } == true)
        #expect(round[.unitTailOverFloor] == 1.4)
        // (34 - 4.7) / 15, of which (2 - 0.5) / 15 are the effect's own.
        #expect(round[.inProcess].map { abs($0 - 0.1) < 1e-9 } == true)
        #expect(round[.further].map { abs($0 - 27.8 / 15) < 1e-9 } == true)
        #expect(round[.furtherOverFloor].map { abs($0 - 27.8 / 60) < 1e-9 } == true)
        #expect(round.quiet == [true])
        // 32 / 16 of a floor of 4, where there is such a ring.
        #expect(round[.ringOverFloor] == (hasPlacements ? 0.5 : nil) && round[.chainOverRing] == (hasPlacements ? 1.25 : nil))
        try round.note(paced: facts)
        #expect(round[.furtherAtPaceOverFloor] == round[.furtherOverFloor])
        #expect(round[.ringAtPaceOverFloor] == (hasPlacements ? 0.5 : nil))
    }

    @Test func whatIsWrongWithWhatWasPrintedIsSaidInASentence() {
        #expect(complaint(MeasuredText.measure()) == nil)
        #expect(complaint("Segmentation fault") == "Couldn't read what `bulkhead measure` printed: it is no JSON.")
        #expect(complaint("") == "Couldn't read what `bulkhead measure` printed: it is no JSON.")
        #expect(
            complaint(MeasuredText.measure(missing: "p999us"))?.hasSuffix("p999us\" is missing.") == true)
        #expect(
            complaint(MeasuredText.measure(missing: "rows"))
                == "Couldn't read what `bulkhead measure` printed: \"rows\" is missing.")
        let wordy = MeasuredText.measure().split(separator: "\"p50us\": 34.0").joined(separator: "\"p50us\": \"long\"")
        #expect(complaint(wordy)?.contains("\"rows.3.p50us\" is no Double") == true)
    }

    @Test func aRowThatIsNotThereIsNamed() throws {
        let facts = try measured(MeasuredText.measure(frames: [64]))
        var round = RoundFigures()
        #expect(throws: BenchmarkError("The figures hold no row for 1 effects out of process at 32 frames.")) {
            try round.note(one: facts)
        }
        #expect(throws: BenchmarkError("The figures hold no floor for 1 effects placed sideways.")) {
            _ = try measured(MeasuredText.measure(hasPlacements: true)).floor(of: "sideways")
        }
    }

    /// An effect that is passed over costs nothing, and would meet every target.
    @Test func effectsThatWerePassedOverAreNoFigure() throws {
        let older = try measured(MeasuredText.measure(missedShare: 0.8))
        let newer = try measured(MeasuredText.measure(hasPlacements: true, missedShare: 0.8, replacedBlocks: 80))
        for facts in [older, newer] {
            var round = RoundFigures()
            #expect(throws: BenchmarkError("in 80.0 % of the cycles of 1 effects at 32 frames nobody had answered in time")) {
                try round.note(one: facts)
            }
            #expect(throws: BenchmarkError.self) { try round.note(chain: facts) }
            #expect(throws: BenchmarkError.self) { try round.note(spinning: facts) }
            // In process there is no wait for a deadline.
            #expect(Set(round.found.keys) == [.inProcess])
        }
        // The worst row was another one.
        var round = RoundFigures()
        try round.note(one: try measured(MeasuredText.measure(hasPlacements: true, missedShare: 0.8)))
        #expect(round[.unit] == 4.2)
        let slow = PeerReport(
            placement: "default", processor: nil, realtimePriorities: [1], frames: 128, channels: 2, cycles: 10,
            pipeWireVersion: "", rows: [.init(.individually, effects: 16, [1], missed: 2)])
        #expect(throws: BenchmarkError("20.0 % of the cycles of 16 filters were not over in time")) { try slow.row(effects: 16) }
    }

    /// Commands that do not report replaced blocks have been seen to print this on a busy machine.
    @Test func anEffectThatIsCheaperThanAHandOffIsNoFigure() throws {
        var round = RoundFigures()
        let facts = try measured(MeasuredText.measure(overhead: 0.2))
        let reason = "0.20 µs for each of 1 effects is less than half a hand-off one way: they cannot have been waited for"
        #expect(throws: BenchmarkError(reason)) { try round.note(one: facts) }
        #expect(round[.unitOverFloor] == nil)
    }

    @Test func theChainIsComparedWithinARound() throws {
        var round = RoundFigures()
        let own = try measured(MeasuredText.measure())
        let (together, byDefault) = (MeasuredText.peer("together", each: 8), MeasuredText.peer("default", each: 30, processor: nil))
        try round.note(together: own, together)
        try round.note(anywhere: own, byDefault)
        #expect(round[.peerOverBulkhead] == 4)
        #expect(round[.peerDefaultOverBulkhead] == 15)
        #expect(round[.peerTogether] == 8)
        #expect(round[.peerOverRing] == nil && round[.peerDefaultOverRing] == nil)
        // 32 / 16 for each process of a bare ring, where there is one.
        try round.note(together: try measured(MeasuredText.measure(hasPlacements: true)), together)
        try round.note(anywhere: own, byDefault)
        #expect(round[.ringOfPeers] == 2 && round[.peerOverRing] == 4 && round[.peerDefaultOverRing] == 15)
    }

    @Test func turnsWithinARoundGiveTheirMedians() throws {
        let own = try measured(MeasuredText.measure())
        let turns = try [8.0, 20, 10].map { each in
            var turn = RoundFigures()
            try turn.note(together: own, MeasuredText.peer("together", each: each))
            return turn
        }
        var round = RoundFigures()
        round[.floor] = 4
        round.note(mediansOf: turns)
        #expect(round[.peerTogether] == 10 && round[.peerOverBulkhead] == 5 && round[.floor] == 4)
        #expect(round.quiet == turns.flatMap(\.quiet))
    }

    @Test func chainsOfOtherRanksOrPlacesAreNotCompared() throws {
        var round = RoundFigures()
        let own = try measured(MeasuredText.measure())
        for peer in [
            MeasuredText.peer("together", each: 8, priority: 0), MeasuredText.peer("together", each: 8, processor: 0),
            MeasuredText.peer("default", each: 8),
        ] {
            #expect(throws: BenchmarkError.self) { try round.note(together: own, peer) }
            #expect(throws: BenchmarkError.self) { try round.note(anywhere: own, peer) }
        }
        #expect(round.found.isEmpty)
    }

    @Test func thePercentilesAreNearestRanks() {
        let times = Percentiles(nanoseconds: (1...1000).reversed().map { $0 * 1000 })
        #expect((times.p50us, times.p99us, times.p999us, times.maxus) == (500, 990, 999, 1000))
        #expect(Percentiles(nanoseconds: []).maxus == 0)
    }
}
