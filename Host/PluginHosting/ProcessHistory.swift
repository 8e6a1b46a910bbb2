// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the supervisor remembers of one unit. Supervisor.

/// A render cycle, and its first frame.
typealias RenderMoment = (cycle: UInt64, sampleTime: Int64)

/// A unit's deaths and restarts so far.
struct UnitHistory {
    /// A restart that waits for its time.
    struct PendingRestart {
        /// Monotonic times: when it is to begin, and when the death was noticed.
        var due: UInt64
        var noticed: UInt64
        var death: RenderMoment
    }

    var schedule = RestartSchedule()
    /// Whether the last restart failed: what it failed of has been said then.
    var hasFailed = false
    /// The moment of a death that the render thread told of before the kernel did.
    var moment: RenderMoment?
    var pending: PendingRestart?
    var restart: UnitRestart?
    /// The supervisor itself has ended the unit, and said why.
    var wasEnded = false

    /// Whether the unit's process is being looked after, so that its end would be news.
    var isWatched: Bool { pending == nil && restart == nil }
}
