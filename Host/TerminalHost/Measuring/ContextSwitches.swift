// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How often the kernel changed threads while something was measured. Measuring thread.

import Glibc

/// Counts of one thread.
struct ContextSwitches {
    /// The thread went to sleep; another took the processor from it; a page had to be found.
    var voluntary = 0, involuntary = 0, pageFaults = 0
    var cycleCount = 0

    /// Since the calling thread began.
    static var ofThisThread: ContextSwitches {
        var usage = rusage()
        // RUSAGE_THREAD, which the headers hide.
        getrusage(1, &usage)
        return ContextSwitches(voluntary: usage.ru_nvcsw, involuntary: usage.ru_nivcsw, pageFaults: usage.ru_minflt)
    }

    static func - (left: Self, right: Self) -> Self {
        ContextSwitches(
            voluntary: left.voluntary - right.voluntary, involuntary: left.involuntary - right.involuntary,
            pageFaults: left.pageFaults - right.pageFaults)
    }

    static func += (left: inout Self, right: Self) {
        left.voluntary += right.voluntary
        left.involuntary += right.involuntary
        left.pageFaults += right.pageFaults
    }

    func perCycle(_ count: Int) -> Double { cycleCount == 0 ? 0 : Double(count) / Double(cycleCount) }
}
