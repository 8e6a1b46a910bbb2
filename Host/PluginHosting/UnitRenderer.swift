// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's side of one unit: whose it is in a cycle, and where its block lies. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// Who may use a unit's region at the moment.
enum UnitAvailability: UInt32 {
    /// The control thread: the unit is gone, or not there yet.
    case absent = 0
    /// The render thread, from its next cycle on.
    case ready = 1
    /// The render thread is in a cycle.
    case rendering = 2
}

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
/// While the unit is absent the control thread owns all of it but `availability`, and prepares it anew. The dry signal that
/// is heard meanwhile, and what is said of the cycle, `isUsable` and `slot`, stay the render thread's own.
struct UnitRenderer: ~Copyable {
    let availability = Atomic<UInt32>(UnitAvailability.absent.rawValue)
    /// Set by the supervisor when the process has ended, for peers without a lifeline.
    let processEnded = Atomic<Bool>(false)
    /// Set by the supervisor while it does not bring the unit back.
    let isGivenUp = Atomic<Bool>(false)
    let isBypassed = Atomic<Bool>(false)
    /// What is heard while the unit is away.
    private let standIn: StandIn
    let audioGuard: AudioGuard
    /// Nanoseconds that the unit itself took for its last block, and the sequence numbers, for the supervisor.
    let renderNanoseconds = Atomic<UInt64>(0)
    /// The sum of all of them.
    let renderedNanoseconds = Atomic<UInt64>(0)
    let invalidStretchCount = Atomic<UInt32>(0)
    /// Blocks that the unit put out and that were not fit to be heard; and since when there has been no other kind, zero
    /// while all is well.
    let invalidBlockCount = Atomic<UInt64>(0)
    let invalidSince = Atomic<UInt64>(0)
    /// When the unit answered and rang nobody: the first time of those that followed each other soon, and the last one.
    let silentSince = Atomic<UInt64>(0)
    let silentUntil = Atomic<UInt64>(0)
    /// Blocks that it has answered since it was silent last.
    var answersSinceSilence = 0
    /// Frames that the unit has rendered, its former processes included.
    let renderedFrameCount = Atomic<UInt64>(0)
    /// Blocks in which something stood in for the unit.
    let replacedBlockCount = Atomic<UInt64>(0)
    /// Monotonic time since which an answer is outstanding; zero while none is.
    let outstandingSince = Atomic<UInt64>(0)
    /// The request whose answer is outstanding.
    private let outstandingSequence = Atomic<UInt64>(0)
    let latencyFrameCount = Atomic<Int>(0)
    /// Its thread's place on the render core.
    let seat = RenderSeat()
    /// What the watch has to be told of it. Render thread.
    private var seatNews = SeatNews.none

    /// In process: whom to call. Nil for a unit in its own process.
    var inProcess: (table: UnsafePointer<CPluginInterface_Table>, unit: UnsafeMutableRawPointer)?
    var region: Region
    let doorbell: SharedFutexWord
    let outputLayout: AudioMemoryLayout
    /// Channels of output bus 0, which the chain carries on.
    let channelCount: Int

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
    private(set) var isUsable = false
    /// The block of the output memory in which this cycle's result lies.
    private(set) var slot = 0
    /// The unit has come back and has not been heard yet.
    var isReturning = false

    init(
        region: Region, memory: UnitMemory, channelCount: Int, events: consuming UnitEvents, dry: consuming DryDelay,
        format: ChainFormat, fallback: Fallback, audioGuard: AudioGuard
    ) {
        self.region = region
        doorbell = memory.doorbell
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
        outputChannels.deallocate()
    }

    /// `[control]` Prepares for a unit that has just allocated in `region`, freshly formatted.
    ///
    /// Only while the unit is absent. `isFresh` is false for a unit that takes up where another one died.
    mutating func prepare(region: Region, isFresh: Bool) {
        self.region = region
        events.prepare(region: region, isFresh: isFresh)
        (sequence, answered, oldUntil, mayMissRing) = (0, 0, 0, false)
        isOutstanding = false
        isBlamed = false
        isUsable = false
        seat.forgive()
        invalidSince.store(0, ordering: .relaxed)
        silentUntil.store(0, ordering: .relaxed)
        outstandingSince.store(0, ordering: .relaxed)
        processEnded.store(false, ordering: .relaxed)
        isReturning = !isFresh
    }
}

extension UnitRenderer {
    /// Takes the unit for this cycle, if it is there; afterwards `isUsable` says whether it can render.
    @_noLocks
    mutating func begin(cycleIndex: UInt64, sampleTime: Int64, isOffline: Bool) {
        events.sampleTime = sampleTime
        isPending = false
        isUsable = false
        let ready = UnitAvailability.ready.rawValue
        let taken = availability.compareExchange(
            expected: ready, desired: UnitAvailability.rendering.rawValue, ordering: .acquiringAndReleasing)
        guard taken.exchanged else {
            slot = Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1)
            return
        }
        if isDead { return lose(cycleIndex) }
        if isOutstanding { settle(cycleIndex, isOffline: isOffline) }
        isUsable = !isOutstanding
        slot = isUsable ? slot(of: sequence &+ 1) : slot(of: sequence) ^ 1
    }

    /// Gives the unit back after the cycle.
    @_noLocks
    mutating func end() {
        let rendering = UnitAvailability.rendering.rawValue
        _ = availability.compareExchange(
            expected: rendering, desired: UnitAvailability.ready.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Whether the thread that renders is dead, as the kernel or the supervisor says.
    var isDead: Bool {
        @_noLocks get {
            inProcess == nil
                && (Lifeline.isCut(region.lifeline.load()) || processEnded.load(ordering: .acquiring))
        }
    }

    /// Whether the newest request has been answered.
    var isComplete: Bool {
        @_noLocks get { region.completedSequence.load() == sequence }
    }

    /// Whether the unit is the render thread's in this cycle.
    var isHeld: Bool {
        @_noLocks get { availability.load(ordering: .relaxed) == UnitAvailability.rendering.rawValue }
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
        if !keepsBlock { slot = Int(truncatingIfNeeded: cycleIndex) & (outputLayout.slotCount - 1) }
        outstandingSince.store(0, ordering: .relaxed)
        events.notify(.died, cycleIndex)
        // A process that ends takes its memory down on its last thread, at that thread's rank and on its processor.
        if seat.lose() { seatNews = .urgent }
        // Release: this thread is done with the region.
        availability.store(UnitAvailability.absent.rawValue, ordering: .releasing)
    }

    /// Has the supervisor judge how long the unit does not answer, from now on unless it does so already.
    @_noLocks
    func beginJudgement(now: UInt64) {
        guard outstandingSince.load(ordering: .relaxed) == 0 else { return }
        outstandingSequence.store(sequence, ordering: .relaxed)
        // Release: the number is that of this request for whoever sees the time.
        outstandingSince.store(now, ordering: .releasing)
    }

    /// The unit has been granted its request and has not answered in time.
    @_noLocks
    mutating func leaveOutstanding(_ cycleIndex: UInt64, isToBlame: Bool, now: UInt64) {
        isOutstanding = true
        isBlamed = false
        isUsable = false
        beginJudgement(now: now)
        // A predecessor that answered may not have rung it; perhaps there is no next cycle to notice.
        repeatRing()
        if isToBlame { blame(cycleIndex, .urgent) }
        // The unit may still be writing its block; the fallback goes to the other one.
        slot = slot(of: sequence) ^ 1
    }

    /// The unit is late: that is told, and its thread moved out of the others' way.
    @_noLocks
    private mutating func blame(_ cycleIndex: UInt64, _ news: SeatNews) {
        isBlamed = true
        events.notify(.late, cycleIndex)
        if seat.lose() { seatNews = seatNews.or(news) }
    }

    /// What the watch has to be told of the unit's seat; once.
    @_noLocks
    mutating func takeSeatNews() -> SeatNews {
        defer { seatNews = .none }
        return seatNews
    }

    /// Looks whether an outstanding answer has come, and whether the unit's thread is back in its place.
    @_noLocks
    private mutating func settle(_ cycleIndex: UInt64, isOffline: Bool) {
        guard isComplete else {
            // One that had to wait for somebody else, and has had a whole cycle since.
            if !isBlamed { blame(cycleIndex, .some) }
            repeatRing()
            // Anew, if it had not been able to hear the rings before.
            return beginJudgement(now: MonotonicClock.now())
        }
        if seat.claim() { seatNews = seatNews.or(.some) }
        // Offline it has all the time that it needs.
        guard seat.isSeated || isOffline else { return }
        isOutstanding = false
        answered = sequence
        noteRenderTime(region.reply(sequence).pointee.renderNanoseconds)
        // Automation has moved on meanwhile.
        events.mustCatchUp = true
        outstandingSince.store(0, ordering: .relaxed)
        events.notify(.caughtUp, cycleIndex)
    }

    /// `[control]` Monotonic time since which an answer is awaited, or nil while none is. One that has come is awaited
    /// no more, even if no cycle follows in which the render thread would notice. Supervisor only.
    var awaitsSince: UInt64? {
        let since = outstandingSince.load(ordering: .acquiring)
        let sequence = outstandingSequence.load(ordering: .relaxed)
        // The same time again: the number belongs to it.
        guard since != 0, region.completedSequence.load() != sequence, outstandingSince.load(ordering: .acquiring) == since
        else { return nil }
        return since
    }

    /// `[control]` Forgets that a unit has been awaited since `since`: it is judged from when it is rung next. Supervisor.
    func forgive(awaitedSince since: UInt64) {
        _ = outstandingSince.compareExchange(expected: since, desired: 0, ordering: .relaxed)
    }

    /// `[control]` Since when the unit rings nobody, if it has not done so for longer than `nanoseconds`. Supervisor.
    func silentSince(longerThan nanoseconds: UInt64) -> UInt64? {
        let last = silentUntil.load(ordering: .acquiring)
        let since = silentSince.load(ordering: .relaxed)
        return last > since &+ nanoseconds ? since : nil
    }

    /// Nanoseconds for which the doorbell of a unit that has been woken is looked at.
    private static let lookNanoseconds: UInt64 = 200_000

    /// `[control]` Whether the predecessor has written in the doorbell of a unit that is awaited since `since`: the unit itself
    /// has it for reading only. It is woken first, so that whoever keeps the number from it has to do so now. Supervisor.
    func isMisled(awaitedSince since: UInt64) -> Bool {
        let granted = UInt32(truncatingIfNeeded: outstandingSequence.load(ordering: .relaxed))
        Futex.wake(doorbell.address)
        let end = MonotonicClock.now() + Self.lookNanoseconds
        repeat {
            // Once it has answered the host goes on to the next number.
            if doorbell.load() != granted { return awaitsSince == since }
        } while MonotonicClock.now() < end
        return false
    }

    /// `[control]` Whether a unit whose process has ended was inside a block then, as far as it has said so itself.
    var diedInsideABlock: Bool {
        let started = region.startedSequence.load()
        return started != 0 && started != region.completedSequence.load()
    }

    /// Grants the newest request once more. A predecessor may have failed to, or, waking long after its own block, have
    /// written an old number over the doorbell; or have stored the number and died before it woke the unit.
    @_noLocks
    func repeatRing() { grant() }

    @_noLocks
    private func slot(of sequence: UInt64) -> Int {
        Int(truncatingIfNeeded: sequence) & (outputLayout.slotCount - 1)
    }

    /// What is heard in the unit's place now. One that is bypassed is not missed, nor is one in quarantine.
    var currentStandIn: StandIn {
        @_noLocks get { isBypassed.load(ordering: .relaxed) || isGivenUp.load(ordering: .relaxed) ? .dry : standIn }
    }

    /// This unit's block of this cycle.
    @_noLocks
    func outputBlock(frameCount: Int) -> AudioBlock {
        for channel in 0..<channelCount {
            outputChannels[channel] = output + outputLayout.sampleOffset(slot: slot, channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(outputChannels), channelCount: channelCount, frameCount: frameCount)
    }
}
