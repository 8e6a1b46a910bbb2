// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a chain waits for its units, and what it does about those that fail. Any thread.

/// The rules of one chain. They stay as they are for as long as it lives.
public struct ChainPolicy: Hashable, Sendable {
    /// The share of a cycle's length after which the host waits for no unit any more, counted from when the driver's
    /// cycle began, if it began late a quarter of its length ago at most. What is left of it is the host's own, for its way back to the driver. What the steps of the plan
    /// that come after the chain usually take is kept back for them, and half as much again.
    public var deadlineShare = 0.9

    /// The largest magnitude that a unit may put out; what is above it counts as a fault and is replaced, as is what is no
    /// number. Nil lets everything pass, for those who want to see what a unit does.
    ///
    /// A million is 120 dB above full scale. What is meant to be heard stays far below: converters clip at full scale, and
    /// the largest boost of an effect here is 24 dB (Gain). What some plug-ins put out instead of sound does so too: 24 kHz,
    /// as a number of hertz, is 88 dB. A feedback that runs away passes it within a fraction of a second, and what it lets
    /// through can still be squared and summed without becoming infinite.
    public var ceiling: Float? = 1e6
    /// Milliseconds of nothing but invalid audio after which a unit is ended and started anew: a reset has not helped.
    public var invalidMilliseconds = 1000

    /// Milliseconds without an answer after which a unit counts as hung and is ended.
    public var hangMilliseconds = 2000
    /// Deaths within the window after which a unit is quarantined instead of started anew. The window is one of sound that the
    /// unit has rendered: however long it takes to start or to hang, it is not waited for without end.
    public var restartBudget = 5
    public var restartWindowMilliseconds = 60_000
    /// Restarts in a row that may fail before it is quarantined, whatever else the budget is.
    public var failureBudget = 5
    /// Milliseconds before the second restart within the window. The first begins at once; each further one waits twice as
    /// long as the one before, up to the longest.
    public var firstPauseMilliseconds = 100
    public var longestPauseMilliseconds = 5000

    /// The share of one processor that a process may take for a long time besides rendering, and the milliseconds of processor
    /// time that it may take at once. A process of several units may take as much for each. Nil sets no limit; nor is there one
    /// while the chain renders offline.
    public var workShare: Double? = 0.5
    public var workMilliseconds = 10_000

    /// Milliseconds for which an offline block is waited for before its unit is judged.
    public var offlineMilliseconds = 10_000
    /// How often a block is rendered again, offline, after the unit died in it and was started anew. Then what stands in
    /// for the unit is heard.
    public var offlineAttempts = 0

    /// The shares that can be asked for: the driver needs something of the cycle, and the units too.
    public static let deadlineShares = 0.05...0.95

    /// Where the units' render threads run, once the chain has been placed; and what all threads do while they wait for each
    /// other.
    public var placement = UnitPlacement.together
    public var waiting = WaitStrategy.adaptive

    /// Frames of the driver's blocks, where the units are to render at the same time, each another block: every unit but the first
    /// then comes with a latency of so many. Blocks of other sizes are rendered too; a longer one begins with silence for what is
    /// not there yet. Nil: one unit after the other, all of them the same block.
    public var pipelineFrameCount: Int?
    /// Whether the units of a pipeline render one more block ahead, which comes with as much more latency: what the caller does between two
    /// cycles, as reading and writing files, it then does while they render. For offline.
    public var rendersAhead = false

    public init() {}

    /// The same rules for units that render at the same time.
    public func pipelined(frameCount: Int, rendersAhead: Bool = false) -> Self {
        var policy = self
        policy.pipelineFrameCount = frameCount
        policy.rendersAhead = rendersAhead
        return policy
    }

    /// Whether the units of a chain of so many render at the same time.
    func isPipelined(unitCount: Int) -> Bool { pipelineFrameCount != nil && (unitCount > 1 || rendersAhead) && unitCount > 0 }

    /// The share of a chain's own time after which whoever has not answered is late. Those that come after it in the chain
    /// are waited for in the sixth that is left.
    static var lateShare: Double {
        @_noLocks get { 5.0 / 6 }
    }
}
