// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a process was ended for want of memory, which the kernel says nowhere but in a count. Supervisor.

import LinuxSystem

/// The kernel's kills for want of memory that no death has been put down to yet.
///
/// The count is the machine's, and goes up before the process is gone: one that had gigabytes takes its time. So a death by
/// SIGKILL is put down to a kill that was counted a short while before; one that nobody died of in that time was another's.
struct MemoryKills {
    /// Nanoseconds.
    private static let (patience, interval): (UInt64, UInt64) = (3_000_000_000, 900_000_000)
    private var known: Int
    private var unclaimed = 0
    private var latest: UInt64 = 0
    private var due: UInt64 = 0

    /// `count` is nil where the kernel does not count.
    init(_ count: Int? = ResourceUse.killsForMemory) { known = count ?? 0 }

    /// Takes note of what has been counted so far, once a second, however many chains ask for it.
    mutating func lookNowAndThen() {
        let now = MonotonicClock.now()
        guard now >= due else { return }
        due = now + Self.interval
        look(at: now)
    }

    /// Takes note of what has been counted so far.
    mutating func look(_ count: Int? = ResourceUse.killsForMemory, at now: UInt64 = MonotonicClock.now()) {
        guard let count else { return }
        if now > latest + Self.patience { unclaimed = 0 }
        if count > known { (unclaimed, latest) = (unclaimed + count - known, now) }
        known = count
    }

    /// Whether a process that SIGKILL has just ended was ended so. Each kill answers for one.
    mutating func claim(_ count: Int? = ResourceUse.killsForMemory, at now: UInt64 = MonotonicClock.now()) -> Bool {
        look(count, at: now)
        guard unclaimed > 0 else { return false }
        unclaimed -= 1
        return true
    }
}
