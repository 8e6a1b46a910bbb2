// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row of units that have render resources, as one node of a render plan. Control thread; a plan calls its functions.

import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// One or more units as one node of a render plan.
///
/// The resources belong to the units: dropping a row gives nothing back. After `wire` several units hand over to each other.
/// Before it they do so through the host, with the same sound.
package final class UnitRow: ConcurrentNode {
    /// The units, in the order in which audio passes through them.
    package let members: [UnitResources]
    // SAFETY: only the render thread uses the core.
    nonisolated(unsafe) let core: UnsafeMutablePointer<RowCore>
    let monitor: RowMonitor
    /// The wiring of each unit; empty in a row of one.
    private let targets: [RowWiring.Target]

    /// `[control]` Makes a row of one.
    ///
    /// Each allocation may have at most one row of one.
    package init(_ unit: UnitResources) {
        (members, monitor, targets) = ([unit], unit.home, [])
        core = .allocate(capacity: 1)
        core.initialize(to: RowCore([unit], unit.home))
    }

    /// `[control]` Makes a row of several units; each of them can hand over to the next one.
    ///
    /// Throws if memory for the doorbells is short.
    package init(_ units: [UnitResources]) throws(HostingError) {
        members = units
        do throws(SystemError) {
            let monitor = try RowMonitor(
                policy: units[0].policy, wakeUp: units[0].supervisor.wakeUp,
                mayRelyOnWatch: units.allSatisfy(\.unit.isFiltered))
            targets = try RowWiring.targets(of: units, monitor)
            self.monitor = monitor
        } catch {
            throw .system(error)
        }
        core = .allocate(capacity: 1)
        core.initialize(to: RowCore(units, monitor, links: zip(units, targets).map { RowWiring.Link($0, $1) }))
        DeadlineWatch.shared.lookAfter(monitor.watched(units.map(\.sharedState)))
    }

    deinit {
        if !targets.isEmpty { DeadlineWatch.shared.leaveAlone(monitor.deadlineState) }
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// `[control]` Makes this row the one that renders the units from now on.
    ///
    /// Call it when a plan with this row is handed over.
    package func take() {
        var hasChanged = false
        for (index, member) in members.enumerated() where member.monitor !== monitor {
            member.monitor = monitor
            member.target = targets.isEmpty ? nil : targets[index]
            hasChanged = true
        }
        // It may sleep until the next cycle of its former rows.
        if hasChanged { supervisor.wakeUp.ring() }
    }

    /// `[control]` Lets the units hand over to each other.
    ///
    /// Call it once the plan with this row is rendered, or before any plan is. It waits for the units' answers, at most 5 s.
    package func wire() {
        let wanting = zip(members, targets).filter { $0.0.wantsWiring }.map { (member: $0.0, target: $0.1) }
        _ = Thread.map(wanting, name: "wire") { $0.member.wire($0.target) }
    }

    /// True if `wire` has something to do.
    package var wantsWiring: Bool { !targets.isEmpty && members.contains(where: \.wantsWiring) }

    private var supervisor: Supervisor { members[0].supervisor }
    private var policy: UnitPolicy { monitor.policy }

    /// `[control]` Places the units' render threads, at ranks below `rank`.
    ///
    /// `rank` is that of the thread that renders the row on `processor`.
    ///
    /// A thread that waits must outrank the threads for which it waits: on one processor and at equal rank, a unit in an endless
    /// loop would starve it. The policy decides whether the units run on the same processor. With nil the kernel decides; in an
    /// offline pipeline the render thread does, and keeps all processors busy. The supervisor's threads stay off that processor;
    /// the caller's other threads should do the same.
    ///
    /// `branch`, from 0 to `branchCount` - 1, numbers the rows that the plan renders at the same time. They may be spread over
    /// the processors.
    package func place(processor: Int?, below rank: SchedulingClass, branch: Int = 0, of branchCount: Int = 1) {
        seat(processor: processor, below: rank, branch: branch, of: branchCount)
        if let processor { supervisor.keep(off: processor) }
        supervisor.place(members)
    }

    /// `[control]` Chooses the seats of the units' render threads, which `Supervisor.place` gives them.
    package func seat(processor: Int?, below rank: SchedulingClass, branch: Int, of branchCount: Int) {
        let placement = Placement(
            processor: processor, hostRank: rank, units: policy.placement, waiting: policy.waiting,
            isPipelined: policy.pipelineFrameCount != nil, branch: branch, branchCount: branchCount)
        for (member, seat) in zip(members, placement.seats(of: members)) { member.seat.withLock { $0 = seat } }
        if rank != .ordinary { DeadlineWatch.shared.seekRank() }
        if let processor { DeadlineWatch.shared.follow(processor) }
        monitor.sharedState.pointee.setUnitSpread(placement.spread(of: members))
    }
}
