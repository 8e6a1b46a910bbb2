// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells whether the kernel ended a process for lack of memory, which only a machine-wide count shows. Supervisor.

import LinuxSystem

/// The kernel's kills for lack of memory that are not matched with a death yet.
///
/// The count is the machine's. It rises before the process is gone: a process with gigabytes takes its time to end. So a death by
/// SIGKILL is matched with a kill that was counted shortly before. A kill without such a death in that time was another
/// process's.
struct MemoryKills {
    /// The nanoseconds that a kill waits for its death, and the nanoseconds between two readings of the count.
    private static let (patience, interval): (UInt64, UInt64) = (3_000_000_000, 900_000_000)
    private var known: Int
    private var unclaimed = 0
    private var latest: UInt64 = 0
    private var due: UInt64 = 0

    /// Starts from `count`; nil if the kernel does not count.
    init(_ count: Int? = ResourceUse.killsForMemory) { known = count ?? 0 }

    /// Reads the count once a second, at calls from any number of rows.
    mutating func lookNowAndThen() {
        let now = MonotonicClock.now()
        guard now >= due else { return }
        due = now + Self.interval
        look(at: now)
    }

    /// Notes the count so far.
    mutating func look(_ count: Int? = ResourceUse.killsForMemory, at now: UInt64 = MonotonicClock.now()) {
        guard let count else { return }
        if now > latest + Self.patience { unclaimed = 0 }
        if count > known { (unclaimed, latest) = (unclaimed + count - known, now) }
        known = count
    }

    /// Matches a process that SIGKILL has just ended with a kill for lack of memory; true if there is one.
    ///
    /// Each kill matches one death.
    mutating func claim(_ count: Int? = ResourceUse.killsForMemory, at now: UInt64 = MonotonicClock.now()) -> Bool {
        look(count, at: now)
        guard unclaimed > 0 else { return false }
        unclaimed -= 1
        return true
    }
}
