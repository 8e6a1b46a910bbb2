// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives threads their ranks by whatever way is open. Control thread.

import LinuxSystem

/// Ranks of this user's threads: taken where the kernel lets this user, else asked for.
public enum RealtimeRank {
    /// Gives a thread of a process a rank, or the highest that there is to be had; which one that was: `ordinary` for none.
    /// May take seconds where rtkit has to be asked.
    @discardableResult
    public static func give(_ rank: SchedulingClass, to thread: Int32, of process: Int32) -> SchedulingClass {
        if (try? Scheduling.set(rank, ofThread: thread)) != nil { return rank }
        return (try? RealtimeKit.give(rank, to: thread, of: process)) ?? .ordinary
    }
}
