// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Owns the render thread's view of the plans: makes one current, gets the old ones back and frees them. Control thread.

import LinuxSystem
import Realtime
import Synchronization

/// Plays plans. Drivers call `callback`; the control thread changes plans while it plays.
public final class PlanPlayer: Sendable {
    // SAFETY: the render thread alone uses the core; the words are atomics.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<PlayerCore>
    nonisolated(unsafe) private let sharedState: UnsafeMutablePointer<PlayerSharedState>
    /// A plan that the render thread may still use, and in how many places: one that is played again before it
    /// has come back is in two.
    private struct Use {
        let plan: RenderPlan
        var count: Int
    }

    /// By the address of the plan's core.
    private let plans = Mutex<[UInt: Use]>([:])

    /// Wakes whoever rests until something is played; see `awaitCycle`.
    private let wakeUp: EventDescriptor?

    public init(wakeUp: EventDescriptor? = nil) {
        self.wakeUp = wakeUp
        core = .allocate(capacity: 1)
        core.initialize(to: PlayerCore(wakeUp: wakeUp))
        sharedState = core.pointee.sharedState
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// What a driver calls. The player must outlive the driver's `stop()`.
    public var callback: RenderCallback {
        RenderCallback(
            function: { context, cycle in
                guard let context, let cycle else { return }
                PlanPlayer.render(context, cycle)
            }, context: core)
    }

    /// `[render]` Renders one cycle with the current plan; silence while there is none.
    @_noLocks
    public func render(_ cycle: RenderCycle) { core.pointee.render(cycle) }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) {
        context.assumingMemoryBound(to: PlayerCore.self).pointee.render(
            cycle.assumingMemoryBound(to: RenderCycle.self).pointee)
    }

    /// Makes `plan` current from the next cycle on. Never waits for the render thread.
    public func play(_ plan: RenderPlan) {
        plans.withLock { plans in
            plans[UInt(bitPattern: plan.core), default: Use(plan: plan, count: 0)].count += 1
            // Release: the plan is complete. A plan that was never taken comes back at once.
            let replaced = sharedState.pointee.pending.exchange(UInt(bitPattern: plan.core), ordering: .acquiringAndReleasing)
            if replaced != 0 { Self.drop(replaced, from: &plans) }
            collect(&plans)
        }
    }

    /// Frees the plans that the render thread has given back; how many are still in use.
    @discardableResult
    public func collectRetiredPlans() -> Int {
        plans.withLock { plans in
            collect(&plans)
            return plans.count
        }
    }

    private func collect(_ plans: inout [UInt: Use]) {
        for slot in 0..<PlayerSharedState.retiredCapacity {
            let address = sharedState.pointee.retired[slot].exchange(0, ordering: .acquiring)
            if address != 0 { Self.drop(address, from: &plans) }
        }
    }

    private static func drop(_ address: UInt, from plans: inout [UInt: Use]) {
        guard let use = plans[address] else { return }
        plans[address] = use.count > 1 ? Use(plan: use.plan, count: use.count - 1) : nil
    }

    /// Counts of what the render thread did.
    public struct Statistics: Sendable {
        public var cycles: UInt64
        /// Cycles that took longer than they last.
        public var missedDeadlines: UInt64
        /// Cycles that ended after the driver's next one was due, be it that they began late. PipeWire calls that an xrun of
        /// the node.
        public var lateCycles: UInt64
        public var lastNanoseconds: UInt64
        public var longestNanoseconds: UInt64
    }

    public var statistics: Statistics {
        Statistics(
            cycles: sharedState.pointee.cycles.count,
            missedDeadlines: sharedState.pointee.missedDeadlineCount.load(ordering: .relaxed),
            lateCycles: sharedState.pointee.lateCycleCount.load(ordering: .relaxed),
            lastNanoseconds: sharedState.pointee.lastNanoseconds.load(ordering: .relaxed),
            longestNanoseconds: sharedState.pointee.longestNanoseconds.load(ordering: .relaxed))
    }

    /// The next cycle is to ring the news. False when there have been more than `seen` already.
    public func awaitCycle(after seen: UInt64) -> Bool { sharedState.pointee.cycles.await(after: seen) }

    /// When deadlines were missed since the last call; of more than 256 the first.
    public func takeMissedCycles() -> [MissedCycle] { sharedState.pointee.missedCycles.take() }

    /// The same of cycles that ended after the driver's next one was due.
    public func takeLateCycles() -> [MissedCycle] { sharedState.pointee.lateCycles.take() }

    /// The largest sample of the left and right output since the last call.
    public func takePeaks() -> (left: Float, right: Float) {
        (
            Float(bitPattern: sharedState.pointee.leftPeak.exchange(0, ordering: .relaxed)),
            Float(bitPattern: sharedState.pointee.rightPeak.exchange(0, ordering: .relaxed))
        )
    }
}
