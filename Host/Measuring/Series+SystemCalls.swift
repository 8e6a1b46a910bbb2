// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the system calls of a probe's cycles. Measuring thread.

import LinuxSystem

extension Series {
    private static let countedBatches = 4
    /// The nanoseconds after which all idle threads are asleep.
    private static let rest: UInt64 = 500_000

    /// Runs separate cycles back to back, because counting slows every call, and counts the calls of all threads.
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
        // Each reading makes some calls itself, as many as between two successive readings.
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
