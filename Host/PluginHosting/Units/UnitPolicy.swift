// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rules for awaiting, judging and restarting units. Any thread.

/// The rules of one unit, from its allocation on; a row has those of its first unit.
package struct UnitPolicy: Hashable, Sendable {
    /// The share of a cycle's length after which the host stops waiting for units.
    ///
    /// It counts from the beginning of the driver's cycle; after a late start, from a quarter of the length ago at most. The rest
    /// is the host's, for its way back to the driver. The plan's later steps get one and a half times their usual length.
    package var deadlineShare = 0.9

    /// The largest magnitude that a unit may put out.
    ///
    /// A block with a larger one, or with NaN, counts as a fault and is replaced. Nil lets everything pass, to examine a unit.
    ///
    /// A million is 120 dB above full scale. Audio stays far below: converters clip at full scale, and the largest boost of an
    /// effect here is 24 dB (Gain). So do other figures that some plug-ins put out: 24 kHz, as a number of hertz, is 88 dB. A
    /// runaway feedback passes the ceiling within a fraction of a second. Samples below it can be squared and summed without
    /// overflow.
    package var ceiling: Float? = 1e6
    /// The milliseconds of only invalid audio before a unit is ended and restarted, because a reset did not help.
    package var invalidMilliseconds = 1000

    /// The milliseconds without an answer before a unit counts as hung and is ended.
    package var hangMilliseconds = 2000
    /// The number of deaths within the window after which a unit is quarantined instead of restarted.
    package var restartBudget = 5
    /// The length of that window in milliseconds of rendered audio; time spent starting or hanging does not count.
    package var restartWindowMilliseconds = 60_000
    /// The number of restarts in a row that may fail before the unit is quarantined, independent of the other budget.
    package var failureBudget = 5
    /// The milliseconds before the second restart within the window.
    ///
    /// The first restart begins at once. Each further one waits twice as long as the one before.
    package var firstPauseMilliseconds = 100
    /// The longest wait before a restart, in milliseconds.
    package var longestPauseMilliseconds = 5000

    /// The share of one processor that a process may take besides rendering in the long run.
    ///
    /// A process of several units may take as much for each. Nil sets no limit. Offline there is none.
    package var workShare: Double? = 0.5
    /// The milliseconds of processor time besides rendering that a process may take at once.
    package var workMilliseconds = 10_000

    /// The milliseconds that the host waits for an offline block before it judges the unit.
    package var offlineMilliseconds = 10_000
    /// The number of times that a block is rendered again offline, after the unit died in it and was restarted.
    ///
    /// After that the fallback is heard.
    package var offlineAttempts = 0

    /// The permitted deadline shares: both the driver and the units need some of the cycle.
    package static let deadlineShares = 0.05...0.95

    /// The processors of the units' render threads, once the row has been placed.
    package var placement = UnitPlacement.together
    /// The way in which threads wait for each other.
    package var waiting = WaitStrategy.adaptive

    /// The frames of the driver's blocks, for a pipeline in which the units render at the same time, each another block.
    ///
    /// Every unit but the first then adds this many frames of latency. Blocks of other sizes are rendered too; a longer one begins
    /// with silence for the missing frames. With nil the units render the same block, one after the other.
    package var pipelineFrameCount: Int?
    /// True if the units of a pipeline render one more block ahead, for offline use.
    ///
    /// It adds a block of latency. The caller then reads and writes files while the units render.
    package var rendersAhead = false

    package init() {}

    /// Returns these rules, for units that render at the same time.
    package func pipelined(frameCount: Int, rendersAhead: Bool = false) -> Self {
        var policy = self
        policy.pipelineFrameCount = frameCount
        policy.rendersAhead = rendersAhead
        return policy
    }

    /// True if the units of a row of this length render at the same time.
    func isPipelined(unitCount: Int) -> Bool { pipelineFrameCount != nil && (unitCount > 1 || rendersAhead) && unitCount > 0 }

    /// The share of a row's time after which a unit without an answer is late.
    ///
    /// The later units of the row have the remaining sixth.
    static var lateShare: Double {
        @_noLocks get { 5.0 / 6 }
    }
}
