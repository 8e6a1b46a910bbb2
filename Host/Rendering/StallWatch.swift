// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells when the machine stood still, so that nobody else is blamed. A thread of its own, above all others.

import LinuxSystem
import Synchronization

/// Sleeps for a moment, again and again, on one processor, with the highest rank there is. When it comes back
/// late, no thread can have run there meanwhile: the kernel had the processor, or whoever lends it to us.
public final class StallWatch: Sendable {
    private static let rank = SchedulingClass(realtimePriority: 99)
    private static let patience: UInt64 = 50_000
    /// Stalls beyond these are forgotten, the oldest first.
    private static let capacity = 1024

    private struct Stalls {
        /// When the machine may have stood still: from the last look before to the one that came late.
        var latest: [ClosedRange<UInt64>] = []
        var count = 0
        /// How late a look came.
        var longest: UInt64 = 0

        mutating func note(after lastLook: UInt64, due: UInt64, now: UInt64) {
            if latest.count == StallWatch.capacity { latest.removeFirst(StallWatch.capacity / 2) }
            latest.append(lastLook...now)
            count += 1
            longest = max(longest, now - due)
        }
    }

    /// Nanoseconds between looks. Each may drive a real-time thread that is bound to no processor to another one: two watches
    /// that looked more closely at two processors would play catch with it.
    private static let interval: UInt64 = 250_000
    /// Nanoseconds that the machine may have stood still for without any look being late.
    static let longestUnseen = interval + patience
    private let stalls = Mutex(Stalls())
    private let mustStop = Atomic<Bool>(false)
    private let hasRank = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Watches `processor`, or wherever it happens to run, until `stop()`. Between two looks, a quarter of a millisecond, the
    /// watch sees nothing: a stall that it is late for may have begun at any time since the last.
    public init(processor: Int?) throws(SystemError) {
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
        var lastLook = MonotonicClock.now()
        while !mustStop.load(ordering: .relaxed) {
            let due = lastLook + Self.interval
            MonotonicClock.sleep(until: due)
            let now = MonotonicClock.now()
            if now > due + Self.patience { stalls.withLock { $0.note(after: lastLook, due: due, now: now) } }
            lastLook = now
        }
    }

    /// Nanoseconds of a cycle beyond its length that remain when those are left out in which the machine may have stood still; 0
    /// when it may have been in time, had the machine not. For what remains this watch has seen no cause but the host.
    func unexplained(of miss: MissedCycle) -> UInt64 {
        let cycle = miss.start...miss.end
        let stalled = stalls.withLock { stalls in
            stalls.latest.filter { $0.overlaps(cycle) }.reduce(0 as UInt64) { sum, stall in
                let common = stall.clamped(to: cycle)
                return sum + (common.upperBound - common.lowerBound)
            }
        }
        let owed = miss.length + stalled
        return miss.end - miss.start - min(owed, miss.end - miss.start)
    }

    /// How often the machine stood still for more than a twentieth of a millisecond, and for how long at worst; nil where this
    /// process may not have the rank, for nobody of less could tell.
    public var summary: (count: Int, longestMilliseconds: Double)? {
        guard hasRank.load(ordering: .relaxed) else { return nil }
        return stalls.withLock { ($0.count, Double($0.longest) / 1e6) }
    }
}
