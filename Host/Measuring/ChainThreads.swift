// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render threads of a measured chain's effects, and what the kernel counts of them. Measuring thread.

import Glibc
import LinuxSystem
import PluginHosting

/// The threads that take part in a chain's cycles beside the measuring one; none in process.
final class ChainThreads: @unchecked Sendable {
    // SAFETY: made by the control thread, and used by the measuring thread alone after that.
    let identifiers: [pid_t]
    private let counters: [ThreadCounter]
    private var last = ThreadCounts()

    /// Every effect of a chain has its thread.
    init(of members: [ChainMember]) throws(SystemError) {
        var counters: [pid_t: ThreadCounter] = [:]
        for member in members {
            guard let process = member.unit.processIdentifier, let thread = member.unit.renderThread else { continue }
            counters[thread] = try ThreadCounter(thread: thread, of: process)
        }
        identifiers = counters.keys.sorted()
        self.counters = Array(counters.values)
    }

    /// What has been counted since the last time, or since the threads began. Between the two they belong to one series: whoever
    /// falls asleep after its last block is counted with that one's next.
    func takeCounts() -> ThreadCounts {
        var sum = ThreadCounts()
        for counter in counters { if let counts = counter.counts { sum += counts } }
        defer { last = sum }
        return sum - last
    }
}
