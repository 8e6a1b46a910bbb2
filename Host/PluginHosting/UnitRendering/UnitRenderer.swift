// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's side of one unit: its state in a cycle, and the memory of its block. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// The outcome of a unit's block.
enum Outcome {
    /// The unit has rendered it.
    case rendered
    /// The unit has answered with an invalid reply; the next unit of the run has read the block unchanged.
    case refused
    /// The unit has not answered; the next unit reads the fallback.
    case missing
}

/// The render thread's state of a unit, at one address while the unit has resources.
///
/// No other thread uses it, even while the unit is absent. Shared atomics lie at an address of their own, `sharedState`.
/// The unit's region is the control thread's while the unit is absent.
struct UnitRenderer: ~Copyable {
    private let inPlace = InPlace()
    let sharedState: UnsafeMutablePointer<UnitSharedState>
    /// The fallback while the unit is away.
    private let standIn: StandIn
    let audioGuard: AudioGuard
    /// The number of blocks that it has answered since it last failed to ring.
    var answersSinceSilence = 0
    /// The change of the unit's placement that the watch does not know yet.
    private var placementChange = PlacementChange.none

    /// The functions of a unit in this process; nil for a unit in its own process.
    var inProcess: (table: UnsafePointer<CPluginInterface_Table>, unit: UnsafeMutableRawPointer)?
    let region: Region
    /// The doorbell on which the unit sleeps, and its doorbell from the allocation.
    private(set) var doorbell: SharedFutexWord
    private let ownDoorbell: SharedFutexWord
    /// The wiring of that doorbell; then the wiring for the next request, and its doorbell.
    private(set) var wiring: UInt32 = 0
    private(set) var wantedWiring: UInt32 = 0
    private var wantedDoorbell: SharedFutexWord
    /// The row, and the word of `UnitSharedState.rowWiring`, for which that wiring was chosen.
    private var seenRow: UInt64 = 0
    private var seenRowWiring: UInt64 = 0
    /// True if the newest request names another wiring than the one before.
    private(set) var isChangingOver = false
    let outputLayout: AudioMemoryLayout
    /// The channels of output bus 0, which the next unit of a row reads, and those of all output buses, which lie behind them.
    private let mainChannelCount: Int
    let channelCount: Int
    /// The identity of the unit's process; 0 in the host's process.
    private let home: UInt
    /// True if others read a block of the unit while it writes the next; late ones read for longer.
    ///
    /// Its output memory then has eight blocks.
    private let isPipelined: Bool
    /// True if the unit has an input; the next is true if the plan feeds further ones than the first.
    private let hasInput: Bool
    let hasSideInputs: Bool

    private let output: UnsafeMutablePointer<Float>
    private let outputChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let dryChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    var events: UnitEvents
    var crossfade: Crossfade
    var dry: DryDelay

    /// The newest written request; the next is true if the unit has been granted it and has not answered.
    var sequence: UInt64 = 0
    private(set) var isOutstanding = false
    /// The newest answered request.
    ///
    /// `oldUntil` is the newest request for which the unit may ring with a number from before the next unit's restart.
    var answered: UInt64 = 0
    private var oldUntil: UInt64 = 0
    /// True if its doorbell may hold such a number: a wrong one, or the right one too early.
    var mayMissRing = false
    /// True if the newest request is this cycle's, and its answer has not been awaited yet.
    var isPending = false
    /// True if the unit has been found late with the outstanding answer.
    private var isBlamed = false
    /// The request of a late unit that this unit's thread is rendering, after its own.
    private var carried: (region: Region, sequence: UInt64)?
    private(set) var isUsable = false
    /// The slot of the output memory that holds this cycle's result.
    private(set) var slot = 0
    /// The slots of the cycle before, and of the one before that.
    private(set) var previousSlot = 0
    private(set) var formerSlot = 0
    /// The first frame after this cycle's block.
    private var blockEnd: Int64 = 0
    /// The progress of the unit while its row renders ahead.
    var progress = AheadProgress.asked
    /// The processor that it shares with others in an offline pipeline, and the turn of its last request among them.
    var share = ProcessorShares.none
    var turn: UInt64 = 0
    /// True if the unit has returned and has not been heard yet.
    var isReturning = false
    var inputFade: InputFade
    /// The frames that it renders before it is heard again.
    var returnWait: ReturnWait
    /// The input frames of the next request; as many as output frames, except for a unit that stretches time.
    var inputFrameCount: Int?

    init(
        region: Region, memory: UnitMemory, outputs: [Int], events: consuming UnitEvents, dry: consuming DryDelay,
        format: BlockFormat, fallback: Fallback, audioGuard: AudioGuard, home: UInt, isPipelined: Bool, hasInput: Bool,
        hasSideInputs: Bool
    ) {
        self.home = home
        self.isPipelined = isPipelined
        (self.hasInput, self.hasSideInputs) = (hasInput, hasSideInputs)
        self.region = region
        (doorbell, ownDoorbell, wantedDoorbell) = (memory.doorbell, memory.doorbell, memory.doorbell)
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(to: UnitSharedState(region: region))
        outputLayout = memory.outputLayout
        output = memory.output
        mainChannelCount = outputs.first ?? 0
        channelCount = outputs.reduce(0, +)
        let channelCount = channelCount
        inputFade = InputFade(sampleRate: format.sampleRate)
        returnWait = ReturnWait(sampleRate: format.sampleRate)
        outputChannels = .allocate(capacity: max(1, channelCount))
        dryChannels = .allocate(capacity: 2)
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
        dryChannels.deallocate()
    }
}

extension UnitRenderer {
    /// Takes the unit for this cycle, if it is present; then `isUsable` is true if it can render.
    @_noLocks
    mutating func begin(cycleIndex: UInt64, sampleTime: Int64, frameCount: Int, isOffline: Bool) {
        events.sampleTime = sampleTime
        blockEnd = sampleTime &+ Int64(frameCount)
        sharedState.pointee.nextSampleTime.store(sampleTime, ordering: .relaxed)
        isPending = false
        isUsable = false
        inputFade.beginCycle()
        guard sharedState.pointee.take() else {
            // A unit that has been withdrawn owes no answer.
            isOutstanding = false
            carried = nil
            returnWait.noteMissedBlock()
            slot = standInSlot(cycleIndex)
            return
        }
        if sharedState.pointee.isNew.load(ordering: .relaxed) { startAnew() }
        // Offline the lost block is rendered once more, unchanged; in a pipeline, blocks are under way.
        if isOffline || isPipelined { inputFade.stop() }
        if isDead { return lose(cycleIndex) }
        if isOutstanding { settle(cycleIndex, isOffline: isOffline) }
        isUsable = !isOutstanding && !isCarrying(isOffline: isOffline)
        returnWait.beginCycle(
            isUsable: isUsable, latencyFrameCount: sharedState.pointee.latencyFrameCount.load(ordering: .relaxed),
            isOffline: isOffline)
        slot = isUsable ? nextSlot : standInSlot(cycleIndex)
    }

    /// Resumes after a unit's death, in a newly formatted region.
    @_noLocks
    private mutating func startAnew() {
        sharedState.pointee.isNew.store(false, ordering: .relaxed)
        events.startAnew()
        (doorbell, wiring, wantedWiring, isChangingOver) = (ownDoorbell, 0, 0, false)
        (wantedDoorbell, seenRow, seenRowWiring) = (ownDoorbell, 0, 0)
        (sequence, answered, oldUntil, mayMissRing) = (0, 0, 0, false)
        isOutstanding = false
        isBlamed = false
        carried = nil
        isReturning = true
        inputFade.start()
        share = ProcessorShares.none
    }

    /// Chooses the wiring of the next request: the one that the unit has taken for the row of `link`, or that of its allocation.
    @_noLocks
    mutating func choose(_ row: UInt64, _ link: UnsafePointer<RowWiring.Link>?) {
        // Acquire: the unit has everything that it needs for the wiring.
        let taken = sharedState.pointee.rowWiring.load(ordering: .acquiring)
        // No other request follows one without an answer.
        if taken == seenRowWiring && row == seenRow || isOutstanding || isPending { return }
        (seenRowWiring, seenRow) = (taken, row)
        let isTaken = row != 0 && RowWiring.row(taken) == row && RowWiring.wiring(taken) != 0
        if isTaken, let link {
            (wantedWiring, wantedDoorbell) = (RowWiring.wiring(taken), link.pointee.doorbell)
        } else {
            (wantedWiring, wantedDoorbell) = (0, ownDoorbell)
        }
    }

    /// True if a predecessor may ring the unit: it sleeps on the doorbell that the predecessor of its row rings.
    var isReadyForRing: Bool {
        @_noLocks get { wantedWiring != 0 && wantedWiring == wiring && !isChangingOver }
    }

    /// Names the wanted wiring in the newest request, which has not been published.
    ///
    /// From this request on the unit uses the new doorbell, which already holds the number of the request.
    @_noLocks
    mutating func nameWiring(in request: inout WireRequest) {
        request.wiring = wantedWiring
        guard wantedWiring != wiring else { return }
        isChangingOver = true
        sharedState.pointee.namedWiring.store(wantedWiring, ordering: .relaxed)
        wantedDoorbell.store(UInt32(truncatingIfNeeded: sequence))
    }

    /// Changes to the wiring of the newest request, which the unit has answered: it sleeps on the new doorbell.
    @_noLocks
    mutating func changeOver() {
        guard isChangingOver else { return }
        isChangingOver = false
        let isKnown = region.reply(sequence).pointee.status != UInt32(CWireLayout_replyMalformed)
        if isKnown {
            (wiring, doorbell) = (wantedWiring, wantedDoorbell)
        } else {
            // It goes on with its former wiring, and is not asked again.
            sharedState.pointee.rowWiring.store(RowWiring.word(row: seenRow, wiring: 0), ordering: .relaxed)
        }
        sharedState.pointee.wiring.store(wiring, ordering: .relaxed)
        sharedState.pointee.namedWiring.store(wiring, ordering: .relaxed)
    }

    /// Gives the unit back after the cycle.
    @_noLocks
    mutating func end() {
        (formerSlot, previousSlot) = (previousSlot, slot)
        sharedState.pointee.nextSampleTime.store(blockEnd, ordering: .relaxed)
        sharedState.pointee.giveBack()
    }

    /// Ends a block of the program, with its events.
    @_noLocks
    mutating func endBlock() {
        if events.endBlock() { sharedState.pointee.hasUntoldChanges.store(true, ordering: .relaxed) }
    }

    /// True if the unit's render thread is dead, as the kernel or the supervisor has marked it.
    var isDead: Bool {
        @_noLocks get {
            inProcess == nil
                && (Lifeline.isCut(region.lifeline.load()) || sharedState.pointee.processEnded.load(ordering: .acquiring))
        }
    }

    /// True if the newest request has been answered.
    var isComplete: Bool {
        @_noLocks get { region.completedSequence.load() == sequence }
    }

    /// True if the render thread holds the unit in this cycle.
    var isHeld: Bool {
        @_noLocks get { sharedState.pointee.isTaken }
    }

    /// Notes that the next unit has been restarted.
    ///
    /// Once this unit has answered a later request, it has rung for all earlier ones.
    @_noLocks
    mutating func successorIsNew() { oldUntil = sequence }

    /// True if it may still ring the next unit with a number from before that unit's restart.
    var mayRingOld: Bool {
        @_noLocks get { inProcess == nil && isHeld && oldUntil > 0 && answered <= oldUntil }
    }

    /// Hands a dead unit's memory to the control thread.
    ///
    /// `keepsBlock` is true for a unit that rendered this cycle before it died.
    @_noLocks
    mutating func lose(_ cycleIndex: UInt64, keepsBlock: Bool = false) {
        isUsable = false
        isOutstanding = false
        carried = nil
        if !keepsBlock { slot = standInSlot(cycleIndex) }
        sharedState.pointee.outstandingSince.store(0, ordering: .relaxed)
        events.notify(.died, cycleIndex)
        // A process that ends frees its memory on its last thread, at that thread's rank and on its processor.
        if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
        sharedState.pointee.letGo()
    }

    /// Makes the supervisor measure the unit's silence from now, unless it does so already.
    @_noLocks
    func beginJudgement(now: UInt64) { sharedState.pointee.beginJudgement(of: sequence, now: now) }

    /// Leaves a unit with a granted request that has not answered in time.
    @_noLocks
    mutating func leaveOutstanding(_ cycleIndex: UInt64, isToBlame: Bool, now: UInt64) {
        isOutstanding = true
        isBlamed = false
        isUsable = false
        beginJudgement(now: now)
        // A predecessor that answered may not have rung it, and perhaps no later cycle notices that.
        repeatRing()
        if isToBlame { blame(cycleIndex) }
        slot = standInSlot(cycleIndex)
    }

    /// True if this unit, which hands over to the next one of its process, has answered in this cycle.
    @_noLocks
    func hasRendered(before other: UnsafeMutablePointer<UnitRenderer>) -> Bool {
        home != 0 && home == other.pointee.home && isUsable && isHeld && isComplete && !endsRun && !mayRingOld
    }

    /// Notes that this unit's thread is rendering the late unit `other`.
    ///
    /// This unit cannot be asked before its thread has returned. It is not to blame; but if `other` is, its thread is moved out
    /// of the way.
    @_noLocks
    mutating func carry(_ other: UnsafeMutablePointer<UnitRenderer>, isToBlame: Bool) {
        carried = (other.pointee.region, other.pointee.sequence)
        if isToBlame, sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
    }

    /// True if the unit owes an answer, or its thread is rendering another unit.
    var isAwaited: Bool {
        @_noLocks get { isOutstanding || carried != nil }
    }

    /// True if the unit's thread is still rendering another unit, or has yet to get its placement back.
    @_noLocks
    private mutating func isCarrying(isOffline: Bool) -> Bool {
        guard let carried else { return false }
        guard carried.region.completedSequence.load() >= carried.sequence else {
            // It has had a whole cycle since; or it was about to get its placement back when it should have lost it.
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

    /// Sends the notice that the unit is late, and lets its thread be moved out of the way.
    @_noLocks
    private mutating func blame(_ cycleIndex: UInt64) {
        isBlamed = true
        events.notify(.late, cycleIndex)
        // Urgent: otherwise a resting watch would not learn of it once no unit is awaited any more.
        if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
    }

    /// Takes the change of the unit's placement for the watch; each change once.
    @_noLocks
    mutating func takePlacementChange() -> PlacementChange {
        defer { placementChange = .none }
        return placementChange
    }

    /// Checks whether an outstanding answer has come, and whether the unit's thread has its placement back.
    @_noLocks
    private mutating func settle(_ cycleIndex: UInt64, isOffline: Bool) {
        guard isComplete else {
            // This unit had to wait for another one, and has had a whole cycle since.
            if !isBlamed { blame(cycleIndex) }
            // It may have got its placement back for sleeping, before its answer.
            if sharedState.pointee.threadPlacement.lose() { placementChange = .urgent }
            repeatRing()
            // From now on, in case the rings did not reach it before.
            return beginJudgement(now: MonotonicClock.now())
        }
        if sharedState.pointee.threadPlacement.claim() { placementChange = placementChange.or(.some) }
        // Offline it has all the time that it needs; and a barred unit answers without a placement.
        guard sharedState.pointee.threadPlacement.isPlaced || sharedState.pointee.threadPlacement.isBarred || isOffline else {
            return
        }
        isOutstanding = false
        answered = sequence
        changeOver()
        // Automation has moved on meanwhile.
        events.mustCatchUp = true
        sharedState.pointee.outstandingSince.store(0, ordering: .relaxed)
        events.notify(.caughtUp, cycleIndex)
    }

    /// Grants the newest request once more.
    ///
    /// A predecessor may have failed to ring. It may have woken long after its own block and written an old number over the
    /// doorbell. Or it stored the number and died before it woke the unit.
    @_noLocks
    func repeatRing() {
        doorbell.store(UInt32(truncatingIfNeeded: sequence))
        Futex.wake(doorbell.address)
    }

    /// The slot for the unit's next block; in a pipeline other units read the slots of the cycles before meanwhile.
    private var nextSlot: Int {
        @_noLocks get {
            var next = Int(truncatingIfNeeded: sequence &+ 1)
            guard isPipelined else { return next & (outputLayout.slotCount - 1) }
            // A restarted unit counts from the beginning.
            while next & 3 == previousSlot || next & 3 == formerSlot { next &+= 1 }
            return next & 3
        }
    }

    /// The slot for the fallback: a late unit may still be writing its own block.
    ///
    /// In a pipeline the first four slots are for the unit, and the last four for the fallback.
    @_noLocks
    private func standInSlot(_ cycleIndex: UInt64) -> Int {
        if isPipelined { return 4 | Int(cycleIndex & 3) }
        if isOutstanding { return Int(truncatingIfNeeded: sequence) & (outputLayout.slotCount - 1) ^ 1 }
        return Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1)
    }

    /// The present fallback: a bypassed or quarantined unit passes its input on.
    var currentStandIn: StandIn {
        @_noLocks get { sharedState.pointee.isPassedBy ? .dry : standIn }
    }

    /// This unit's block of this cycle: the channels of all output buses.
    @_noLocks
    func outputBlock(frameCount: Int) -> AudioBlock { outputBlock(frameCount: frameCount, slot: slot) }

    /// The channels of output bus 0 in `slot`; valid until the next call.
    @_noLocks
    func mainBlock(frameCount: Int, slot: Int) -> AudioBlock {
        mainPart(of: outputBlock(frameCount: frameCount, slot: slot))
    }

    /// The channels of output bus 0.
    @_noLocks
    func mainPart(of block: AudioBlock) -> AudioBlock {
        AudioBlock(channels: block.channels, channelCount: mainChannelCount, frameCount: block.frameCount)
    }

    /// The unit's input in the shape of its output: one channel goes to the left and the right, further buses are silent.
    ///
    /// A unit without an input is replaced by silence.
    @_noLocks
    func spread(_ dry: AudioBlock) -> AudioBlock {
        guard hasInput else { return AudioBlock(channels: dry.channels, channelCount: 0, frameCount: dry.frameCount) }
        guard dry.channelCount == 1, mainChannelCount > 1 else {
            return AudioBlock(
                channels: dry.channels, channelCount: min(dry.channelCount, mainChannelCount), frameCount: dry.frameCount)
        }
        (dryChannels[0], dryChannels[1]) = (dry[0], dry[0])
        return AudioBlock(channels: UnsafePointer(dryChannels), channelCount: 2, frameCount: dry.frameCount)
    }

    /// The unit's block in `slot`; valid until the next call.
    @_noLocks
    func outputBlock(frameCount: Int, slot: Int) -> AudioBlock {
        for channel in 0..<channelCount {
            outputChannels[channel] = output + outputLayout.sampleOffset(slot: slot, channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(outputChannels), channelCount: channelCount, frameCount: frameCount)
    }
}
