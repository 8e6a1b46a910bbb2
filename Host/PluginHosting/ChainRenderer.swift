// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a chain of units: finds the runs that hand on to each other, waits with a deadline, covers for who fails. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

/// Everything that the render thread touches of a chain, at one address while the chain lives.
struct ChainCore: ~Copyable {
    /// Nanoseconds after which the host looks again while a unit further along the run is dead.
    static let lookAgainNanoseconds: UInt64 = 50_000
    /// Looks at the answers of a run after which the host relies on its doorbell no more: somebody rings who has none.
    private static let patience = 16

    private let units: UnsafeMutablePointer<UnsafeMutablePointer<UnitRenderer>>
    private let unitCount: Int
    private let hostDoorbell: SharedFutexWord
    /// Rings the doorbell at the deadline; `words` is what this chain and the watch know of each other.
    private let watch: DeadlineWatch
    private let words: UnsafeMutablePointer<DeadlineWords>
    /// A word of the host's own, to sleep on where nobody rings.
    private let quietWord: UnsafeMutablePointer<UInt32>
    private let seats: RenderSeats
    private let source: UnsafeMutablePointer<Float>
    private let sourceLayout: AudioMemoryLayout
    private let maximumFrameCount: Int
    private let policy: ChainPolicy
    private let audioGuard: AudioGuard
    /// Whether what the next unit of a run has read was fit to be heard.
    private var isInputValid = true
    /// The units before this one have put out their blocks of this cycle.
    private var finishedCount = 0
    private let sourceChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var cycleIndex: UInt64 = 0
    let cycleCount = Atomic<UInt64>(0)
    let missedDeadlineCount = Atomic<UInt64>(0)
    /// Blocks that nobody may hear and that no unit put out: they came into the chain so.
    let mendedBlockCount = Atomic<UInt64>(0)
    /// The sample time after the last cycle.
    let sampleTime = Atomic<Int64>(0)

    init(
        units renderers: [UnsafeMutablePointer<UnitRenderer>], hostDoorbell: SharedFutexWord,
        source: UnsafeMutablePointer<Float>, sourceLayout: AudioMemoryLayout, maximumFrameCount: Int, policy: ChainPolicy,
        news: EventDescriptor
    ) {
        unitCount = renderers.count
        units = .allocate(capacity: max(1, unitCount))
        for (index, renderer) in renderers.enumerated() { (units + index).initialize(to: renderer) }
        self.hostDoorbell = hostDoorbell
        seats = RenderSeats(of: renderers.map { $0.pointee.words }, news: news)
        watch = DeadlineWatch.shared
        words = .allocate(capacity: 1)
        words.initialize(to: DeadlineWords(watch: watch.words))
        watch.lookAfter(WatchedChain(words: words, doorbell: hostDoorbell, seats: seats))
        quietWord = .allocate(capacity: 1)
        quietWord.initialize(to: 0)
        self.source = source
        self.sourceLayout = sourceLayout
        self.maximumFrameCount = maximumFrameCount
        self.policy = policy
        audioGuard = AudioGuard(ceiling: policy.ceiling)
        sourceChannels = .allocate(capacity: max(1, sourceLayout.channelCount))
    }

    deinit {
        watch.leaveAlone(words)
        words.deinitialize(count: 1)
        words.deallocate()
        units.deallocate()
        quietWord.deallocate()
        sourceChannels.deallocate()
    }

    /// `[control]` Has the render thread look at the units again, should it be waiting for one.
    ///
    /// The kernel's wake at a death leaves the doorbell's value as it is, and is lost when it comes just before
    /// the render thread falls asleep; this one is not.
    func ringHost() {
        hostDoorbell.countRing()
        Futex.wake(hostDoorbell.address)
    }

    /// `[control]` Moves the threads of units that overrun, and takes their ranks where the watch has not the rank for it.
    func moveSeats() { seats.move(takesRanks: !watch.words.pointee.isOnDuty.load(ordering: .acquiring)) }

    /// `[control]` The render thread is on this processor.
    func follow(_ processor: Int) { watch.follow(processor) }

    /// `[render]` Renders one cycle of the whole chain.
    @_noLocks
    mutating func render(_ cycle: RenderCycle, input: AudioBlock, output: AudioBlock) {
        // The memories end there: a longer block passes the chain by.
        guard cycle.frameCount <= maximumFrameCount, cycle.sampleRate > 0 else { return pass(input, to: output) }
        // No time passes in no frames: every unit would be late.
        guard cycle.frameCount > 0 else { return }
        cycleIndex &+= 1
        finishedCount = 0
        // The kernel wakes this thread at a death only while these bits are zero; any unit could have set them.
        hostDoorbell.clearBelowCount()
        var deadline = CycleDeadline(cycle, started: MonotonicClock.now(), policy)
        pass(input, to: sourceBlock(frameCount: cycle.frameCount))
        for index in 0..<unitCount { begin(index, cycle) }
        tellOfSeats()
        if cycle.isOffline, policy.offlineAttempts > 0 { bringBackAll(cycle) }
        var index = 0
        while index < unitCount { index = renderNext(from: index, cycle, &deadline) }
        tellOfSeats()
        for index in 0..<unitCount { units[index].pointee.end() }
        pass(inputBlock(of: unitCount, frameCount: cycle.frameCount), to: output)
        cycleCount.wrappingAdd(1, ordering: .relaxed)
        sampleTime.store(cycle.sampleTime &+ Int64(cycle.frameCount), ordering: .relaxed)
    }

    /// Takes the unit at `index` for this cycle, if it is there. One that is new has new numbers, and its predecessor may
    /// still be about to ring it with an old one.
    @_noLocks
    private func begin(_ index: Int, _ cycle: RenderCycle) {
        units[index].pointee.begin(cycleIndex: cycleIndex, sampleTime: cycle.sampleTime, isOffline: cycle.isOffline)
        guard index > 0, units[index].pointee.isUsable, units[index].pointee.sequence == 0 else { return }
        units[index - 1].pointee.successorIsNew()
        units[index].pointee.mayMissRing = units[index - 1].pointee.mayRingOld
    }

    /// Hands a block on, into the chain or out of it.
    @_noLocks
    private func pass(_ block: AudioBlock, to output: AudioBlock) {
        output.copy(from: block)
        if audioGuard.mend(output) { mendedBlockCount.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Tells the watch whose rank is to be taken or given back.
    @_noLocks
    private func tellOfSeats() {
        var news = SeatNews.none
        for index in 0..<unitCount { news = news.or(units[index].pointee.takeSeatNews()) }
        switch news {
        case .none: break
        case .some: words.pointee.watch.pointee.noteNews(isUrgent: false)
        case .urgent: words.pointee.watch.pointee.noteNews(isUrgent: true)
        }
    }

    @_noLocks
    private func sourceBlock(frameCount: Int) -> AudioBlock {
        for channel in 0..<sourceLayout.channelCount {
            sourceChannels[channel] = source + sourceLayout.sampleOffset(slot: sourceSlot, channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(sourceChannels), channelCount: sourceLayout.channelCount, frameCount: frameCount)
    }

    private var sourceSlot: Int {
        @_noLocks get { Int(truncatingIfNeeded: cycleIndex) & (sourceLayout.slotCount - 1) }
    }

    /// What the unit at `index` reads: its predecessor's block, or the chain's own input.
    @_noLocks
    private func inputBlock(of index: Int, frameCount: Int) -> AudioBlock {
        index == 0 ? sourceBlock(frameCount: frameCount) : units[index - 1].pointee.outputBlock(frameCount: frameCount)
    }

    @_noLocks
    private func inputSlot(of index: Int) -> Int { index == 0 ? sourceSlot : units[index - 1].pointee.slot }

    /// Renders the unit at `index`, or the run that begins there; the index after it.
    @_noLocks
    private mutating func renderNext(from index: Int, _ cycle: RenderCycle, _ deadline: inout CycleDeadline) -> Int {
        isInputValid = true
        bringBackCompanion(index, cycle)
        guard units[index].pointee.isUsable else {
            finish(index, cycle, .missing)
            return index + 1
        }
        if units[index].pointee.inProcess != nil {
            units[index].pointee.publish(
                cycle, inputSlot: inputSlot(of: index), sideChainSlot: sourceSlot, successorRing: nil)
            units[index].pointee.renderInProcess()
            let isValid = units[index].pointee.takeReply(frameCount: cycle.frameCount, cycleIndex: cycleIndex)
            finish(index, cycle, isValid ? .rendered : .refused)
            return index + 1
        }
        return renderRun(index, endOfRun(from: index), cycle, &deadline)
    }

    /// The end of the stretch of units that can hand on to each other without the host.
    @_noLocks
    private func endOfRun(from first: Int) -> Int {
        var end = first + 1
        while end < unitCount, !units[end - 1].pointee.endsRun, units[end].pointee.isUsable,
            units[end].pointee.inProcess == nil, !units[end - 1].pointee.mayRingOld
        {
            end += 1
        }
        return end
    }
}

// MARK: - A run of units in processes of their own

extension ChainCore {
    /// How a wait for a run ended.
    private enum RunEnd {
        case complete(hasSlept: Bool)
        /// This unit died before it answered.
        case died(Int)
        /// This unit is the first that has not answered in time.
        case timedOut(Int)
    }

    /// Renders the run; the index after it, which comes earlier when units further along have been lost.
    @_noLocks
    private mutating func renderRun(
        _ first: Int, _ wholeEnd: Int, _ cycle: RenderCycle, _ deadline: inout CycleDeadline
    ) -> Int {
        var end = wholeEnd
        publishRun(first, end, cycle)
        let rings = ringsOfUnits
        units[first].pointee.grant()
        var next = first
        var deaths = 0
        while next < end {
            switch wait(next, end, until: deadline.time) {
            case .complete(let hasSlept):
                finishRendered(next, end, cycle)
                // Nothing but the end of its time has woken the host.
                if hasSlept, ringsOfUnits == rings, MonotonicClock.now() >= deadline.time { accuse(end - 1) }
                return end
            case .died(let index):
                finishRendered(next, index, cycle)
                deaths = index == next ? deaths + 1 : 1
                next = die(index, &end, cycle, deaths: deaths)
                if next != index { deaths = 0 }
            case .timedOut(let index):
                finishRendered(next, index, cycle)
                next = passBy(index, next, end, cycle, &deadline)
            }
        }
        return end
    }

    /// The unit at `index` is dead, for the `deaths`th time in this cycle; where to go on.
    @_noLocks
    private mutating func die(_ index: Int, _ end: inout Int, _ cycle: RenderCycle, deaths: Int) -> Int {
        units[index].pointee.lose(cycleIndex)
        tellOfSeats()
        if deaths <= policy.offlineAttempts, renderAgain(index, &end, cycle) { return index }
        finish(index, cycle, .missing)
        return resume(after: index, end)
    }

    /// The time is up for the unit at `index`, in a run that has been finished up to it; where to go on.
    @_noLocks
    private mutating func passBy(
        _ index: Int, _ next: Int, _ end: Int, _ cycle: RenderCycle, _ deadline: inout CycleDeadline
    ) -> Int {
        let isToBlame = deadline.isFirst
        deadline.extend()
        if index > next, !units[index].pointee.isGranted { return grantInstead(index) }
        guard !cycle.isOffline || policy.offlineAttempts == 0 else {
            // It answers, or the supervisor ends it, and the block is rendered again.
            let now = MonotonicClock.now()
            units[index].pointee.beginJudgement(now: now)
            deadline.begin(now: now)
            return index
        }
        leaveOutstanding(index, cycle, isToBlame: isToBlame)
        return resume(after: index, end)
    }

    /// The unit before the one at `index` answered and did not ring on: it is to blame, and the host rings instead.
    @_noLocks
    private func grantInstead(_ index: Int) -> Int {
        accuse(index - 1)
        units[index].pointee.grant()
        return index
    }

    /// The unit answered and rang nobody.
    @_noLocks
    private func accuse(_ index: Int) {
        units[index].pointee.noteSilence(cycleIndex)
        missedDeadlineCount.wrappingAdd(1, ordering: .relaxed)
    }

    /// Rings of the host's doorbell, modulo 4, that were not the watch's.
    private var ringsOfUnits: UInt32 {
        @_noLocks get { ((hostDoorbell.load() >> 30) &- words.pointee.ringCount.load(ordering: .relaxed)) & 3 }
    }

    @_noLocks
    private mutating func leaveOutstanding(_ index: Int, _ cycle: RenderCycle, isToBlame: Bool) {
        units[index].pointee.leaveOutstanding(cycleIndex, isToBlame: isToBlame, now: MonotonicClock.now())
        if isToBlame { missedDeadlineCount.wrappingAdd(1, ordering: .relaxed) }
        // At once, since the units that follow may share the processor with it.
        tellOfSeats()
        finish(index, cycle, .missing)
    }

    /// Writes all requests before the first unit runs, so that each finds its own when it is rung.
    @_noLocks
    private func publishRun(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        for index in first..<end {
            let isLast = index + 1 == end
            let ring = isLast ? nil : UInt32(truncatingIfNeeded: units[index + 1].pointee.nextSequence)
            units[index].pointee.publish(
                cycle, inputSlot: inputSlot(of: index), sideChainSlot: sourceSlot, successorRing: ring)
        }
    }

    /// Sleeps until the last unit of the run has answered, one has died, or the time is up.
    @_noLocks
    private func wait(_ first: Int, _ end: Int, until deadline: UInt64) -> RunEnd {
        var looks = 0
        while true {
            looks += 1
            // Read before the answers: an answer that comes later changes it, and the sleep ends at once.
            let bell = hostDoorbell.load()
            let unanswered = firstUnanswered(first, end)
            if unanswered == end { return .complete(hasSlept: looks > 1) }
            let mayMissRing = units[unanswered].pointee.mayMissRing
            // Or the predecessor answered and died before it rang, or has been ended for ringing wrong.
            if mayMissRing || isPredecessorDead(unanswered) { units[unanswered].pointee.repeatRing() }
            if units[unanswered].pointee.isDead, !units[unanswered].pointee.isComplete { return .died(unanswered) }
            let now = MonotonicClock.now()
            if now >= deadline { return .timedOut(unanswered) }
            if looks > Self.patience {
                // Whoever rings without having rendered, or writes in the doorbell, would keep the host from sleeping, and
                // those below its rank from rendering.
                _ = Futex.wait(quietWord, while: 0, until: min(deadline, now &+ Self.lookAgainNanoseconds))
            } else if mayMissRing || hasDied(between: unanswered, end) {
                // The predecessor of a dead unit rings that unit and not the host: look for its answer.
                let limit = min(deadline, now &+ Self.lookAgainNanoseconds)
                _ = Futex.wait(hostDoorbell.address, while: bell, until: limit)
            } else {
                words.pointee.sleep(at: hostDoorbell, while: bell, until: deadline, now: now)
            }
        }
    }

    @_noLocks
    private func isPredecessorDead(_ index: Int) -> Bool {
        index > 0 && units[index - 1].pointee.isHeld && units[index - 1].pointee.isDead
    }

    @_noLocks
    private func hasDied(between first: Int, _ end: Int) -> Bool {
        for index in first..<end where units[index].pointee.isDead { return true }
        return false
    }

    @_noLocks
    private func firstUnanswered(_ first: Int, _ end: Int) -> Int {
        for index in first..<end where !units[index].pointee.isComplete { return index }
        return end
    }

    /// After the unit at `index` failed: the rest of the run reads the fallback, and the next one is rung.
    @_noLocks
    private mutating func resume(after index: Int, _ end: Int) -> Int {
        let next = index + 1
        guard next < end else { return end }
        units[next].pointee.redirectInput(to: units[index].pointee.slot)
        // One that has been rung already may have read the other block, which nobody may hear.
        isInputValid = !units[next].pointee.isGranted
        units[next].pointee.grant()
        return next
    }

    @_noLocks
    private mutating func finishRendered(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        for index in first..<end {
            let isValid = units[index].pointee.takeReply(frameCount: cycle.frameCount, cycleIndex: cycleIndex)
            // Its next number is none that was rung before.
            units[index].pointee.mayMissRing = index > 0 && units[index - 1].pointee.mayRingOld
            finish(index, cycle, isValid ? .rendered : .refused)
        }
    }

    @_noLocks
    private mutating func finish(_ index: Int, _ cycle: RenderCycle, _ outcome: Outcome) {
        let input = inputBlock(of: index, frameCount: cycle.frameCount)
        let wasInputValid = isInputValid
        // The next one of a run has read the block as it was made, before it was replaced here.
        isInputValid = units[index].pointee.finish(
            input: input, wasInputValid: wasInputValid, outcome, cycleIndex: cycleIndex)
        finishedCount = index + 1
    }
}

// MARK: - Offline: nothing is lost

extension ChainCore {
    /// Nanoseconds between looks whether a unit has come back; the supervisor rings when it has.
    private static let returnInterval: UInt64 = 20_000_000

    /// Waits for units that died between two blocks.
    @_noLocks
    private mutating func bringBackAll(_ cycle: RenderCycle) {
        for index in 0..<unitCount where !units[index].pointee.isUsable && !units[index].pointee.isOutstanding {
            _ = bringBack(index, cycle)
        }
    }

    /// Waits until the supervisor has started the unit anew, and takes it for this cycle; false when it has given it up.
    @_noLocks
    private mutating func bringBack(_ index: Int, _ cycle: RenderCycle) -> Bool {
        while true {
            let bell = hostDoorbell.load()
            if units[index].pointee.words.pointee.isGivenUp.load(ordering: .acquiring) { return false }
            // One that has died again meanwhile is not usable either.
            begin(index, cycle)
            if units[index].pointee.isUsable { break }
            // The process comes back once nobody in it is held here any more.
            loseDead()
            _ = Futex.wait(hostDoorbell.address, while: bell, until: MonotonicClock.now() &+ Self.returnInterval)
        }
        units[index].pointee.events.rewind()
        return true
    }

    /// Lets go of every unit that is dead. What has put out its block of this cycle keeps that.
    @_noLocks
    private func loseDead() {
        for index in 0..<unitCount where units[index].pointee.isHeld && units[index].pointee.isDead {
            units[index].pointee.lose(cycleIndex, keepsBlock: index < finishedCount)
        }
    }

    /// Waits for a unit that was lost in this cycle, before its turn, with another one of its process.
    @_noLocks
    private mutating func bringBackCompanion(_ index: Int, _ cycle: RenderCycle) {
        guard cycle.isOffline, policy.offlineAttempts > 0 else { return }
        if !units[index].pointee.isUsable, !units[index].pointee.isOutstanding { _ = bringBack(index, cycle) }
    }

    /// Has a unit that died in this cycle render the same block once more, as soon as it is back. Those before it keep
    /// what they have rendered, and those after it have not begun.
    @_noLocks
    private mutating func renderAgain(_ index: Int, _ end: inout Int, _ cycle: RenderCycle) -> Bool {
        guard cycle.isOffline else { return false }
        let isBack = bringBack(index, cycle)
        let next = index + 1
        // Those of its process that come later have not begun: they make a run of their own.
        for other in next..<max(next, end) where !units[other].pointee.isUsable {
            end = other
            break
        }
        guard isBack else { return false }
        let ring = next < end ? UInt32(truncatingIfNeeded: units[next].pointee.sequence) : nil
        units[index].pointee.publish(
            cycle, inputSlot: inputSlot(of: index), sideChainSlot: sourceSlot, successorRing: ring)
        if next < end { units[next].pointee.redirectInput(to: units[index].pointee.slot) }
        units[index].pointee.grant()
        return true
    }
}
