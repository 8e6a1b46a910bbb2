// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// From what the commands print to the figures of a round. Any thread.

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
        try round.note(unit: try measured(MeasuredText.measure(hasPlacements: hasPlacements)))
        #expect(round[.floor] == 4)
        #expect(round[.unit] == 4.2)
        #expect(round[.unitOverFloor].map { abs($0 - 1.05) < 1e-9 } == true)
        #expect(round[.unitTailOverFloor] == 1.4)
        // (34 - 4.7) / 15 of which (2 - 0.5) / 15 are the effect's own.
        #expect(round[.inProcess].map { abs($0 - 0.1) < 1e-9 } == true)
        #expect(round[.further].map { abs($0 - 27.8 / 15) < 1e-9 } == true)
        #expect(round[.furtherOverFloor].map { abs($0 - 27.8 / 60) < 1e-9 } == true)
        #expect(round.quiet == [true])
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
            try round.note(unit: facts)
        }
        #expect(throws: BenchmarkError("The figures hold no floor for effects placed sideways.")) {
            _ = try measured(MeasuredText.measure(hasPlacements: true)).floor(of: "sideways")
        }
    }

    @Test func theChainIsComparedWithinARound() throws {
        var round = RoundFigures()
        let own = try measured(MeasuredText.measure())
        let (together, byDefault) = (MeasuredText.peer("together", each: 8), MeasuredText.peer("default", each: 30, processor: nil))
        try round.note(together: own, anywhere: own, peerTogether: together, peerDefault: byDefault)
        #expect(round[.peerOverBulkhead] == 4)
        #expect(round[.peerDefaultOverBulkhead] == 15)
        #expect(round[.peerTogether] == 8)
    }

    @Test func chainsOfOtherRanksOrPlacesAreNotCompared() throws {
        var round = RoundFigures()
        let own = try measured(MeasuredText.measure())
        let byDefault = MeasuredText.peer("default", each: 30)
        for peer in [MeasuredText.peer("together", each: 8, priority: 0), MeasuredText.peer("together", each: 8, processor: 0)] {
            #expect(throws: BenchmarkError.self) {
                try round.note(together: own, anywhere: own, peerTogether: peer, peerDefault: byDefault)
            }
        }
        #expect(round[.peerOverBulkhead] == nil)
    }

    @Test func thePercentilesAreNearestRanks() {
        let times = Percentiles(nanoseconds: (1...1000).reversed().map { $0 * 1000 })
        #expect((times.p50us, times.p99us, times.p999us, times.maxus) == (500, 990, 999, 1000))
        #expect(Percentiles(nanoseconds: []).maxus == 0)
    }
}
