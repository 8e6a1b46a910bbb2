// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The C extension is killed while it renders: the host notices, plays a fallback, and restarts it. Test thread.

import Glibc
import LinuxSystem
import PluginHosting
import TestSupport
import Testing

@Suite(.timed("measures how long a death holds up a block"), .serialized) struct DeathTests {
    /// Renders 100 blocks, with the unit killed or stopped in between; returns the longest block in milliseconds, too.
    private func render(killing name: String) throws -> (
        output: [[Float]], input: [[Float]], longest: Double, row: UnitRow
    ) {
        let unit = try CExtension.unit(name)
        try unit.set("depth", to: 100)
        let input = CExtension.noise(6400)
        var bench = try CExtension.bench([unit], input: input)
        let row = bench.row
        var longest: UInt64 = 0
        var last = MonotonicClock.now()
        let output = try bench.renderInput { frames in
            longest = max(longest, MonotonicClock.now() - last)
            if frames.lowerBound == 3200 { kill(try #require(unit.processIdentifier), SIGKILL) }
            if frames.lowerBound == 4800 { #expect(row.waitUntilReady(milliseconds: 5000)) }
            last = MonotonicClock.now()
        }
        return (output, input, Double(longest) / 1e6, row)
    }

    @Test func aDeathIsHeardAsTheDrySignalUntilTheUnitIsBack() throws {
        let (output, input, longest, row) = try render(killing: "Tremolo")
        let faults = row.members[0].faults
        #expect(faults.restarts == 1)
        #expect(faults.records.first?.fault == .signalled(signal: SIGKILL))
        // The supervisor notices it within its 20 ms.
        for _ in 0..<100 where faults.records.first?.recoveredAfterCycles == nil { Futex.pause(microseconds: 10_000) }
        #expect(faults.records.first?.recoveredAfterCycles != nil)
        #expect(longest < 100, "a death costs a block \(longest) ms")
        #expect(output[0][3200..<4800] != output[0][0..<1600])
        // Once the cross-fade from the last wet sample is over, the dry signal is the output to the bit.
        let dry = output[0].indices.filter { (3700..<4400).contains($0) && output[0][$0] == input[0][$0] }
        #expect(dry.count > 600)
        #expect(output[0][6000..<6400] != input[0][6000..<6400])
    }

    @Test func aUnitWithoutALifelineIsMissedToo() throws {
        let (_, _, longest, row) = try render(killing: "TremoloWithoutLifeline")
        #expect(row.members[0].faults.restarts == 1)
        #expect(longest < 1000, "a death costs a block \(longest) ms")
    }
}
