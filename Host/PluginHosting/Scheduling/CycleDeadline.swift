// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The deadlines of a row in one cycle. Render thread.

import Rendering

/// The two deadlines of a cycle; the second counts once a unit has missed the first.
struct CycleDeadline {
    /// The monotonic time at which the present wait ends.
    private(set) var time: UInt64
    /// The nanoseconds from the start of the row's rendering to its first deadline.
    let length: UInt64
    private let lastTime: UInt64
    /// The least nanoseconds of a cycle for the fallback of late units, under any policy.
    ///
    /// It is at most a quarter of the cycle.
    private static var leastRest: Double { @_noLocks get { 200_000 } }
    /// True if a unit that is late now is to blame.
    ///
    /// Only the first late unit is to blame; units that had to wait for it are not. No unit is to blame if the earlier steps have
    /// left less time than the row usually takes.
    private(set) var isFirst: Bool
    /// True if a unit has been late in this cycle.
    private(set) var isExtended = false
    /// True if the cycle is rendered into a file, without a driver.
    let isOffline: Bool

    /// Makes the deadline of no cycle.
    init() { (time, length, lastTime, isFirst, isOffline) = (0, 0, 0, true, false) }

    @_noLocks
    init(_ cycle: RenderCycle, started: UInt64, _ policy: UnitPolicy) {
        let start = cycle.renderStart == 0 || cycle.isOffline ? started : cycle.renderStart
        let end = start &+ Self.nanoseconds(cycle, policy)
        // One and a half times the usual, because these steps may take longer than usual.
        let reserved = cycle.isOffline ? 0 : cycle.reservedNanoseconds &* 3 / 2
        let left = end > started &+ reserved ? end &- reserved &- started : 0
        // Cannot trap: a share of a cycle.
        length = cycle.isOffline ? left : UInt64(Double(left) * UnitPolicy.lateShare)
        time = started &+ length
        lastTime = started &+ left
        isOffline = cycle.isOffline
        isFirst = cycle.isOffline || length >= cycle.usualNanoseconds
    }

    /// Notes a late unit, and changes to the second deadline.
    @_noLocks
    mutating func extend() {
        time = lastTime
        isFirst = false
        isExtended = true
    }

    /// Gives the awaited unit the full length again.
    @_noLocks
    mutating func begin(now: UInt64) { time = now &+ length }

    @_noLocks
    private static func nanoseconds(_ cycle: RenderCycle, _ policy: UnitPolicy) -> UInt64 {
        if cycle.isOffline { return UInt64(policy.offlineMilliseconds) &* 1_000_000 }
        let length = min(Double(cycle.frameCount) / cycle.sampleRate * 1e9, 0x1p53)
        // If a policy waits for longer than a cycle, no driver needs an answer in time.
        guard policy.deadlineShare < 1 else { return UInt64(length * policy.deadlineShare) }
        return UInt64(min(length * policy.deadlineShare, length - min(leastRest, length / 4)))
    }
}
