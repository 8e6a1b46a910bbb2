// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells when the machine stood still, so that nobody else is blamed. A thread of its own, above all others.

import LinuxSystem
import Synchronization

/// Sleeps for a quarter of a millisecond, again and again, on one processor, with the highest rank there is. When it
/// comes back late, no thread can have run there meanwhile: the kernel, or whoever lends us the processor, had it.
final class StallWatch: Sendable {
    private static let interval: UInt64 = 250_000
    private static let patience: UInt64 = 100_000
    private let stalls = Mutex<[ClosedRange<UInt64>]>([])
    private let mustStop = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    init(processor: Int?) throws(SystemError) {
        let started = try LinuxSystem.Thread(name: "stall watch") { [self] in
            if let processor { try? Scheduling.setProcessors([processor], ofThread: 0) }
            try? Scheduling.set(SchedulingClass(realtimePriority: 99), ofThread: 0)
            watch()
        }
        thread.withLock { $0 = started }
    }

    func stop() {
        mustStop.store(true, ordering: .relaxed)
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func watch() {
        var due = MonotonicClock.now()
        while !mustStop.load(ordering: .relaxed) {
            due += Self.interval
            MonotonicClock.sleep(until: due)
            let now = MonotonicClock.now()
            if now > due + Self.patience { stalls.withLock { $0.append(due...now) } }
            due = now
        }
    }

    /// Nanoseconds of a stretch in which the machine stood still.
    func stalled(in stretch: ClosedRange<UInt64>) -> UInt64 {
        stalls.withLock { stalls in
            stalls.filter { $0.overlaps(stretch) }.reduce(0) { sum, stall in
                let common = stall.clamped(to: stretch)
                return sum + (common.upperBound - common.lowerBound)
            }
        }
    }

    /// How often it stood still, and for how long at worst, in milliseconds.
    var summary: (count: Int, worst: Double) {
        stalls.withLock { stalls in
            (stalls.count, stalls.map { Double($0.upperBound - $0.lowerBound) / 1e6 }.max() ?? 0)
        }
    }
}
