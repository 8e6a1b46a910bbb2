// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the system calls of a probe's cycles. Measuring thread.

import LinuxSystem

extension Series {
    private static let countedBatches = 4
    /// Nanoseconds after which everybody who has nothing to do is asleep.
    private static let rest: UInt64 = 500_000

    /// Runs cycles of their own back to back, because counting makes every call longer, and counts what all threads call in them.
    func countSystemCalls(settlingCount: Int, own: SystemCallCounter, tracepoint: UInt64) throws(SystemError) {
        var others: [SystemCallCounter] = []
        for thread in threads { others.append(try SystemCallCounter(thread: thread, tracepoint: tracepoint)) }
        probe.run(count: settlingCount)
        MonotonicClock.sleep(until: MonotonicClock.now() + Self.rest)
        let (start, empty) = (Self.sum(others), own.counts)
        let before = own.counts
        probe.run(count: Self.countedBatches * batchSize)
        let after = own.counts
        MonotonicClock.sleep(until: MonotonicClock.now() + Self.rest)
        var calls = Self.sum(others) - start
        // Each reading is itself some calls, as many as there are between two that follow each other.
        calls += after - before - (before - empty)
        counts.systemCalls = calls
        counts.systemCallCycleCount = Self.countedBatches * batchSize
        calm()
    }

    private static func sum(_ counters: [SystemCallCounter]) -> SystemCallCounts {
        var sum = SystemCallCounts()
        for counter in counters { sum += counter.counts }
        return sum
    }
}
