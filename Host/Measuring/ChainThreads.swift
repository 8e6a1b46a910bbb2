// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render threads of a measured chain's effects, and the kernel's counts of them. Measuring thread.

import Glibc
import LinuxSystem
import PluginHosting

/// The threads in a chain's cycles beside the measuring one; none in process.
final class ChainThreads: @unchecked Sendable {
    // SAFETY: made by the control thread, and after that used only by the measuring thread.
    let identifiers: [pid_t]
    private let counters: [ThreadCounter]
    private var last = ThreadCounts()

    /// Each effect of the chain has one thread.
    init(of members: [UnitResources]) throws(SystemError) {
        var counters: [pid_t: ThreadCounter] = [:]
        for member in members {
            guard let process = member.unit.processIdentifier, let thread = member.unit.renderThread else { continue }
            counters[thread] = try ThreadCounter(thread: thread, of: process)
        }
        identifiers = counters.keys.sorted()
        self.counters = Array(counters.values)
    }

    /// The counts since the last call, or since the threads began.
    ///
    /// A thread that falls asleep after the last block of a series is counted with the next one.
    func takeCounts() -> ThreadCounts {
        var sum = ThreadCounts()
        for counter in counters { if let counts = counter.counts { sum += counts } }
        defer { last = sum }
        return sum - last
    }
}
