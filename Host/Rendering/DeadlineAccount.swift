// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whose fault missed deadlines were: the host's, or the machine's. Control thread.

/// The missed deadlines of a player, or of whatever else counts its own, from a moment on.
public struct DeadlineAccount {
    /// What counts as one.
    public enum Deadline: Sendable {
        /// The plan takes no longer than a cycle lasts: what the host answers for.
        case ofPlan
        /// The cycle has ended when the driver's next one is due. One that the driver began late may be late by that.
        case ofDriver
    }

    private let total: () -> UInt64
    private let takeMisses: () -> [MissedCycle]
    private let watches: [StallWatch]
    private let countBefore: UInt64
    /// The last missed cycles that followed each other without a pause, as one.
    private var run = MissedCycle(start: 0, end: 0, length: 0)
    /// Cycles that would have been in time, had the machine not stood still; as far as they are settled.
    public private(set) var stalledCount: UInt64 = 0
    /// Cycles that one stall would explain of which no look can have come late; as far as they are settled.
    private var closeCount: UInt64 = 0
    /// A machine that stands still unseen is seen to stand still, too: one close miss may be laid to it for so many that it was
    /// seen to cause.
    private static let stalledPerUnseen: UInt64 = 4

    /// Opens an account. Whatever one of the watches has seen the machine is to blame for; without any, nothing. `total` counts
    /// the misses, and `take` says which there were since it was asked last.
    public init(watches: [StallWatch], total: @escaping () -> UInt64, take: @escaping () -> [MissedCycle]) {
        self.total = total
        self.takeMisses = take
        self.watches = watches
        countBefore = total()
        _ = take()
    }

    /// The account of a player.
    public init(of player: PlanPlayer, _ deadline: Deadline = .ofPlan, watches: [StallWatch]) {
        switch deadline {
        case .ofPlan:
            self.init(
                watches: watches, total: { player.statistics.missedDeadlines }, take: { player.takeMissedCycles() })
        case .ofDriver:
            self.init(watches: watches, total: { player.statistics.lateCycles }, take: { player.takeLateCycles() })
        }
    }

    /// Judges what was missed lately. To be called now and then: of hundreds in between only the first are judged, and the
    /// machine is not to blame for the others.
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

    /// The cycle together with those right before it. One that was due before the last had ended began late for that one's
    /// sake, and what held that up has held it up too.
    private mutating func joined(_ miss: MissedCycle) -> MissedCycle {
        let isNext = miss.start <= run.end
        run = MissedCycle(
            start: isNext ? min(run.start, miss.start) : miss.start, end: max(miss.start, miss.end),
            length: isNext ? run.length + miss.length : miss.length)
        return run
    }

    /// All of them.
    public var count: UInt64 { total() - countBefore }

    /// Those for which the machine may be to blame though it was not seen to stand still: late by so little that a stall between two
    /// looks would do, and few beside `stalledCount`. Of more of them than that all are the host's.
    public var undecidedCount: UInt64 { closeCount <= stalledCount / Self.stalledPerUnseen ? closeCount : 0 }

    /// Those that nobody else is to blame for.
    public var ownCount: UInt64 { count - min(count, stalledCount + undecidedCount) }
}
