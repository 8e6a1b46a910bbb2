// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Until when a chain is waited for in one cycle. Render thread.

import Rendering

/// The two deadlines of a cycle, of which the second counts once somebody has missed the first.
struct CycleDeadline {
    /// Monotonic time until which to wait now.
    private(set) var time: UInt64
    /// Nanoseconds from the start of the chain's rendering to its first deadline.
    let length: UInt64
    private let lastTime: UInt64
    /// Nanoseconds of a cycle that are left for covering for whoever is late, whatever the policy; at most a quarter of it.
    private static var leastRest: Double { @_noLocks get { 200_000 } }
    /// Whether nobody has been late in this cycle yet: whoever is the first to be is to blame, and those that had to wait
    /// for it are not. Nor is anybody where the steps before have left less than the chain usually takes.
    private(set) var isFirst: Bool
    /// Whether somebody has been late.
    private(set) var isExtended = false
    /// Nobody waits for the cycle but a file.
    let isOffline: Bool

    /// Of no cycle.
    init() { (time, length, lastTime, isFirst, isOffline) = (0, 0, 0, true, false) }

    @_noLocks
    init(_ cycle: RenderCycle, started: UInt64, _ policy: ChainPolicy) {
        let start = cycle.renderStart == 0 || cycle.isOffline ? started : cycle.renderStart
        let end = start &+ Self.nanoseconds(cycle, policy)
        // Half as much again: what usually takes so long may take longer.
        let reserved = cycle.isOffline ? 0 : cycle.reservedNanoseconds &* 3 / 2
        let left = end > started &+ reserved ? end &- reserved &- started : 0
        length = cycle.isOffline ? left : UInt64(Double(left) * ChainPolicy.lateShare)
        time = started &+ length
        lastTime = started &+ left
        isOffline = cycle.isOffline
        isFirst = cycle.isOffline || length >= cycle.usualNanoseconds
    }

    /// Somebody was late.
    @_noLocks
    mutating func extend() {
        time = lastTime
        isFirst = false
        isExtended = true
    }

    /// Whoever is waited for has as long again.
    @_noLocks
    mutating func begin(now: UInt64) { time = now &+ length }

    @_noLocks
    private static func nanoseconds(_ cycle: RenderCycle, _ policy: ChainPolicy) -> UInt64 {
        if cycle.isOffline { return UInt64(policy.offlineMilliseconds) &* 1_000_000 }
        let length = Double(cycle.frameCount) / cycle.sampleRate * 1e9
        // Whoever may wait for longer than a cycle lasts has no driver to be back with.
        guard policy.deadlineShare < 1 else { return UInt64(length * policy.deadlineShare) }
        return UInt64(min(length * policy.deadlineShare, length - min(leastRest, length / 4)))
    }
}
