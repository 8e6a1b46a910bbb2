// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's side of one unit: whose it is in a cycle, and where its block lies. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// What has become of a unit's block.
enum Outcome {
    /// The unit has rendered it.
    case rendered
    /// It has answered, with nonsense; whoever is next in the run has read what lies in its block.
    case refused
    /// It has not answered; whoever is next reads what stands in for it.
    case missing
}

/// Everything that the render thread touches of a unit, at one address while its chain lives.
///
/// All of it is the render thread's alone, whether the unit is there or not; what others have to know or to say of the unit
/// meanwhile lies at an address of its own, as `words`. The unit's region is the control thread's while the unit is absent.
struct UnitRenderer: ~Copyable {
    private let inPlace = InPlace()
    let sharedState: UnsafeMutablePointer<UnitSharedState>
    /// What is heard while the unit is away.
    private let standIn: StandIn
    let audioGuard: AudioGuard
    /// Blocks that it has answered since it was silent last.
    var answersSinceSilence = 0
    /// What the watch has to be told of its seat.
    private var placementChange = PlacementChange.none

    /// In process: whom to call. Nil for a unit in its own process.
    var inProcess: (table: UnsafePointer<CPluginInterface_Table>, unit: UnsafeMutableRawPointer)?
    let region: Region
    let doorbell: SharedFutexWord
    let outputLayout: AudioMemoryLayout
    /// Channels of output bus 0, which the chain carries on.
    let channelCount: Int
    /// What all units of a process have in common, and no others; 0 in process.
    private let home: UInt
    /// Others read a block of the unit while it writes the next one, and late ones for longer. Its output memory has eight of them then.
    private let isPipelined: Bool
    /// Whether its second input is connected: to the chain's own.
    let hasSideChain: Bool

    private let output: UnsafeMutablePointer<Float>
    private let outputChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    var events: UnitEvents
    var crossfade: Crossfade
    var dry: DryDelay

    /// The newest request written; and whether the unit has been granted it and not answered.
    var sequence: UInt64 = 0
    private(set) var isOutstanding = false
    /// The newest request that has been answered, and the newest one for which the unit may ring with a number from before
    /// the next unit was started anew.
    var answered: UInt64 = 0
    private var oldUntil: UInt64 = 0
    /// What is in its doorbell may be such a number: it may be wrong, and it may be the right one too early.
    var mayMissRing = false
    /// The newest request is this cycle's, and nobody has waited for its answer yet.
    var isPending = false
    /// Whether the unit has been found late with the answer that is outstanding.
    private var isBlamed = false
    /// The request of a late unit that this one's thread is rendering, having rendered this one.
    private var carried: (region: Region, sequence: UInt64)?
    private(set) var isUsable = false
    /// The block of the output memory in which this cycle's result lies.
    private(set) var slot = 0
    /// The ones in which the results of the cycle before lie, and of the one before that.
    private(set) var previousSlot = 0
    private(set) var formerSlot = 0
    /// The first frame after this cycle's block.
    private var blockEnd: Int64 = 0
    /// Which of two cycles it is at while its chain goes on ahead; the newest one otherwise.
    var progress = AheadProgress.asked
    /// Offline in a pipeline: the processor that it shares with others, and when it was asked last among them.
    var share = ProcessorShares.none
    var turn: UInt64 = 0
    /// The unit has come back and has not been heard yet.
    var isReturning = false

    init(
        region: Region, memory: UnitMemory, channelCount: Int, events: consuming UnitEvents, dry: consuming DryDelay,
        format: ChainFormat, fallback: Fallback, audioGuard: AudioGuard, home: UInt, isPipelined: Bool, hasSideChain: Bool
    ) {
        self.home = home
        self.isPipelined = isPipelined
        self.hasSideChain = hasSideChain
        self.region = region
        doorbell = memory.doorbell
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(to: UnitSharedState(region: region, doorbell: memory.doorbell))
        outputLayout = memory.outputLayout
        output = memory.output
        self.channelCount = channelCount
        outputChannels = .allocate(capacity: max(1, channelCount))
        self.events = events
        standIn = StandIn(fallback)
        self.audioGuard = audioGuard
        crossfade = Crossfade(
            channelCount: channelCount, sampleRate: format.sampleRate,
            maximumFrameCount: fallback == .last ? format.maximumFrameCount : 0)
        self.dry = dry
    }

    deinit {
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
        outputChannels.deallocate()
    }
}

extension UnitRenderer {
    /// Takes the unit for this cycle, if it is there; afterwards `isUsable` says whether it can render.
    @_noLocks
    mutating func begin(cycleIndex: UInt64, sampleTime: Int64, frameCount: Int, isOffline: Bool) {
        events.sampleTime = sampleTime
        blockEnd = sampleTime &+ Int64(frameCount)
        sharedState.pointee.nextSampleTime.store(sampleTime, ordering: .relaxed)
        isPending = false
        isUsable = false
        guard sharedState.pointee.take() else {
            // Nothing is awaited of one that has been withdrawn.
            isOutstanding = false
            carried = nil
            slot = standInSlot(cycleIndex)
            return
        }
        if sharedState.pointee.isNew.load(ordering: .relaxed) { startAnew() }
        if isDead { return lose(cycleIndex) }
        if isOutstanding { settle(cycleIndex, isOffline: isOffline) }
        isUsable = !isOutstanding && !isCarrying(isOffline: isOffline)
        slot = isUsable ? nextSlot : standInSlot(cycleIndex)
    }

    /// Takes up, in a region formatted anew, where a unit died.
    @_noLocks
    private mutating func startAnew() {
        sharedState.pointee.isNew.store(false, ordering: .relaxed)
        events.startAnew()
        (sequence, answered, oldUntil, mayMissRing) = (0, 0, 0, false)
        isOutstanding = false
        isBlamed = false
        carried = nil
        isReturning = true
        share = ProcessorShares.none
    }

    /// Gives the unit back after the cycle.
    @_noLocks
    mutating func end() {
        (formerSlot, previousSlot) = (previousSlot, slot)
        sharedState.pointee.nextSampleTime.store(blockEnd, ordering: .relaxed)
        sharedState.pointee.giveBack()
    }

    /// Whether the thread that renders is dead, as the kernel or the supervisor says.
    var isDead: Bool {
        @_noLocks get {
            inProcess == nil
                && (Lifeline.isCut(region.lifeline.load()) || sharedState.pointee.processEnded.load(ordering: .acquiring))
        }
    }

    /// Whether the newest request has been answered.
    var isComplete: Bool {
        @_noLocks get { region.completedSequence.load() == sequence }
    }

    /// Whether the unit is the render thread's in this cycle.
    var isHeld: Bool {
        @_noLocks get { sharedState.pointee.isTaken }
    }

    /// The next unit has been started anew: only when this one has answered a request from after that, it has rung for all
    /// from before.
    @_noLocks
    mutating func successorIsNew() { oldUntil = sequence }

    /// Whether it may still ring the next unit with a number from before that was started anew.
    var mayRingOld: Bool {
        @_noLocks get { inProcess == nil && isHeld && oldUntil > 0 && answered <= oldUntil }
    }

    /// The unit is dead: hands its memory to the control thread. `keepsBlock` is for one that has rendered before.
    @_noLocks
    mutating func lose(_ cycleIndex: UInt64, keepsBlock: Bool = false) {
        isUsable = false
        isOutstanding = false
        carried = nil
        if !keepsBlock { slot = standInSlot(cycleIndex) }
        sharedState.pointee.outstandingSince.store(0, ordering: .relaxed)
        events.notify(.died, cycleIndex)
        // A process that ends takes its memory down on its last thread, at that thread's rank and on its processor.
        if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
        sharedState.pointee.letGo()
    }

    /// Has the supervisor judge how long the unit does not answer, from now on unless it does so already.
    @_noLocks
    func beginJudgement(now: UInt64) { sharedState.pointee.beginJudgement(of: sequence, now: now) }

    /// The unit has been granted its request and has not answered in time.
    @_noLocks
    mutating func leaveOutstanding(_ cycleIndex: UInt64, isToBlame: Bool, now: UInt64) {
        isOutstanding = true
        isBlamed = false
        isUsable = false
        beginJudgement(now: now)
        // A predecessor that answered may not have rung it; perhaps there is no next cycle to notice.
        repeatRing()
        if isToBlame { blame(cycleIndex) }
        slot = standInSlot(cycleIndex)
    }

    /// Whether this unit, which hands on to the next one of its process, has answered in this cycle.
    @_noLocks
    func hasRendered(before other: UnsafeMutablePointer<UnitRenderer>) -> Bool {
        home != 0 && home == other.pointee.home && isUsable && isHeld && isComplete && !endsRun && !mayRingOld
    }

    /// This unit's thread is rendering the late one at `other`, and this unit cannot be asked for anything before it has come back. It is
    /// not to blame; but if `other` is, it is moved out of the others' way.
    @_noLocks
    mutating func carry(_ other: UnsafeMutablePointer<UnitRenderer>, isToBlame: Bool) {
        carried = (other.pointee.region, other.pointee.sequence)
        if isToBlame, sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
    }

    /// Whether an answer of the unit is awaited, or its thread from another one.
    var isAwaited: Bool {
        @_noLocks get { isOutstanding || carried != nil }
    }

    /// Looks whether the unit's thread has rendered the late unit that it was at, and is back in its place.
    @_noLocks
    private mutating func isCarrying(isOffline: Bool) -> Bool {
        guard let carried else { return false }
        guard carried.region.completedSequence.load() >= carried.sequence else {
            // It has had a whole cycle since; or it was about to get its seat back when it was to lose it.
            if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
            return true
        }
        if sharedState.pointee.threadPlacement.claim() { placementChange = placementChange.or(.some) }
        guard sharedState.pointee.threadPlacement.isPlaced || sharedState.pointee.threadPlacement.isBarred || isOffline else {
            return true
        }
        self.carried = nil
        events.mustCatchUp = true
        return false
    }

    /// The unit is late: that is told, and its thread moved out of the others' way.
    @_noLocks
    private mutating func blame(_ cycleIndex: UInt64) {
        isBlamed = true
        events.notify(.late, cycleIndex)
        // A watch that rests would not hear of it otherwise, when nobody is waited for any more.
        if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
    }

    /// What the watch has to be told of the unit's seat; once.
    @_noLocks
    mutating func takePlacementChange() -> PlacementChange {
        defer { placementChange = .none }
        return placementChange
    }

    /// Looks whether an outstanding answer has come, and whether the unit's thread is back in its place.
    @_noLocks
    private mutating func settle(_ cycleIndex: UInt64, isOffline: Bool) {
        guard isComplete else {
            // One that had to wait for somebody else, and has had a whole cycle since.
            if !isBlamed { blame(cycleIndex) }
            // It may have got it back for sleeping, with the answer still to come.
            if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
            repeatRing()
            // Anew, if it had not been able to hear the rings before.
            return beginJudgement(now: MonotonicClock.now())
        }
        if sharedState.pointee.threadPlacement.claim() { placementChange = placementChange.or(.some) }
        // Offline it has all the time that it needs; and one that is to have no seat answers without.
        guard sharedState.pointee.threadPlacement.isPlaced || sharedState.pointee.threadPlacement.isBarred || isOffline else {
            return
        }
        isOutstanding = false
        answered = sequence
        // Automation has moved on meanwhile.
        events.mustCatchUp = true
        sharedState.pointee.outstandingSince.store(0, ordering: .relaxed)
        events.notify(.caughtUp, cycleIndex)
    }

    /// Grants the newest request once more. A predecessor may have failed to, or, waking long after its own block, have
    /// written an old number over the doorbell; or have stored the number and died before it woke the unit.
    @_noLocks
    func repeatRing() {
        doorbell.store(UInt32(truncatingIfNeeded: sequence))
        Futex.wake(doorbell.address)
    }

    /// Where the unit is to write its next block. In a pipeline others read those of the cycles before meanwhile.
    private var nextSlot: Int {
        @_noLocks get {
            var next = Int(truncatingIfNeeded: sequence &+ 1)
            guard isPipelined else { return next & (outputLayout.slotCount - 1) }
            // One that was started anew counts from the beginning.
            while next & 3 == previousSlot || next & 3 == formerSlot { next &+= 1 }
            return next & 3
        }
    }

    /// Where what stands in for the unit goes: a late one may still be writing its block. In a pipeline the first four blocks
    /// are the unit's and the last four for this.
    @_noLocks
    private func standInSlot(_ cycleIndex: UInt64) -> Int {
        if isPipelined { return 4 | Int(cycleIndex & 3) }
        if isOutstanding { return Int(truncatingIfNeeded: sequence) & (outputLayout.slotCount - 1) ^ 1 }
        return Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1)
    }

    /// What is heard in the unit's place now. One that is bypassed is not missed, nor is one in quarantine.
    var currentStandIn: StandIn {
        @_noLocks get { sharedState.pointee.isPassedBy ? .dry : standIn }
    }

    /// This unit's block of this cycle.
    @_noLocks
    func outputBlock(frameCount: Int) -> AudioBlock { outputBlock(frameCount: frameCount, slot: slot) }

    /// The unit's block that lies in `slot`; valid until the next one is asked for.
    @_noLocks
    func outputBlock(frameCount: Int, slot: Int) -> AudioBlock {
        for channel in 0..<channelCount {
            outputChannels[channel] = output + outputLayout.sampleOffset(slot: slot, channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(outputChannels), channelCount: channelCount, frameCount: frameCount)
    }
}
