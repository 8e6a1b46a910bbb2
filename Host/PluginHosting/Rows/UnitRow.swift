// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row of units with all that rendering it needs: memory, wiring, supervision. Control thread.

import AudioUnits
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

/// A unit, and how it is to be rendered.
package struct UnitAllocation: Sendable {
    package var unit: HostedUnit
    package var automation: [AutomationLane]
    /// The channels of the input buses from the second one on, which the plan feeds.
    ///
    /// A bus of 0 channels stays unconnected.
    package var sideInputs: [Int]
    /// The channels of each output bus; nil: the first has as many as the first input.
    package var outputs: [Int]?
    /// What is heard while the unit does not render.
    package var fallback: Fallback
    /// The pace of a unit that stretches time, and the address of the parameter that it hears of it by.
    package var pace: (TimePace, address: UInt64)?
    /// Whether the unit is bypassed at first.
    package var isBypassed: Bool
    /// Whether a unit that meets a fault while it allocates joins without its process, which the supervisor starts again.
    package var mayBeginAbsent = false

    package init(
        _ unit: HostedUnit, automation: [AutomationLane] = [], sideInputs: [Int] = [], outputs: [Int]? = nil,
        fallback: Fallback = .dry,
        isBypassed: Bool = false
    ) {
        self.unit = unit
        self.automation = automation
        self.sideInputs = sideInputs
        self.outputs = outputs
        self.fallback = fallback
        self.isBypassed = isBypassed
    }
}

/// A unit with its resources, or a row of such units, as one node of a render plan.
///
/// `init` allocates the units' resources. Dropping the row takes them back; no plan may play it any more by then.
package final class UnitRow: ConcurrentNode {
    package let members: [UnitResources]
    package let format: BlockFormat
    // SAFETY: the render thread alone uses the core.
    nonisolated(unsafe) let core: UnsafeMutablePointer<RowCore>
    private let monitor: RowMonitor
    private let source: SharedMemory
    private let sourceLayout: AudioMemoryLayout
    private let supervisor: Supervisor
    /// The rows in which the units of a row allocated, and what each is wired to in the row.
    private let homes: [UnitRow]
    private let targets: [RowWiring.Target]
    private let isTornDown = Atomic<Bool>(false)
    private let hasJoined = Atomic<Bool>(false)

    /// Allocates the resources of one unit.
    ///
    /// `supervisor` looks after it; without one the row has its own. With `joinsLater` it does so from `join` on. Throws when the unit
    /// refuses the format or fails to allocate.
    package init(
        _ link: UnitAllocation, format: BlockFormat, policy: UnitPolicy = UnitPolicy(), supervisor: Supervisor? = nil,
        joinsLater: Bool = false
    ) throws(HostingError) {
        guard format.isPossible else { throw format.refusal }
        self.format = format
        (homes, targets) = ([], [])
        self.supervisor = if let supervisor { supervisor } else { try Supervisor() }
        sourceLayout = AudioMemoryLayout(
            slotCount: format.slotCount, channelCount: format.channelCount + link.sideInputs.reduce(0, +),
            maximumFrameCount: format.maximumFrameCount)
        do throws(SystemError) {
            monitor = try RowMonitor(
                policy: policy, wakeUp: self.supervisor.wakeUp, mayRelyOnWatch: link.unit.isFiltered)
            source = try SharedMemory(name: "unit input", byteCount: sourceLayout.byteCount)
        } catch {
            throw .system(error)
        }
        let builder = ResourceBuilder(
            format: format, monitor, source: source, sourceLayout: sourceLayout, wakeUp: self.supervisor.wakeUp)
        members = [try builder.member(link)]
        if link.isBypassed { members[0].isBypassed = true }
        core = .allocate(capacity: 1)
        core.initialize(
            to: RowCore(
                units: members.map(\.renderer), monitor, source: source.base.assumingMemoryBound(to: Float.self),
                sourceLayout: sourceLayout, format: format))
        DeadlineWatch.shared.lookAfter(monitor.watched(members.map(\.sharedState)))
        guard !joinsLater else { return }
        do throws(HostingError) {
            try join()
        } catch {
            tearDown()
            throw error
        }
    }

    /// Lets the supervisor look after the units.
    ///
    /// `[control]` Once, before a plan plays the row. Throws if another supervisor looks after one of their processes.
    package func join() throws(HostingError) {
        try supervisor.join(members)
        hasJoined.store(true, ordering: .releasing)
    }

    /// Makes a row of units that have resources already, each in a row of its own.
    ///
    /// The units hand over to each other once `wire` has told them, and go by way of the host until then: the sound is the same. They
    /// belong to `homes`, whose formats differ in channels at most; this row takes nothing back from them.
    package init(row homes: [UnitRow]) throws(HostingError) {
        let first = homes[0]
        (format, members, supervisor) = (first.format, homes.map { $0.members[0] }, first.supervisor)
        (source, sourceLayout, self.homes) = (first.source, first.sourceLayout, homes)
        isTornDown.store(true, ordering: .relaxed)
        let row = RowWiring.makeRow()
        let members = members
        do throws(SystemError) {
            let monitor = try RowMonitor(
                policy: first.policy, wakeUp: first.supervisor.wakeUp, mayRelyOnWatch: members.allSatisfy(\.unit.isFiltered))
            var doorbells: [SharedMemory] = []
            for member in members {
                doorbells.append(try SharedMemory(name: "\(member.unit.name) doorbell", byteCount: WireLimits.pageByteCount))
            }
            targets = members.enumerated().map { index, member in
                let former = index > 0 ? members[index - 1].wiring.memory : nil
                let input = former.map { UnitRewiring.Input(memory: $0.outputMemory, layout: $0.outputLayout) }
                return RowWiring.Target(
                    row: row,
                    UnitRewiring(
                        doorbell: doorbells[index], hostDoorbell: monitor.doorbellMemory,
                        successorDoorbell: index + 1 < doorbells.count ? doorbells[index + 1] : nil,
                        inputs: member.wiring.inputs.indices.map { $0 == 0 ? input : nil }),
                    ringer: index > 0 ? members[index - 1] : nil)
            }
            self.monitor = monitor
        } catch {
            throw .system(error)
        }
        let links = zip(homes, targets).map { home, target in
            RowWiring.Link(
                row: row, doorbell: target.doorbell, inlet: home.source.base.assumingMemoryBound(to: Float.self),
                inletLayout: home.sourceLayout, hostDoorbell: home.monitor.doorbell)
        }
        core = .allocate(capacity: 1)
        core.initialize(
            to: RowCore(
                units: members.map(\.renderer), monitor, source: source.base.assumingMemoryBound(to: Float.self),
                sourceLayout: sourceLayout, format: format, links: links))
        DeadlineWatch.shared.lookAfter(monitor.watched(members.map(\.sharedState)))
    }

    /// Whether the unit of this row can be followed by that of another one in a row.
    package func canLead(to other: UnitRow) -> Bool {
        // What a row's later units have besides their first input stays unconnected.
        members.count == 1 && other.members.count == 1 && outputChannelCounts.first == other.format.channelCount
            && format.equalsButForChannels(other.format) && supervisor === other.supervisor
            && other.members[0].wiring.sideInputs.allSatisfy { $0 == 0 }
    }

    /// Tells the units that this row renders them from now on.
    ///
    /// `[control]` When a plan with this row is handed over.
    package func take() {
        var hasChanged = false
        for (index, member) in members.enumerated() where member.monitor !== monitor {
            member.monitor = monitor
            member.target = targets.isEmpty ? nil : targets[index]
            hasChanged = true
        }
        // It may be asleep until a cycle of the rows that it knew.
        if hasChanged { supervisor.wakeUp.ring() }
    }

    /// Lets the units of a row hand over to each other.
    ///
    /// `[control]` Once the plan with this row is rendered, or before anything is. It waits for the units' answers, 5 s at most.
    package func wire() {
        let wanting = zip(members, targets).filter { $0.0.wantsWiring }.map { (member: $0.0, target: $0.1) }
        _ = Thread.map(wanting, name: "wire") { $0.member.wire($0.target) }
    }

    /// Whether `wire` has something to do.
    package var wantsWiring: Bool { !targets.isEmpty && members.contains(where: \.wantsWiring) }

    deinit {
        tearDown()
        DeadlineWatch.shared.leaveAlone(monitor.deadlineState)
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Takes the units' resources back, so that another row can use the units.
    ///
    /// No plan may play this row any more. `deinit` calls it; a second call does nothing.
    package func tearDown() {
        guard !isTornDown.exchange(true, ordering: .acquiringAndReleasing) else { return }
        leave()
        members.forEach { $0.endWiring() }
        members.forEach { $0.unit.deallocateResources() }
        supervisor.release(members)
    }

    private func leave() { if hasJoined.exchange(false, ordering: .acquiringAndReleasing) { supervisor.leave(members) } }

    /// Lets the supervisor go of the units of several rows at once, before they are torn down.
    package static func leave(_ rows: [UnitRow]) {
        let joined = rows.filter { $0.hasJoined.exchange(false, ordering: .acquiringAndReleasing) }
        var groups: [ObjectIdentifier: (Supervisor, [UnitResources])] = [:]
        for row in joined {
            groups[ObjectIdentifier(row.supervisor), default: (row.supervisor, [])].1 += row.members
        }
        for (supervisor, members) in groups.values { supervisor.leave(members) }
    }

    /// Whether the calling thread is the supervisor's, which must not call `tearDown`.
    var isSupervisedByThisThread: Bool { supervisor.isCurrentThread }

    private var policy: UnitPolicy { monitor.policy }
    private var sharedState: UnsafeMutablePointer<RowSharedState> { monitor.sharedState }

    /// The channels of each output bus of the last unit.
    package var outputChannelCounts: [Int] { members[members.count - 1].wiring.outputs.map(\.channelCount) }

    /// The sum of the units' latencies and the pipeline's, in frames.
    package var latencyFrameCount: Int { members.reduce(pipelineLatencyFrameCount) { $0 + $1.latencyFrameCount } }

    /// Frames of latency that come from units rendering at the same time.
    package var pipelineLatencyFrameCount: Int {
        Pipeline.latency(unitCount: members.count, policy)
    }

    /// The sum of the units' tails, in frames; `Int.max` when one is endless.
    package var tailFrameCount: Int {
        members.reduce(0) { sum, member in
            let (total, overflows) = sum.addingReportingOverflow(member.tailFrameCount)
            return overflows ? .max : total
        }
    }

    /// Cycles rendered.
    package var cycleCount: UInt64 { sharedState.pointee.cycles.count }

    /// Blocks in which a unit missed its deadline.
    package var missedDeadlineCount: UInt64 { sharedState.pointee.missedDeadlineCount.load(ordering: .relaxed) }

    /// Blocks whose invalid samples came from the row's input and were replaced at its output.
    package var mendedBlockCount: UInt64 { sharedState.pointee.mendedBlockCount.load(ordering: .relaxed) }

    /// Counts all changes to the units' states and bypasses that the host knows of.
    package var stateRevision: Int { members.reduce(0) { $0 + $1.stateRevision } }

    /// Places the units' render threads, at ranks below `rank`, that of the thread that renders the row on `processor`.
    ///
    /// The thread that waits must outrank those that it waits for: on one processor and at equal rank, a unit in an endless loop
    /// would starve it. The policy says whether the units run on the same processor. With nil the kernel decides; in an offline
    /// pipeline the render thread does, and keeps all processors busy. The row's other threads stay off that processor; the
    /// caller's other threads should do the same.
    ///
    /// `branch`, from 0 to `branchCount` - 1, numbers the rows that the plan renders at the same time: they may be spread over the
    /// processors.
    package func place(processor: Int?, below rank: SchedulingClass, branch: Int = 0, of branchCount: Int = 1) {
        seat(processor: processor, below: rank, branch: branch, of: branchCount)
        if let processor { supervisor.keep(off: processor) }
        supervisor.place(members)
    }

    /// Chooses the places of the units' render threads, which `Supervisor.place` gives them.
    package func seat(processor: Int?, below rank: SchedulingClass, branch: Int, of branchCount: Int) {
        let placement = Placement(
            processor: processor, hostRank: rank, units: policy.placement, waiting: policy.waiting,
            isPipelined: policy.pipelineFrameCount != nil, branch: branch, branchCount: branchCount)
        for (member, seat) in zip(members, placement.seats(of: members)) { member.seat.withLock { $0 = seat } }
        if rank != .ordinary { DeadlineWatch.shared.seekRank() }
        if let processor { DeadlineWatch.shared.follow(processor) }
        sharedState.pointee.setUnitSpread(placement.spread(of: members))
    }

    /// Whether every unit is ready or in quarantine.
    package var isWhole: Bool { members.allSatisfy { $0.isPresent || $0.isQuarantined } }

    /// Waits until every unit is ready or in quarantine, restarts included; false after the time is up.
    package func waitUntilReady(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while !isWhole {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 500)
        }
        return true
    }

    package var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    package var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.render(context, call)
        }
    }

    package var beginFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.begin(context, call)
        }
    }

    package var awaitFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.awaitUnits(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.render(StepCall(call))
    }

    @_noLocks
    private static func begin(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.begin(StepCall(call))
    }

    @_noLocks
    private static func awaitUnits(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.awaitUnits(StepCall(call))
    }
}
