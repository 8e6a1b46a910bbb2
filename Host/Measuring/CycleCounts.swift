// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts of sleeps, page faults and system calls in some cycles. Any thread.

import LinuxSystem

/// Sums over `cycleCount` cycles; system calls are counted over separate cycles.
struct CycleCounts {
    var threads = ThreadCounts()
    var cycleCount = 0
    var systemCalls = SystemCallCounts()
    /// The number of those cycles; 0 if system calls were not counted.
    var systemCallCycleCount = 0

    func perCycle(_ count: KeyPath<ThreadCounts, Int>) -> Double {
        cycleCount == 0 ? 0 : Double(threads[keyPath: count]) / Double(cycleCount)
    }

    func perCycle(_ count: KeyPath<SystemCallCounts, Int>) -> Double? {
        systemCallCycleCount == 0 ? nil : Double(systemCalls[keyPath: count]) / Double(systemCallCycleCount)
    }
}
