// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whose fault missed deadlines were: the host's, or the machine's. Control thread.

/// The missed deadlines of a player from a moment on.
public struct DeadlineAccount {
    private let player: PlanPlayer
    private let watch: StallWatch?
    private let countBefore: UInt64
    /// Cycles that would have been in time, had the machine not stood still; as far as they are settled.
    public private(set) var stalledCount: UInt64 = 0

    /// Opens an account. Without a watch all are the host's.
    public init(of player: PlanPlayer, watch: StallWatch?) {
        self.player = player
        self.watch = watch
        _ = player.takeMissedCycles()
        countBefore = player.statistics.missedDeadlines
    }

    /// Judges what was missed lately. To be called now and then: of hundreds in between only the first are judged, and the
    /// others are the host's.
    public mutating func settle() {
        let misses = player.takeMissedCycles()
        guard let watch else { return }
        stalledCount += UInt64(misses.count { watch.explains($0) })
    }

    /// All of them.
    public var count: UInt64 { player.statistics.missedDeadlines - countBefore }

    /// Those that nothing but the host explains.
    public var ownCount: UInt64 { count - stalledCount }
}
