// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When the watch looks next: once a cycle at a steady pace, and otherwise after the length of a deadline. Any thread.

import Testing

@testable import PluginHosting

@Suite struct WatchPaceTests {
    private static let (length, step): (UInt64, UInt64) = (4_000_000, 5_333_333)

    /// The pace after cycles whose deadlines are 5.33 ms apart.
    private func settled() -> (pace: WatchPace, deadline: UInt64) {
        var pace = WatchPace()
        var deadline: UInt64 = 1_000_000_000
        for _ in 0..<20 {
            deadline += Self.step
            pace.note(.init(length: Self.length, step: Self.step, deadline: deadline))
        }
        return (pace, deadline)
    }

    @Test func atAPaceItLooksShortlyBeforeTheNextDeadline() {
        let (pace, deadline) = settled()
        let next = pace.next(after: deadline - Self.length / 8)
        #expect(next == deadline + Self.step - Self.length / 8)
    }

    /// No deadline can come before that.
    @Test func withoutAPauseItLooksInTheLengthOfADeadline() {
        var (pace, deadline) = settled()
        pace.note(.init(length: Self.length, step: 6_000, deadline: deadline))
        #expect(pace.next(after: deadline) == deadline + Self.length)
    }

    @Test func whereNobodyWaitsItLooksInTheLengthOfADeadline() {
        var (pace, deadline) = settled()
        pace.note(nil)
        #expect(pace.next(after: deadline + 1) == deadline + 1 + Self.length)
    }

    /// One cycle is late and the next one in time: the watch must not miss that one.
    @Test func aLateCycleHardlyChangesThePace() {
        var (pace, deadline) = settled()
        pace.note(.init(length: Self.length, step: 2 * Self.step, deadline: deadline + 2 * Self.step))
        deadline += 2 * Self.step
        #expect(pace.next(after: deadline - Self.length / 8) <= deadline + Self.step * 9 / 8 - Self.length / 8)
    }

    @Test(arguments: [(UInt64.max - 1, UInt64.max, UInt64.max - 1), (0, 0, 0), (1, UInt64.max, 1)])
    func noWaitIsTooStrange(length: UInt64, step: UInt64, deadline: UInt64) {
        var pace = WatchPace()
        pace.note(.init(length: length, step: step, deadline: min(deadline, 1 << 62)))
        let next = pace.next(after: 1 << 62)
        #expect(next > 1 << 62 && next - (1 << 62) <= 100_000_000)
    }
}
