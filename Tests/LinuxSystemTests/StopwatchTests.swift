// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The stopwatch against the clock. Test thread.

import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(15))) struct StopwatchTests {
    /// Compared before the counter's pace is known, when it has just been measured, and after that.
    @Test func itSaysWhatTheClockSays() {
        var watch = Stopwatch()
        var (byWatch, byClock): (UInt64, UInt64) = (0, 0)
        for _ in 0..<3000 {
            let start = MonotonicClock.now()
            watch.start()
            while MonotonicClock.now() &- start < 20_000 {}
            let length = watch.stop()
            let outside = MonotonicClock.now() &- start
            #expect(length <= outside + outside / 100 + 200)
            byWatch += length
            byClock += outside
        }
        #expect(Double(byWatch) > 0.95 * Double(byClock))
    }
}
