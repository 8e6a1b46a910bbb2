// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long hand-offs take on this machine, and what follows from it.

import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(
    .timed("measures hand-offs"), .serialized,
    .enabled(if: Scheduling.processors(ofThread: 0).count > 1, "there is one processor here")) struct HandOffTests
{
    /// A thread that spins is quicker than one that is woken, on every machine.
    @Test func theyAreMeasuredInAMoment() throws {
        let started = MonotonicClock.now()
        let times = try #require(HandOffTimes.measured())
        let milliseconds = Double(MonotonicClock.now() - started) / 1e6
        print("Measured in \(milliseconds) ms: \(times).")
        #expect(milliseconds < 2000)
        #expect(times.spinning > 0 && times.spinning < times.together && times.spinning < times.apart)
        #expect(times.together < 1000 && times.apart < 5000)
    }

    @Test func unitsBelongWhereHandOffsAreQuickest() {
        #expect(HandOffTimes(together: 4, apart: 35, spinning: 0.2).placement == .together)
        #expect(HandOffTimes(together: 40, apart: 5, spinning: 0.2).placement == .spread)
    }
}
