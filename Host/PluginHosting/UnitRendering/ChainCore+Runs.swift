// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A run of units that hand on to each other: asked at once, waited for with a deadline, gone on with when one fails. Render thread.

import LinuxSystem
import Rendering
import Synchronization

/// Units that hand on to each other, from `first` to before `end`.
struct UnitRun {
    var first: Int
    let end: Int
    /// What the units had rung before it was asked; see `ringsOfUnits`. A ring for the run before may come after it, where the host
    /// has looked at the answer and not waited for the ring.
    var rings: UInt32 = 0
    /// The host has slept for it, until somebody rang or its time was up.
    var hasSlept = false

    @_noLocks
    init(first: Int, end: Int) { (self.first, self.end) = (first, end) }
}

extension ChainCore {
    /// Nanoseconds after which the host looks again while a unit further along the run is dead.
    private static let lookAgainNanoseconds: UInt64 = 50_000
    /// The same while units of a pipeline may ring at the same time: four rings between a look and the sleep leave the doorbell as it
    /// was, and there may be none after them. Offline each look takes the processor from a unit, and nothing is late.
    var lookAtAllNanoseconds: UInt64 {
        @_noLocks get { deadline.isOffline ? 10_000_000 : 500_000 }
    }
    /// Looks at the answers of a run, or of all units of a pipeline, after which the host relies on its doorbell no more: somebody rings
    /// who has none.
    var patience: Int {
        @_noLocks get { pipeline.isOn ? 16 &+ unitCount : 16 }
    }

    /// How a wait for a run ended.
    enum RunEnd {
        case complete(hasSlept: Bool)
        /// This unit died before it answered.
        case died(Int)
        /// This unit is the first that has not answered in time.
        case timedOut(Int, hasSlept: Bool)
    }

    /// The end of the stretch of units that can hand on to each other without the host.
    @_noLocks
    func endOfRun(from first: Int) -> Int {
        var end = first + 1
        while end < unitCount, !units[end - 1].pointee.endsRun, units[end].pointee.isUsable,
            units[end].pointee.inProcess == nil, !units[end - 1].pointee.mayRingOld
        {
            end += 1
        }
        return end
    }

    /// Has the run that begins at `first` render.
    @_noLocks
    mutating func askRun(_ first: Int, _ cycle: RenderCycle) {
        run = UnitRun(first: first, end: endOfRun(from: first))
        publishRun(first, run.end, cycle)
        run.rings = ringsOfUnits
        units[first].pointee.grant()
    }

    /// `[render]` Waits for the run, together with those of other chains. Pipelines wait later, for one unit after the other.
    ///
    /// At the deadline all that has not been answered may wait for one unit, of whichever chain. It is passed by at once if it says
    /// that it has begun, so that the others can render in what is left. A unit that keeps that to itself is found late
    /// when the chains are completed, or in the next cycle at the latest; and those that waited for it, too.
    @_noLocks
    mutating func awaitUnits(_ call: StepCall) {
        guard !pipeline.isOn, run.first < unitCount else { return }
        switch wait(run.first, run.end, until: deadline.time) {
        case .complete(let hasSlept): run.hasSlept = hasSlept
        case .died: break
        case .timedOut(let index, let hasSlept):
            run.hasSlept = hasSlept
            guard deadline.isFirst, !call.cycle.isOffline, units[index].pointee.saysItHasBegun else { return }
            finishRendered(run.first, index, call.cycle)
            run.first = passBy(index, run.first, run.end, call.cycle)
            call.hasBeenLate.pointee = true
        }
    }

    /// Waits for the run and finishes it; the index after it, which comes earlier when units further along have been lost.
    @_noLocks
    mutating func awaitRun(_ cycle: RenderCycle) -> Int {
        var end = run.end
        var next = run.first
        var deaths = 0
        while next < end {
            switch wait(next, end, until: deadline.time) {
            case .complete(let hasSlept):
                spinBounds.end()
                finishRendered(next, end, cycle)
                // Nothing but the end of its time has woken the host. In a pipeline others ring, too, and it looks by itself.
                if hasSlept || run.hasSlept, !pipeline.isOn, ringsOfUnits == run.rings, MonotonicClock.now() >= deadline.time {
                    accuse(end - 1)
                }
                return end
            case .died(let index):
                finishRendered(next, index, cycle)
                deaths = index == next ? deaths + 1 : 1
                next = die(index, &end, cycle, deaths: deaths)
                if next != index { deaths = 0 }
            case .timedOut(let index, _):
                finishRendered(next, index, cycle)
                next = passBy(index, next, end, cycle)
            }
        }
        return end
    }

    /// The unit at `index` is dead, for the `deaths`th time in this cycle; where to go on.
    @_noLocks
    private mutating func die(_ index: Int, _ end: inout Int, _ cycle: RenderCycle, deaths: Int) -> Int {
        units[index].pointee.lose(cycleNumber(of: index))
        tellOfPlacements()
        if deaths <= policy.offlineAttempts, renderAgain(index, &end, cycle) { return index }
        finish(index, cycle, .missing)
        return resume(after: index, end)
    }

    /// The time is up for the unit at `index`, in a run that has been finished up to it; where to go on.
    @_noLocks
    private mutating func passBy(_ index: Int, _ next: Int, _ end: Int, _ cycle: RenderCycle) -> Int {
        let isToBlame = deadline.isFirst
        deadline.extend()
        if index > next, !units[index].pointee.isGranted { return grantInstead(index) }
        guard !cycle.isOffline || policy.offlineAttempts == 0 else {
            // It answers, or the supervisor ends it, and the block is rendered again.
            let now = MonotonicClock.now()
            units[index].pointee.beginJudgement(now: now)
            // It may rest, since no cycle has come to its end for so long.
            sharedState.pointee.cycles.ring()
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
        units[index].pointee.noteSilence(cycleNumber(of: index))
        sharedState.pointee.missedDeadlineCount.wrappingAdd(1, ordering: .relaxed)
    }

    /// Rings of the host's doorbell, modulo 4, that were not the watch's.
    var ringsOfUnits: UInt32 {
        @_noLocks get { ((hostDoorbell.load() >> 30) &- deadlineState.pointee.ringCount.load(ordering: .relaxed)) & 3 }
    }

    @_noLocks
    private mutating func leaveOutstanding(_ index: Int, _ cycle: RenderCycle, isToBlame: Bool) {
        units[index].pointee.leaveOutstanding(
            cycleNumber(of: index), isToBlame: isToBlame, now: MonotonicClock.now())
        if isToBlame { sharedState.pointee.missedDeadlineCount.wrappingAdd(1, ordering: .relaxed) }
        if let carrier = carrier(of: index) { units[carrier].pointee.carry(units[index], isToBlame: isToBlame) }
        // At once, since the units that follow may share the processor with it.
        tellOfPlacements()
        finish(index, cycle, .missing)
    }

    /// The unit whose thread is rendering the late one at `index`, or is about to, if that is another's: one before it of the same
    /// process, whose thread says that it has not gone to sleep since.
    @_noLocks
    private func carrier(of index: Int) -> Int? {
        // Whoever looks out for the next request has its word up for that, and goes on with nobody else.
        guard !pipeline.isOn, spinBounds.ofUnits == 0 else { return nil }
        var carrier = index
        // A thread goes on only with what comes after a unit that it has rendered.
        while carrier > 0, units[carrier - 1].pointee.hasRendered(before: units[index]) {
            carrier -= 1
            if units[carrier].pointee.region.pluginSpins.isRaised { return carrier }
        }
        return nil
    }

    /// Writes all requests before the first unit runs, so that each finds its own when it is rung.
    @_noLocks
    private mutating func publishRun(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        spinBounds.begin(cycle, sharedState.pointee.unitSpread)
        for index in first..<end {
            let isLast = index + 1 == end
            let ring = isLast ? nil : UInt32(truncatingIfNeeded: units[index + 1].pointee.nextSequence)
            units[index].pointee.publish(
                cycle, inputSlot: inputSlot(of: index), sideChainSlot: sideChainSlot(of: index), successorRing: ring,
                spinNanoseconds: spinBounds.ofUnits)
        }
        // It is the one that rings the host.
        if spinBounds.ofHost > 0 { units[end - 1].pointee.region.hostSpins.raise() }
    }

    /// Looks until all have answered, and whether they have; not if one dies whose answer or ring is missing, or the time is up.
    ///
    /// At the answers and not at the doorbell: that is rung after them, and would be one more line of the cache to be had from the
    /// other processor.
    @_noLocks
    private func spin(_ unanswered: Int, _ end: Int, until limit: UInt64) -> Bool {
        repeat {
            for _ in 0..<Spinning.looksBetweenTimes {
                if units[end - 1].pointee.isComplete, firstUnanswered(unanswered, end) == end { return true }
                Spinning.pause()
            }
        } while MonotonicClock.now() < limit && !hasDied(between: unanswered, end) && !isPredecessorDead(unanswered)
        return false
    }

    /// Waits until the last unit of the run has answered, one has died, or the time is up.
    @_noLocks
    func wait(_ first: Int, _ end: Int, until deadline: UInt64) -> RunEnd {
        var looks = 0
        var hasSlept = false
        var mayStillSpin = spinBounds.ofHost > 0
        while true {
            looks += 1
            // Read before the answers: an answer that comes later changes it, and the sleep ends at once.
            let bell = hostDoorbell.load()
            let unanswered = firstUnanswered(first, end)
            if unanswered == end { return .complete(hasSlept: hasSlept) }
            let mayMissRing = units[unanswered].pointee.mayMissRing
            // Or the predecessor answered and died before it rang, or has been ended for ringing wrong.
            if mayMissRing || isPredecessorDead(unanswered) { units[unanswered].pointee.repeatRing() }
            if units[unanswered].pointee.isDead, !units[unanswered].pointee.isComplete { return .died(unanswered) }
            let now = MonotonicClock.now()
            if now >= deadline { return .timedOut(unanswered, hasSlept: hasSlept) }
            // One that an old number may keep from hearing its ring is rung again and again, below.
            if mayStillSpin, !mayMissRing {
                mayStillSpin = false
                let bound = min(spinBounds.ofHost, deadline &- now)
                if spin(unanswered, end, until: now &+ bound) { return .complete(hasSlept: hasSlept) }
                continue
            }
            hasSlept = true
            units[end - 1].pointee.region.hostSpins.lower()
            if looks > patience {
                pauseUnrung(until: deadline)
            } else if mayMissRing || hasDied(between: unanswered, end) {
                // The predecessor of a dead unit rings that unit and not the host: look for its answer.
                let limit = min(deadline, now &+ Self.lookAgainNanoseconds)
                _ = Futex.wait(hostDoorbell.address, while: bell, until: limit)
            } else if pipeline.isOn {
                let limit = min(deadline, now &+ lookAtAllNanoseconds)
                _ = Futex.wait(hostDoorbell.address, while: bell, until: limit)
                // Nobody has rung in vain.
                if hostDoorbell.load() == bell { looks -= 1 }
            } else {
                deadlineState.pointee.sleep(at: hostDoorbell, while: bell, until: deadline, now: now)
            }
        }
    }

    /// Whoever rings without having rendered, or writes in the doorbell, would keep the host from sleeping, and those below its rank from
    /// rendering.
    @_noLocks
    func pauseUnrung(until deadline: UInt64) {
        _ = Futex.wait(quietWord, while: 0, until: min(deadline, MonotonicClock.now() &+ Self.lookAgainNanoseconds))
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
        isInputValid = !units[next].pointee.mayHaveBegun
        units[next].pointee.grant()
        return next
    }

    @_noLocks
    private mutating func finishRendered(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        for index in first..<end {
            let isValid = units[index].pointee.takeReply(frameCount: cycle.frameCount, cycleIndex: cycleNumber(of: index))
            // Its next number is none that was rung before.
            units[index].pointee.mayMissRing = index > 0 && units[index - 1].pointee.mayRingOld
            finish(index, cycle, isValid ? .rendered : .refused)
        }
    }

    @_noLocks
    mutating func finish(_ index: Int, _ cycle: RenderCycle, _ outcome: Outcome) {
        let input = inputBlock(of: index, frameCount: cycle.frameCount)
        let wasInputValid = isInputValid
        // The next one of a run has read the block as it was made, before it was replaced here.
        isInputValid = units[index].pointee.finish(
            input: input, wasInputValid: wasInputValid, outcome, cycleIndex: cycleNumber(of: index))
        finishedCount = index + 1
    }
}
