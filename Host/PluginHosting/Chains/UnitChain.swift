// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain of units with everything that playing it needs: memory, wiring, supervision. Control thread.

import AudioUnits
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

/// One unit of a chain that is to be made.
public struct ChainLink: Sendable {
    public var unit: HostedUnit
    public var automation: [AutomationLane]
    /// The unit's second input hears the chain's own input; otherwise it stays unconnected.
    public var hasSideChain: Bool
    /// What is heard while the unit is away.
    public var fallback: Fallback
    /// Whether the unit is bypassed to begin with.
    public var isBypassed: Bool

    public init(
        _ unit: HostedUnit, automation: [AutomationLane] = [], hasSideChain: Bool = false, fallback: Fallback = .dry,
        isBypassed: Bool = false
    ) {
        self.unit = unit
        self.automation = automation
        self.hasSideChain = hasSideChain
        self.fallback = fallback
        self.isBypassed = isBypassed
    }
}

/// A serial chain of units, as one node of a render plan.
///
/// Making one allocates the units' resources; dropping it, after no plan plays it any more, takes them back.
public final class UnitChain: ConcurrentNode {
    public let members: [ChainMember]
    public let format: ChainFormat
    // SAFETY: the render thread alone uses the core; the words are atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<ChainCore>
    nonisolated(unsafe) private let sharedState: UnsafeMutablePointer<ChainSharedState>
    private let hostDoorbell: SharedMemory
    private let source: SharedMemory
    private let supervisor: Supervisor
    private let isTornDown = Atomic<Bool>(false)

    /// Connects `links` in their order. Throws when a unit refuses the format or fails to allocate.
    public init(_ links: [ChainLink], format: ChainFormat, policy: ChainPolicy = ChainPolicy()) throws(HostingError) {
        guard format.isPossible else { throw .impossibleFormat(format) }
        self.format = format
        let sourceSlotCount = ChainBuilder.sourceSlotCount(links, format, policy)
        guard sourceSlotCount <= WireLimits.slotCount else {
            let most = WireLimits.slotCount - (policy.rendersAhead ? 1 : 0)
            throw .tooLongPipeline(unitCount: links.count, maximum: most)
        }
        let wakeUp: EventDescriptor
        let sourceLayout = AudioMemoryLayout(
            slotCount: sourceSlotCount, channelCount: format.channelCount, maximumFrameCount: format.maximumFrameCount)
        do throws(SystemError) {
            hostDoorbell = try SharedMemory(name: "host doorbell", byteCount: WireLimits.pageByteCount)
            source = try SharedMemory(name: "chain input", byteCount: sourceLayout.byteCount)
            wakeUp = try EventDescriptor()
        } catch {
            throw .system(error)
        }
        members = try ChainBuilder(
            format: format, policy: policy, hostDoorbell: hostDoorbell, source: source, sourceLayout: sourceLayout,
            wakeUp: wakeUp
        )
        .members(links)
        for (member, link) in zip(members, links) where link.isBypassed { member.isBypassed = true }
        let threadPlacements = ThreadPlacements(of: members.map(\.sharedState), wakeUp: wakeUp)
        core = .allocate(capacity: 1)
        core.initialize(
            to: ChainCore(
                units: members.map(\.renderer), hostDoorbell: SharedFutexWord(unsafeAddress: hostDoorbell.base),
                source: source.base.assumingMemoryBound(to: Float.self), sourceLayout: sourceLayout,
                format: format, policy: policy, threadPlacements: threadPlacements, wakeUp: wakeUp,
                mayRelyOnWatch: members.allSatisfy(\.unit.isFiltered)))
        sharedState = core.pointee.sharedState
        supervisor = Supervisor(
            members: members, core.pointee.watched, sharedState: sharedState, threadPlacements: threadPlacements, policy: policy,
            wakeUp: wakeUp)
        for member in members where member.unit.unitProcess?.isTaken(by: supervisor) == false {
            throw .refused(
                unit: member.unit.name, act: "chain",
                cause: .failed("it shares its process with units of another chain, which looks after it"))
        }
        do throws(SystemError) {
            try supervisor.start()
        } catch {
            throw .system(error)
        }
    }

    deinit {
        tearDown()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Takes the units' resources back, so that they can be put into another chain. No plan may play this one
    /// any more, and none will again. Done by itself when the chain goes; a second time it does nothing.
    public func tearDown() {
        guard !isTornDown.exchange(true, ordering: .acquiringAndReleasing) else { return }
        supervisor.stop()
        members.forEach { $0.unit.deallocateResources() }
        members.forEach { $0.unit.unitProcess?.release(by: supervisor) }
    }

    /// The sum of the units' latencies and the pipeline's, in frames.
    public var latencyFrameCount: Int { members.reduce(pipelineLatencyFrameCount) { $0 + $1.latencyFrameCount } }

    /// Frames by which the chain is late because its units render at the same time.
    public var pipelineLatencyFrameCount: Int {
        Pipeline.latency(unitCount: members.count, supervisor.policy)
    }

    /// The sum of the units' tails, in frames; `Int.max` when one sounds for ever.
    public var tailFrameCount: Int {
        members.reduce(0) { sum, member in
            let (total, overflows) = sum.addingReportingOverflow(member.tailFrameCount)
            return overflows ? .max : total
        }
    }

    /// Cycles rendered.
    public var cycleCount: UInt64 { sharedState.pointee.cycles.count }

    /// Blocks in which a unit had not answered at its deadline.
    public var missedDeadlineCount: UInt64 { sharedState.pointee.missedDeadlineCount.load(ordering: .relaxed) }

    /// Blocks in which what came out of the chain had to be mended, although no unit put it out: it came in so.
    public var mendedBlockCount: UInt64 { sharedState.pointee.mendedBlockCount.load(ordering: .relaxed) }

    /// Counts whatever changes the units' states, as far as the host knows: while it stays the same, so do they, and what is
    /// bypassed.
    public var stateRevision: Int { members.reduce(0) { $0 + $1.unit.journal.revision + $1.bypassRevision } }

    /// Gives the units' render threads their places, below the rank of the thread that renders the chain on `processor`:
    /// there too, or elsewhere, as the policy says.
    ///
    /// The thread that waits must outrank those that it waits for: on one core, at equal rank, a unit in an
    /// endless loop would never let it look at the clock. `processor` nil leaves it to the kernel where all run, or in a pipeline that renders
    /// offline to the render thread, which then keeps all processors at work. All else that the
    /// chain has running stays away from that processor; whoever places it should have their own threads do so, too.
    ///
    /// `branch` numbers the chains that the plan renders at the same time, from 0, `branchCount` of them: they may be spread over
    /// the processors.
    public func place(processor: Int?, below rank: SchedulingClass, branch: Int = 0, of branchCount: Int = 1) {
        let policy = supervisor.policy
        let placement = Placement(
            processor: processor, hostRank: rank, units: policy.placement, waiting: policy.waiting,
            isPipelined: policy.pipelineFrameCount != nil, branch: branch, branchCount: branchCount)
        supervisor.placement.withLock { $0 = placement }
        if rank != .ordinary { DeadlineWatch.shared.seekRank() }
        if let processor {
            DeadlineWatch.shared.follow(processor)
            supervisor.keep(off: processor)
        }
        Placement.apply(placement, to: Array(members.indices), of: members, supervisor.threadPlacements)
        sharedState.pointee.setUnitSpread(placement.spread(of: members))
    }

    /// Whether every unit is there, or in quarantine.
    public var isWhole: Bool { members.allSatisfy { $0.isPresent || $0.isQuarantined } }

    /// Waits until every unit is there, dead ones having been restarted; false when that takes too long.
    public func waitUntilReady(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while !isWhole {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 500)
        }
        return true
    }

    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitChain.render(context, call)
        }
    }

    public var beginFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitChain.begin(context, call)
        }
    }

    public var awaitFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitChain.awaitUnits(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: ChainCore.self).pointee.render(call.assumingMemoryBound(to: StepCall.self).pointee)
    }

    @_noLocks
    private static func begin(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: ChainCore.self).pointee.begin(call.assumingMemoryBound(to: StepCall.self).pointee)
    }

    @_noLocks
    private static func awaitUnits(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: ChainCore.self).pointee.awaitUnits(
            call.assumingMemoryBound(to: StepCall.self).pointee)
    }
}

/// A unit in a chain.
public final class ChainMember: Sendable {
    public let unit: HostedUnit
    public let faults = FaultLog()
    let wiring: UnitWiring
    let automation: [AutomationLane]
    public let latencyFrameCount: Int
    /// Frames for which the unit sounds after its input fell silent, as it said when it allocated; `Int.max` for ever.
    public let tailFrameCount: Int
    private let quarantined = Atomic<Bool>(false)
    private let mustReturn = Atomic<Bool>(false)
    /// Wakes the supervisor.
    private let wakeUp: EventDescriptor
    private let bypassChanges = Atomic<Int>(0)
    // SAFETY: the render thread alone uses the renderer while the chain is played; the words are atomics.
    nonisolated(unsafe) let renderer: UnsafeMutablePointer<UnitRenderer>
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<UnitSharedState>

    init(
        unit: HostedUnit, wiring: UnitWiring, automation: [AutomationLane], delays: HostedUnit.Delays,
        renderer: UnsafeMutablePointer<UnitRenderer>, wakeUp: EventDescriptor
    ) {
        self.unit = unit
        self.wakeUp = wakeUp
        self.wiring = wiring
        self.automation = automation
        latencyFrameCount = delays.latencyFrameCount
        tailFrameCount = delays.tailFrameCount
        self.renderer = renderer
        sharedState = renderer.pointee.sharedState
    }

    deinit {
        renderer.deinitialize(count: 1)
        renderer.deallocate()
    }

    /// Passes the input through, delayed by the latency; faded.
    public var isBypassed: Bool {
        get { sharedState.pointee.isBypassed.load(ordering: .relaxed) }
        set {
            let wasBypassed = sharedState.pointee.isBypassed.exchange(newValue, ordering: .relaxed)
            if newValue != wasBypassed { bypassChanges.add(1, ordering: .relaxed) }
        }
    }

    /// Counts how often that has changed.
    var bypassRevision: Int { bypassChanges.load(ordering: .relaxed) }

    /// Whether the unit is there to render; false from its death until its return.
    public var isPresent: Bool { sharedState.pointee.isPresent }

    /// Whether the unit has died too often and is left alone: bypassed, until somebody has it readmitted.
    public internal(set) var isQuarantined: Bool {
        get { quarantined.load(ordering: .relaxed) }
        set { quarantined.store(newValue, ordering: .relaxed) }
    }

    /// Has a quarantined unit started anew, as if it had never died.
    public func readmit() {
        mustReturn.store(true, ordering: .relaxed)
        wakeUp.ring()
    }

    /// Whether somebody wants the unit back; once.
    func takeReadmission() -> Bool { mustReturn.exchange(false, ordering: .relaxed) }

    /// How often the unit has silenced itself because what it wraps put out something that is no number.
    public var invalidStretchCount: Int { Int(sharedState.pointee.invalidStretchCount.load(ordering: .relaxed)) }

    /// Blocks that the unit put out and that held what nobody may hear; something else was played in their place.
    public var invalidBlockCount: UInt64 { sharedState.pointee.invalidBlockCount.load(ordering: .relaxed) }

    /// Blocks in which something stood in for the unit.
    public var replacedBlockCount: UInt64 { sharedState.pointee.replacedBlockCount.load(ordering: .relaxed) }

    /// Nanoseconds that the unit took for its last block, by its own clock.
    public var renderNanoseconds: UInt64 { sharedState.pointee.renderNanoseconds.load(ordering: .relaxed) }
}
