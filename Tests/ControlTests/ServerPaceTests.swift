// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When the server rests: while a client streams, and not while one waits for its answers. Test thread.

import Testing

@testable import Control

@Suite struct ServerPaceTests {
    private static let millisecond: UInt64 = 1_000_000

    /// How often the server rests in so many looks, of which each has a sleep and lines.
    private func rests(_ pace: inout ServerPace, in looks: Int, afterSleeping nanoseconds: UInt64, lines: Int = 1) -> Int {
        (0..<looks).count { _ in pace.rests(afterSleeping: nanoseconds, lines: lines) }
    }

    @Test func aStreamIsServedBetweenRestsUntilItEnds() {
        var pace = ServerPace()
        #expect(rests(&pace, in: 31, afterSleeping: Self.millisecond) == 0)
        #expect(rests(&pace, in: 1, afterSleeping: Self.millisecond) == 1)
        // Eight lines have come while it rested, and more in the next rests; then nothing comes.
        #expect(rests(&pace, in: 100, afterSleeping: 0, lines: 8) == 100)
        #expect(rests(&pace, in: 1, afterSleeping: 500 * Self.millisecond, lines: 0) == 0)
        #expect(rests(&pace, in: 31, afterSleeping: Self.millisecond) == 0)
    }

    @Test func aClientThatWaitsForAnswersIsNotKeptWaiting() {
        var pace = ServerPace()
        #expect(rests(&pace, in: 1000, afterSleeping: 50_000) == 0)
        // One that thinks for a millisecond in between meets a rest in 33 requests.
        #expect(rests(&pace, in: 330, afterSleeping: Self.millisecond) == 10)
    }

    @Test func rareLinesAndLooksWithoutLinesBringNoRest() {
        var pace = ServerPace()
        #expect(rests(&pace, in: 1000, afterSleeping: 10 * Self.millisecond) == 0)
        #expect(rests(&pace, in: 1000, afterSleeping: Self.millisecond, lines: 0) == 0)
    }
}
