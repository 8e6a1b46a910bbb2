// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Detects stalls of the machine, so that they are not blamed on the host. A thread of its own, above all others.

import LinuxSystem
import Synchronization

/// Sleeps for a moment, again and again, on one processor, at the highest rank.
///
/// If the watch wakes up late, no other thread can have run there meanwhile: the kernel or the hypervisor had the processor.
public final class StallWatch: Sendable {
    private static let rank = SchedulingClass(realtimePriority: 99)
    private static let patience: UInt64 = 50_000
    /// The number of kept stalls; the oldest go first.
    private static let capacity = 1024

    private struct Stalls {
        /// The possible times of stalls: from the look before to the late one.
        var latest: [ClosedRange<UInt64>] = []
        var count = 0
        /// The longest delay of a look so far, in nanoseconds.
        var longest: UInt64 = 0

        mutating func note(after lastLook: UInt64, due: UInt64, now: UInt64) {
            if latest.count == StallWatch.capacity { latest.removeFirst(StallWatch.capacity / 2) }
            latest.append(lastLook...now)
            count += 1
            longest = max(longest, now - due)
        }
    }

    /// The nanoseconds between looks.
    ///
    /// Each look may drive an unbound real-time thread to another processor. Two watches that looked more often at two processors
    /// would chase such a thread to and fro.
    private static let interval: UInt64 = 250_000
    /// The nanoseconds of the longest stall that makes no look late.
    static let longestUnseen = interval + patience
    private let stalls = Mutex(Stalls())
    private let mustStop = Atomic<Bool>(false)
    private let hasRank = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Watches `processor`, or any processor if nil, until `stop()`.
    ///
    /// Looks are a quarter of a millisecond apart, and the watch sees nothing in between. A stall that made a look late may have
    /// begun at any time since the look before.
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

    /// Stops the watch, and returns once its thread has ended.
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

    /// The nanoseconds beyond a cycle's length that the stalls leave unexplained.
    ///
    /// It is 0 if the cycle may have been in time without a stall. For the rest this watch has seen no cause but the host.
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

    /// The number of stalls of more than 50 µs, and the longest one.
    ///
    /// Nil if this process may not have the rank: no lower rank could tell.
    public var summary: (count: Int, longestMilliseconds: Double)? {
        guard hasRank.load(ordering: .relaxed) else { return nil }
        return stalls.withLock { ($0.count, Double($0.longest) / 1e6) }
    }
}
