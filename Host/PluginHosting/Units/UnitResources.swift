// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's render resources: memory, wiring, renderer, and its place in the supervision. Control threads.

import AudioUnits
import LinuxSystem
import RTKit
import Rendering
import Synchronization
import Wire

/// The render resources of one unit: allocated once, and taken back once.
///
/// They outlive every plan that renders the unit. A plan renders them as a `UnitRow`, alone or with others.
package final class UnitResources: Sendable {
    /// The unit.
    package let unit: HostedUnit
    /// The rate and the blocks in which the unit renders.
    package let format: BlockFormat
    /// The faults since the allocation.
    package let faults = FaultLog()
    /// A number that rises with each allocation of this process.
    let number = UnitResources.nextNumber.add(1, ordering: .relaxed).oldValue
    let wiring: UnitWiring
    let policy: UnitPolicy
    let lanes: [AutomationLane]
    let supervisor: Supervisor
    /// The monitor of the allocation: the unit rings its doorbell while it has no row's wiring.
    let home: RowMonitor
    private let tail: Atomic<Int>
    /// The allocation that the unit has not answered yet, until the supervisor takes its outcome.
    private let lateAllocation: Mutex<LateAllocation?>
    private static let nextNumber = Atomic<Int>(0)

    /// The monitor of the row that renders the unit, and that of the row before.
    let currentMonitors: Mutex<(present: RowMonitor, former: RowMonitor?)>
    let currentTarget = Mutex<RowWiring.Target?>(nil)
    /// The unit's wirings, by their numbers.
    let wirings = Mutex<[Int: RowWiring.Target]>([:])
    /// Locked while the unit is sent a wiring; true once it gives its resources back.
    let isBeingWired = Mutex(false)
    /// Locked while the state poller asks the unit.
    let isBeingAsked = Mutex(())
    /// The seat of the unit's render thread; nil if the kernel chooses.
    let seat = Mutex<ThreadSeat?>(nil)
    /// The request for a rank that this user may not give; nil without one.
    let rankWish = Mutex<RankWish?>(nil)
    /// True if the unit has a supervisor.
    let isSupervised = Atomic<Bool>(false)
    let quarantined = Atomic<Bool>(false)
    let mustReturn = Atomic<Bool>(false)
    let bypassChanges = Atomic<Int>(0)
    private let hasJoined = Atomic<Bool>(false)
    /// True once it is about to leave its supervisor, and true while the supervisor starts it again.
    let isLeaving = Atomic<Bool>(false)
    let isBeingRestarted = Atomic<Bool>(false)
    private let isGone = Atomic<Bool>(false)

    // SAFETY: only the render thread uses the renderer while a plan plays the unit; the shared state consists of atomics.
    nonisolated(unsafe) let renderer: UnsafeMutablePointer<UnitRenderer>
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<UnitSharedState>

    /// `[control]` Allocates a unit's resources.
    ///
    /// `fallback` is heard while the unit does not render. Throws if the unit refuses the format or fails to allocate.
    package init(
        _ unit: HostedUnit, format: BlockFormat, fallback: Fallback = .dry, isBypassed: Bool = false,
        options: AllocationOptions = AllocationOptions()
    ) throws(HostingError) {
        guard format.isPossible else { throw format.refusal }
        (self.unit, self.format, lanes) = (unit, format, options.lanes)
        policy = options.policy ?? UnitPolicy()
        supervisor = if let supervisor = options.supervisor { supervisor } else { try Supervisor() }
        do throws(SystemError) {
            home = try RowMonitor(policy: policy, wakeUp: supervisor.wakeUp, mayRelyOnWatch: unit.isFiltered)
        } catch {
            throw .system(error)
        }
        let parts = try UnitAllocation(unit, format, home, options).allocate(fallback)
        (wiring, renderer) = (parts.wiring, parts.renderer)
        tail = Atomic(parts.delays.tailFrameCount)
        lateAllocation = Mutex(parts.late)
        currentMonitors = Mutex((home, nil))
        sharedState = renderer.pointee.sharedState
        sharedState.pointee.latencyFrameCount.store(parts.delays.latencyFrameCount, ordering: .relaxed)
        if let fault = parts.fault { faults.append(fault, cycle: 0, sampleTime: 0) }
        if isBypassed { self.isBypassed = true }
        DeadlineWatch.shared.lookAfter(home.watched([sharedState]))
    }

    deinit {
        if !isGone.load(ordering: .acquiring) {
            awaitAllocation()
            unit.deallocateResources()
            supervisor.release([unit])
        }
        DeadlineWatch.shared.leaveAlone(home.deadlineState)
        rankWish.withLock { $0?.withdraw() }
        renderer.deinitialize(count: 1)
        renderer.deallocate()
    }

    /// `[control]` Starts the supervision of the unit.
    ///
    /// Call it once, before a plan plays the unit. Throws if the unit's process has another supervisor.
    package func join() throws(HostingError) {
        try supervisor.join([self])
        hasJoined.store(true, ordering: .releasing)
    }

    /// `[control]` Takes the resources back, so that the unit can allocate again.
    ///
    /// No plan may play the unit any more. A second call does nothing. The supervisor's own thread must not call it.
    package func takeBack() {
        guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.leave([self])
        endWiring()
        awaitAllocation()
        unit.deallocateResources()
        supervisor.release([unit])
    }

    /// `[control]` Ends the supervision of several units at once, before their resources are taken back.
    package static func leave(_ units: [UnitResources]) {
        let joined = units.filter { $0.hasJoined.exchange(false, ordering: .acquiringAndReleasing) }
        var groups: [ObjectIdentifier: (Supervisor, [UnitResources])] = [:]
        for unit in joined { groups[ObjectIdentifier(unit.supervisor), default: (unit.supervisor, [])].1.append(unit) }
        for (supervisor, units) in groups.values { supervisor.leave(units) }
    }

    /// The frames of sound after the input falls silent; `Int.max` without end, and 0 before the unit has answered.
    package var tailFrameCount: Int { tail.load(ordering: .relaxed) }

    /// True if the calling thread is the supervisor's, which must not call `takeBack`.
    var isSupervisedByThisThread: Bool { supervisor.isCurrentThread }
}

// MARK: - Units that answer late

extension UnitResources {
    /// True until the supervisor has taken the outcome of the allocation.
    var isAllocating: Bool { lateAllocation.withLock { $0 != nil } }

    /// Takes the outcome of a late allocation; nil if there is none, or before the unit has answered.
    func takeAllocation() -> Result<HostedUnit.Delays, HostingError>? {
        lateAllocation.withLock { late in
            guard let outcome = late?.value else { return nil }
            late = nil
            if case .success(let delays) = outcome {
                tail.store(delays.tailFrameCount, ordering: .relaxed)
                sharedState.pointee.latencyFrameCount.store(delays.latencyFrameCount, ordering: .relaxed)
            }
            return outcome
        }
    }

    /// Waits for the answer of a late allocation, and forgets it.
    ///
    /// The unit takes the time that it has for an answer. If its process has ended it takes none.
    func awaitAllocation() {
        lateAllocation.withLock { $0 }?.wait()
        lateAllocation.withLock { $0 = nil }
    }

    /// Waits until the supervisor does not start the unit again, and keeps it from doing so.
    func awaitRestart() {
        // Sequential, as in `mayBeRestarted`: one of both threads sees what the other has stored.
        isLeaving.store(true, ordering: .sequentiallyConsistent)
        while isBeingRestarted.load(ordering: .sequentiallyConsistent) { Futex.pause(microseconds: 500) }
    }

    /// Marks the unit as being started again; false if it is about to leave.
    func mayBeRestarted() -> Bool {
        isBeingRestarted.store(true, ordering: .sequentiallyConsistent)
        guard isLeaving.load(ordering: .sequentiallyConsistent) else { return true }
        isBeingRestarted.store(false, ordering: .sequentiallyConsistent)
        return false
    }
}
