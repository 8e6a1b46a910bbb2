// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells when the machine stood still, so that nobody else is blamed. A thread of its own, above all others.

import LinuxSystem
import Synchronization

/// Sleeps for a moment, again and again, on one processor, with the highest rank there is. When it comes back
/// late, no thread can have run there meanwhile: the kernel had the processor, or whoever lends it to us.
public final class StallWatch: Sendable {
    private static let rank = SchedulingClass(realtimePriority: 99)
    private static let patience: UInt64 = 100_000
    /// Stalls beyond these are forgotten, the oldest first.
    private static let capacity = 1024

    private struct Stalls {
        var latest: [ClosedRange<UInt64>] = []
        var count = 0
        var longest: UInt64 = 0

        mutating func note(_ stall: ClosedRange<UInt64>) {
            if latest.count == StallWatch.capacity { latest.removeFirst(StallWatch.capacity / 2) }
            latest.append(stall)
            count += 1
            longest = max(longest, stall.upperBound - stall.lowerBound)
        }
    }

    private let interval: UInt64
    private let stalls = Mutex(Stalls())
    private let mustStop = Atomic<Bool>(false)
    private let hasRank = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Watches `processor`, or wherever it happens to run, until `stop()`. What the machine stands still while the watch
    /// sleeps, `interval` nanoseconds each time, it does not see.
    public init(processor: Int?, interval: UInt64 = 500_000) throws(SystemError) {
        self.interval = interval
        let started = try LinuxSystem.Thread(name: "stall watch") { [self] in
            if let processor { try? Scheduling.setProcessors([processor], ofThread: 0) }
            Scheduling.raiseRealtimeLimits()
            guard (try? Scheduling.set(Self.rank, ofThread: 0)) != nil else { return }
            hasRank.store(true, ordering: .relaxed)
            watch()
        }
        thread.withLock { $0 = started }
    }

    public func stop() {
        mustStop.store(true, ordering: .relaxed)
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func watch() {
        // A stall seldom comes alone: for a while after one the looks are closer together.
        var closeLooks = 0
        while !mustStop.load(ordering: .relaxed) {
            let due = MonotonicClock.now() + (closeLooks > 0 ? interval / 4 : interval)
            MonotonicClock.sleep(until: due)
            let now = MonotonicClock.now()
            closeLooks = max(0, closeLooks - 1)
            guard now > due + Self.patience else { continue }
            stalls.withLock { $0.note(due...now) }
            closeLooks = 16
        }
    }

    /// Whether a cycle would have been in time, had the machine not stood still as far as that was seen.
    public func explains(_ miss: MissedCycle) -> Bool {
        let cycle = miss.start...miss.end
        let stalled = stalls.withLock { stalls in
            stalls.latest.filter { $0.overlaps(cycle) }.reduce(0 as UInt64) { sum, stall in
                let common = stall.clamped(to: cycle)
                return sum + (common.upperBound - common.lowerBound)
            }
        }
        return miss.end - miss.start - stalled <= miss.length
    }

    /// How often the machine stood still for more than a tenth of a millisecond, and for how long at worst; nil where this
    /// process may not have the rank, for nobody of less could tell.
    public var summary: (count: Int, longestMilliseconds: Double)? {
        guard hasRank.load(ordering: .relaxed) else { return nil }
        return stalls.withLock { ($0.count, Double($0.longest) / 1e6) }
    }
}
