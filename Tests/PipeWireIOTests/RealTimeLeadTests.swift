// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which cycles come faster than real time. Test thread.

import Testing

@testable import PipeWireIO

@Suite struct RealTimeLeadTests {
    private static let length = 1024e9 / 48_000

    /// Takes cycles; returns the number of those that are ahead.
    private func ahead(_ lead: inout RealTimeLead, from start: Double, _ count: Int, apart: Double, isFreewheeling: Bool = false)
        -> Int
    {
        (0..<count).count { index in
            lead.take(start: UInt64(start + Double(index) * apart), length: Self.length, isFreewheeling: isFreewheeling)
            return lead.isAhead
        }
    }

    @Test func aGraphInRealTimeIsNeverAhead() {
        var lead = RealTimeLead()
        // A device whose clock is half a per cent fast, for an hour.
        #expect(ahead(&lead, from: 1e9, 170_000, apart: Self.length / 1.005) == 0)
    }

    @Test func aGraphThatCatchesUpAfterAStallIsNotAhead() {
        var lead = RealTimeLead()
        #expect(ahead(&lead, from: 1e9, 100, apart: Self.length) == 0)
        // Three seconds late, 140 cycles come within half a second.
        #expect(ahead(&lead, from: 1e9 + 100 * Self.length + 3e9, 140, apart: 0.5e9 / 140) == 0)
    }

    /// At 400 times real time, ten seconds of cycles are worth hardly more than the time that they take.
    @Test func aGraphThatFreewheelsIsHeldToRealTime() {
        var lead = RealTimeLead()
        #expect(ahead(&lead, from: 1e9, 100, apart: Self.length) == 0)
        let start = 1e9 + 100 * Self.length
        let held = ahead(&lead, from: start, 4000, apart: Self.length / 400)
        #expect(Double(4000 - held) * Self.length < 10 * Self.length + 0.4e9)
        // Back in real time, it plays on soon.
        let after = start + 4000 * Self.length / 400
        #expect(ahead(&lead, from: after, 100, apart: Self.length) < 20)
        #expect(!lead.isAhead)
    }

    @Test func aGraphThatSaysThatItFreewheelsIsHeldAtOnce() {
        var lead = RealTimeLead()
        #expect(ahead(&lead, from: 1e9, 50, apart: 1000, isFreewheeling: true) == 50)
        #expect(ahead(&lead, from: 2e9, 50, apart: Self.length) == 0)
    }
}
