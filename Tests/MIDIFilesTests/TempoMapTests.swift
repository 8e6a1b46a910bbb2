// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Beats and seconds of songs whose tempo changes. Test thread.

import MIDIFiles
import Testing

@Suite struct TempoMapTests {
    /// 120, 60 and 240 quarter notes a minute, for four beats, two beats, and the rest.
    private let map = TempoMap(
        division: .ticksPerQuarter(480),
        changes: [
            MIDITempoChange(tick: 2880, microsecondsPerQuarter: 250_000),
            MIDITempoChange(tick: 1920, microsecondsPerQuarter: 1_000_000),
        ])

    @Test func knowsTheTimeOfEachBeatExactly() {
        for (beat, seconds) in [(0.0, 0.0), (1, 0.5), (4, 2), (4.5, 2.5), (6, 4), (7, 4.25), (106, 29), (-2, -1)] {
            #expect(map.seconds(atBeat: beat) == seconds)
            #expect(map.beat(atSeconds: seconds) == beat)
        }
        #expect(map.seconds(atTick: 2400) == 3 && map.beat(atTick: 2400) == 5)
        #expect(map.microsecondsPerQuarter(atTick: 1919) == 500_000 && map.microsecondsPerQuarter(atTick: 1920) == 1_000_000)
    }

    /// A tempo that no float holds, changed ten thousand times: sums of rounded times would drift.
    @Test func lateChangesAreAsExactAsEarlyOnes() {
        let changes = (0..<10_000).map { MIDITempoChange(tick: $0 * 7, microsecondsPerQuarter: 333_333 + $0 % 2) }
        let map = TempoMap(division: .ticksPerQuarter(960), changes: changes)
        let elapsed = 5000 * 7 * (333_333 + 333_334)
        #expect(map.seconds(atTick: 70_000) == Double(elapsed) / 960e6)
        #expect(abs(map.beat(atSeconds: Double(elapsed) / 960e6) - 70_000.0 / 960) < 1e-11)
    }

    @Test func theLastOfSeveralChangesAtATickCounts() {
        let map = TempoMap(
            division: .ticksPerQuarter(1),
            changes: [
                MIDITempoChange(tick: 0, microsecondsPerQuarter: 1), MIDITempoChange(tick: 0, microsecondsPerQuarter: 2_000_000),
                MIDITempoChange(tick: 3, microsecondsPerQuarter: 0), MIDITempoChange(tick: -1, microsecondsPerQuarter: 7),
            ])
        #expect(map.changes == [MIDITempoChange(tick: 0, microsecondsPerQuarter: 2_000_000)])
        #expect(map.seconds(atBeat: 3) == 6 && map.beat(atSeconds: 6) == 3)
    }
}
