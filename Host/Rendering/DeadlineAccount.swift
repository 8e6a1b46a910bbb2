// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells whether the host or the machine caused missed deadlines. Control thread.

/// Counts the missed deadlines of a player, or of another counter, from a moment on.
public struct DeadlineAccount {
    /// The deadline that counts.
    public enum Deadline: Sendable {
        /// The plan takes no longer than the length of a cycle.
        ///
        /// The host answers for this one.
        case ofPlan
        /// The cycle ends before the driver's next one is due; a late beginning counts too.
        case ofDriver
    }

    private let total: () -> UInt64
    private let takeMisses: () -> [MissedCycle]
    private let watches: [StallWatch]
    private let countBefore: UInt64
    /// The last missed cycles that followed each other without a pause, joined into one.
    private var run = MissedCycle(start: 0, end: 0, length: 0)
    /// The number of settled misses that would have been in time if the machine had not stalled.
    public private(set) var stalledCount: UInt64 = 0
    /// The number of settled misses that an unseen stall would explain.
    private var closeCount: UInt64 = 0
    /// The misses by seen stalls for which one close miss may count as an unseen stall.
    private static let stalledPerUnseen: UInt64 = 4

    /// Opens an account of the misses from now on.
    ///
    /// A stall that any of the watches saw excuses the host; without watches nothing does. `total` returns the number of misses,
    /// and `take` the misses since its last call.
    public init(watches: [StallWatch], total: @escaping () -> UInt64, take: @escaping () -> [MissedCycle]) {
        self.total = total
        self.takeMisses = take
        self.watches = watches
        countBefore = total()
        _ = take()
    }

    /// Opens the account of a player.
    public init(of player: PlanPlayer, _ deadline: Deadline = .ofPlan, watches: [StallWatch]) {
        switch deadline {
        case .ofPlan:
            self.init(
                watches: watches, total: { player.statistics.missedDeadlines }, take: { player.takeMissedCycles() })
        case .ofDriver:
            self.init(watches: watches, total: { player.statistics.lateCycles }, take: { player.takeLateCycles() })
        }
    }

    /// Judges the misses since the last call.
    ///
    /// Call it regularly: of hundreds in between only the first are judged, and the others count as the host's.
    public mutating func settle() {
        for miss in takeMisses() {
            let whole = joined(miss)
            guard let excess = watches.map({ $0.unexplained(of: whole) }).min() else { continue }
            if excess == 0 {
                stalledCount += 1
            } else if excess <= StallWatch.longestUnseen {
                closeCount += 1
            }
        }
    }

    /// Joins the cycle with those right before it.
    ///
    /// A cycle that was due before the end of the last one began late because of it. The cause of one delay is then the cause of
    /// both.
    private mutating func joined(_ miss: MissedCycle) -> MissedCycle {
        let isNext = miss.start <= run.end
        run = MissedCycle(
            start: isNext ? min(run.start, miss.start) : miss.start, end: max(miss.start, miss.end),
            length: isNext ? run.length + miss.length : miss.length)
        return run
    }

    /// The number of misses since the account was opened.
    public var count: UInt64 { total() - countBefore }

    /// The number of misses that an unseen stall of the machine may have caused.
    ///
    /// They were late by so little that a stall between two looks explains them, and they are few beside `stalledCount`. If they
    /// are more, all of them count as the host's.
    public var undecidedCount: UInt64 { closeCount <= stalledCount / Self.stalledPerUnseen ? closeCount : 0 }

    /// The number of misses that only the host can have caused.
    public var ownCount: UInt64 { count - min(count, stalledCount + undecidedCount) }
}
