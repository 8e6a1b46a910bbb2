// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Owns the plans that the render thread plays: makes one current, takes old ones back and frees them. Control thread.

import LinuxSystem
import Realtime
import Synchronization

/// Plays plans: drivers call `callback`, and the control thread changes plans meanwhile.
public final class PlanPlayer: Sendable {
    // SAFETY: only the render thread uses the core; the shared state is atomics.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<PlayerCore>
    nonisolated(unsafe) private let sharedState: UnsafeMutablePointer<PlayerSharedState>
    /// A plan that the render thread may still use, and the number of times it was handed over.
    ///
    /// A plan that is played again before its return counts twice.
    private struct Use {
        let plan: RenderPlan
        var count: Int
    }

    /// The plans in use, by the address of their core.
    private let plans = Mutex<[UInt: Use]>([:])

    private let serials = Atomic<UInt64>(0)

    /// Wakes a thread that sleeps until a cycle begins; see `awaitCycle`.
    private let wakeUp: EventDescriptor?
    private let transport: TransportLine?

    /// Makes a player without a plan; it plays silence.
    ///
    /// The next cycle after `awaitCycle` rings `wakeUp`. `transport` controls the song; only one player at a time uses it.
    public init(wakeUp: EventDescriptor? = nil, transport: TransportLine? = nil) {
        (self.wakeUp, self.transport) = (wakeUp, transport)
        core = .allocate(capacity: 1)
        core.initialize(to: PlayerCore(wakeUp: wakeUp, transport: transport?.core))
        sharedState = core.pointee.sharedState
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The number of plans that have been handed over.
    package var planCount: UInt64 { serials.load(ordering: .relaxed) }

    /// The callback for a driver.
    ///
    /// The player must outlive the driver's `stop()`.
    public var callback: RenderCallback {
        RenderCallback(
            function: { context, cycle in
                guard let context, let cycle else { return }
                PlanPlayer.render(context, cycle)
            }, context: core)
    }

    /// `[render]` Renders one cycle with the current plan, or silence without one.
    @_noLocks
    public func render(_ cycle: RenderCycle) { core.pointee.render(cycle) }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) {
        context.assumingMemoryBound(to: PlayerCore.self).pointee.render(
            cycle.assumingMemoryBound(to: RenderCycle.self).pointee)
    }

    /// `[control]` Makes `plan` current from the next cycle on, without waiting for the render thread.
    ///
    /// It returns a number, which `heardSerial` reaches once the plan is heard.
    @discardableResult
    public func play(_ plan: RenderPlan) -> UInt64 {
        let (serial, dropped) = plans.withLock { plans in
            let serial = serials.add(1, ordering: .relaxed).newValue
            plan.serial.pointee.store(serial, ordering: .relaxed)
            plans[UInt(bitPattern: plan.core), default: Use(plan: plan, count: 0)].count += 1
            // A pending plan that the render thread never took comes back at once.
            let dropped = sharedState.pointee.plans.offer(plan.core).flatMap { Self.drop($0, from: &plans) }
            return (serial, collect(&plans) + [dropped])
        }
        // The end of a plan may be the end of a node, which may call any function: not while the lock is held.
        withExtendedLifetime(dropped) {}
        return serial
    }

    /// `[control]` The number that the next plan gets.
    public var nextSerial: UInt64 { serials.load(ordering: .relaxed) + 1 }

    /// `[any]` The number of the plan that is heard; 0 before the first one.
    public var heardSerial: UInt64 { sharedState.pointee.heardSerial.load(ordering: .acquiring) }

    /// `[any]` The sample time at which the plan of a number, or the first later one, began; nil if neither is heard yet.
    ///
    /// If more than 64 plans followed, it is the time of the oldest one known.
    public func sampleTime(ofPlan serial: UInt64) -> Int64? {
        guard heardSerial >= serial else { return nil }
        var found: (serial: UInt64, time: Int64)?
        for slot in 0..<PlayerSharedState.heardCapacity {
            let other = sharedState.pointee.heardPlans[slot].serial.load(ordering: .acquiring)
            guard other >= serial, other < found?.serial ?? .max else { continue }
            found = (other, sharedState.pointee.heardPlans[slot].sampleTime.load(ordering: .relaxed))
        }
        return found?.time
    }

    /// `[control]` Makes the time line begin anew with the next cycle.
    public func rewind() { sharedState.pointee.mustRewind.store(true, ordering: .releasing) }

    /// `[control]` The plans that the render thread may still use.
    public var plansInUse: [RenderPlan] {
        let (used, dropped) = plans.withLock { plans in
            let dropped = collect(&plans)
            return (plans.values.map(\.plan), dropped)
        }
        withExtendedLifetime(dropped) {}
        return used
    }

    /// `[any]` The sample time of the last cycle's first frame, and the cycle's beginning in CLOCK_MONOTONIC nanoseconds.
    public var now: (sampleTime: Int64, hostTime: UInt64) {
        (sharedState.pointee.sampleTime.load(ordering: .relaxed), sharedState.pointee.hostTime.load(ordering: .relaxed))
    }

    /// `[control]` Frees the plans that the render thread has given back, and returns the number of plans still in use.
    @discardableResult
    public func collectRetiredPlans() -> Int {
        let (count, dropped) = plans.withLock { plans in
            let dropped = collect(&plans)
            return (plans.count, dropped)
        }
        withExtendedLifetime(dropped) {}
        return count
    }

    /// Takes plans back from the render thread, and returns those without a further use.
    private func collect(_ plans: inout [UInt: Use]) -> [RenderPlan?] {
        var dropped: [RenderPlan?] = []
        sharedState.pointee.plans.collect { dropped.append(Self.drop($0, from: &plans)) }
        return dropped
    }

    private static func drop(_ core: UnsafeMutablePointer<PlanCore>, from plans: inout [UInt: Use]) -> RenderPlan? {
        let address = UInt(bitPattern: core)
        guard let use = plans[address] else { return nil }
        plans[address] = use.count > 1 ? Use(plan: use.plan, count: use.count - 1) : nil
        return use.plan
    }

    /// The render thread's counts.
    public struct Statistics: Sendable {
        /// The number of rendered cycles.
        public var cycles: UInt64
        /// The number of cycles that took longer than their own length.
        public var missedDeadlines: UInt64
        /// The number of cycles that ended after the driver's next one was due, late beginnings included.
        ///
        /// PipeWire calls such a cycle an xrun of the node.
        public var lateCycles: UInt64
        /// The nanoseconds that the last cycle took.
        public var lastNanoseconds: UInt64
        /// The nanoseconds that the longest cycle took.
        public var longestNanoseconds: UInt64
    }

    /// The counts so far.
    public var statistics: Statistics {
        Statistics(
            cycles: sharedState.pointee.cycles.count,
            missedDeadlines: sharedState.pointee.missedDeadlineCount.load(ordering: .relaxed),
            lateCycles: sharedState.pointee.lateCycleCount.load(ordering: .relaxed),
            lastNanoseconds: sharedState.pointee.lastNanoseconds.load(ordering: .relaxed),
            longestNanoseconds: sharedState.pointee.longestNanoseconds.load(ordering: .relaxed))
    }

    /// `[control]` Makes the next cycle ring the wake-up; false if more than `seen` have already begun.
    public func awaitCycle(after seen: UInt64) -> Bool { sharedState.pointee.cycles.await(after: seen) }

    /// `[control]` Takes the missed deadlines since the last call; of more than 256 the first.
    public func takeMissedCycles() -> [MissedCycle] { sharedState.pointee.missedCycles.take() }

    /// `[control]` Takes the cycles that ended after the driver's next one was due; of more than 256 the first.
    public func takeLateCycles() -> [MissedCycle] { sharedState.pointee.lateCycles.take() }

    /// `[control]` Takes the peaks of the left and right output since the last call.
    public func takePeaks() -> (left: Float, right: Float) {
        (
            Float(bitPattern: sharedState.pointee.leftPeak.exchange(0, ordering: .relaxed)),
            Float(bitPattern: sharedState.pointee.rightPeak.exchange(0, ordering: .relaxed))
        )
    }
}
