// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A run of units that hand over to each other: asked at once, awaited with a deadline, resumed after a failure. Render thread.

import LinuxSystem
import Rendering
import Synchronization

/// Units that hand over to each other, from `first` to before `end`.
struct UnitRun {
    var first: Int
    let end: Int
    /// The count of unit rings before the run was asked; see `ringsOfUnits`.
    ///
    /// A ring for the run before may come after it, if the host read the answer without waiting for the ring.
    var rings: UInt32 = 0
    /// True if the host has slept for the run, until a ring or the deadline.
    var hasSlept = false

    @_noLocks
    init(first: Int, end: Int) { (self.first, self.end) = (first, end) }
}

extension RowCore {
    /// The nanoseconds after which the host checks again while a unit further along the run is dead.
    private static let lookAgainNanoseconds: UInt64 = 50_000
    /// The nanoseconds after which the host checks again while units of a pipeline may ring at the same time.
    ///
    /// Four rings between a check and the sleep leave the doorbell's count unchanged, and no ring may follow. Offline each check
    /// takes the processor from a unit, and no unit is late.
    var lookAtAllNanoseconds: UInt64 {
        // Units of a row without their wiring ring elsewhere.
        @_noLocks get { hasUnwired ? 100_000 : deadline.isOffline ? 10_000_000 : 500_000 }
    }
    /// The checks of a run's or a pipeline's answers, after which the host no longer relies on its doorbell.
    ///
    /// By then a thread has rung without an answer.
    var patience: Int {
        @_noLocks get { pipeline.isOn ? 16 &+ unitCount : 16 }
    }

    /// The end of a wait for a run.
    enum RunEnd {
        case complete(hasSlept: Bool)
        /// The unit of this index died before it answered.
        case died(Int)
        /// The unit of this index is the first that has not answered in time.
        case timedOut(Int, hasSlept: Bool)
    }

    /// The end of the stretch of units that can hand over to each other without the host.
    @_noLocks
    func endOfRun(from first: Int) -> Int {
        var end = first + 1
        while end < unitCount, !units[end - 1].pointee.endsRun, units[end].pointee.isUsable,
            units[end].pointee.inProcess == nil, !units[end - 1].pointee.mayRingOld, canBeRung(end)
        {
            end += 1
        }
        return end
    }

    /// Makes the run that begins at `first` render.
    @_noLocks
    mutating func askRun(_ first: Int, _ cycle: RenderCycle) {
        run = UnitRun(first: first, end: endOfRun(from: first))
        publishRun(first, run.end, cycle)
        run.rings = ringsOfUnits
        units[first].pointee.grant()
    }

    /// `[render]` Waits for the run, together with those of other rows.
    ///
    /// A pipeline does not wait here, but later for one unit after the other.
    ///
    /// At the deadline all unanswered units may be waiting for one late unit, of any row. If its mark shows that it has begun,
    /// the host passes it by at once. The others can then render in the time left. A unit that hides its beginning is found late
    /// when the rows are completed, or in the next cycle at the latest. So are the units that waited for it.
    @_noLocks
    mutating func awaitUnits(_ call: NodeCall) {
        guard !pipeline.isOn, run.first < unitCount else { return }
        switch wait(run.first, run.end, until: deadline.time) {
        case .complete(let hasSlept): run.hasSlept = hasSlept
        case .died: break
        case .timedOut(let index, let hasSlept):
            run.hasSlept = hasSlept
            let cycle = call.cycle.pointee
            guard deadline.isFirst, !cycle.isOffline, units[index].pointee.saysItHasBegun else { return }
            finishRendered(run.first, index, cycle)
            run.first = passBy(index, run.first, run.end, cycle)
            call.hasBeenLate.pointee = true
        }
    }

    /// Waits for the run and finishes it; returns the index after it, or an earlier one if units further along were lost.
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
                // Only the deadline has woken the host. In a pipeline other units ring too, and the host checks by itself.
                if hasSlept || run.hasSlept, !pipeline.isOn, !isUnwired(end - 1), ringsOfUnits == run.rings,
                    MonotonicClock.now() >= deadline.time
                {
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

    /// Handles the `deaths`th death of the unit at `index` in this cycle; returns the index to go on with.
    @_noLocks
    private mutating func die(_ index: Int, _ end: inout Int, _ cycle: RenderCycle, deaths: Int) -> Int {
        units[index].pointee.lose(cycleNumber(of: index))
        tellOfPlacements()
        if deaths <= policy.offlineAttempts, renderAgain(index, &end, cycle) { return index }
        finish(index, cycle, .missing)
        return resume(after: index, end)
    }

    /// Handles a deadline missed by the unit at `index`; returns the index to go on with.
    ///
    /// The units before it have been finished.
    @_noLocks
    private mutating func passBy(_ index: Int, _ next: Int, _ end: Int, _ cycle: RenderCycle) -> Int {
        let isToBlame = deadline.isFirst
        deadline.extend()
        if index > next, !units[index].pointee.isGranted { return grantInstead(index) }
        guard !cycle.isOffline || policy.offlineAttempts == 0 else {
            // It answers, or the supervisor ends it and the block is rendered again.
            let now = MonotonicClock.now()
            units[index].pointee.beginJudgement(now: now)
            // Wakes a resting supervisor: no cycle has ended for so long.
            sharedState.pointee.cycles.ring()
            deadline.begin(now: now)
            return index
        }
        leaveOutstanding(index, cycle, isToBlame: isToBlame)
        return resume(after: index, end)
    }

    /// Rings in place of the unit before the one at `index`, which answered without ringing on and is to blame.
    @_noLocks
    private func grantInstead(_ index: Int) -> Int {
        accuse(index - 1)
        units[index].pointee.grant()
        return index
    }

    /// Blames a unit that answered without ringing.
    @_noLocks
    private func accuse(_ index: Int) {
        units[index].pointee.noteSilence(cycleNumber(of: index))
        sharedState.pointee.missedDeadlineCount.wrappingAdd(1, ordering: .relaxed)
    }

    /// The rings of the host's doorbell by others than the watch, modulo 4.
    var ringsOfUnits: UInt32 {
        @_noLocks get { ((hostDoorbell.load() >> 30) &- deadlineState.pointee.ringCount.load(ordering: .relaxed)) & 3 }
    }

    @_noLocks
    private mutating func leaveOutstanding(_ index: Int, _ cycle: RenderCycle, isToBlame: Bool) {
        units[index].pointee.leaveOutstanding(
            cycleNumber(of: index), isToBlame: isToBlame, now: MonotonicClock.now())
        if isToBlame { sharedState.pointee.missedDeadlineCount.wrappingAdd(1, ordering: .relaxed) }
        if let carrier = carrier(of: index) { units[carrier].pointee.carry(units[index], isToBlame: isToBlame) }
        // At once: the units that follow may share its processor.
        tellOfPlacements()
        finish(index, cycle, .missing)
    }

    /// The earlier unit whose thread renders the late one at `index`, or soon will; nil if the late one has a thread of its own.
    ///
    /// The thread belongs to a unit of the same process, and its mark shows that it has not slept since.
    @_noLocks
    private func carrier(of index: Int) -> Int? {
        // A spinning unit sets the same mark, and never takes its neighbour along.
        guard !pipeline.isOn, spinBounds.ofUnits == 0 else { return nil }
        var carrier = index
        // A thread goes on only with units after one that it has rendered.
        while carrier > 0, units[carrier - 1].pointee.hasRendered(before: units[index]) {
            carrier -= 1
            if units[carrier].pointee.region.pluginSpins.isRaised { return carrier }
        }
        return nil
    }

    /// Writes all requests before the first unit runs, so that each unit finds its own when it is rung.
    @_noLocks
    private mutating func publishRun(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        spinBounds.begin(cycle, sharedState.pointee.unitSpread)
        for index in first..<end {
            let isLast = index + 1 == end
            let ring = isLast ? nil : UInt32(truncatingIfNeeded: units[index + 1].pointee.nextSequence)
            // Only the first unit of a run reads memory that the host has written.
            let slot = index == first ? fillInput(of: index, cycle) : wired(inputSlot(of: index))
            units[index].pointee.publish(
                cycle, inputSlot: slot, sideSlot: sideSlot(of: index), successorRing: ring,
                spinNanoseconds: spinBounds.ofUnits)
        }
        // The last unit rings the host.
        if spinBounds.ofHost > 0 { units[end - 1].pointee.region.hostSpins.raise() }
    }

    /// Spins until all units have answered; false at the deadline, or if a dead unit's answer or ring is missing.
    ///
    /// It reads the answers and not the doorbell. The doorbell is rung after them, and would be one more cache line to fetch from
    /// the other processor.
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

    /// Waits until the last unit of the run has answered, a unit has died, or the deadline has come.
    @_noLocks
    func wait(_ first: Int, _ end: Int, until deadline: UInt64) -> RunEnd {
        var looks = 0
        var hasSlept = false
        var mayStillSpin = spinBounds.ofHost > 0
        let doorbell = bell(ofRunFrom: first)
        while true {
            looks += 1
            // Read before the answers: a later answer changes it, and the sleep ends at once.
            let bell = doorbell.load()
            let unanswered = firstUnanswered(first, end)
            if unanswered == end { return .complete(hasSlept: hasSlept) }
            let mayMissRing = units[unanswered].pointee.mayMissRing
            // The predecessor may also have died between answer and ring, or may have been ended for a wrong ring.
            if mayMissRing || isPredecessorDead(unanswered) { units[unanswered].pointee.repeatRing() }
            if units[unanswered].pointee.isDead, !units[unanswered].pointee.isComplete { return .died(unanswered) }
            let now = MonotonicClock.now()
            if now >= deadline { return .timedOut(unanswered, hasSlept: hasSlept) }
            // A unit that may miss its ring because of an old number is rung repeatedly, below.
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
            } else if mayMissRing || hasDied(between: unanswered, end) || units[first].pointee.isChangingOver {
                // The predecessor of a dead unit rings that unit and not the host: check for its answer. A unit that dies while
                // it changes over may ring its former successor.
                let limit = min(deadline, now &+ Self.lookAgainNanoseconds)
                _ = Futex.wait(doorbell.address, while: bell, until: limit)
            } else if pipeline.isOn {
                let limit = min(deadline, now &+ lookAtAllNanoseconds)
                _ = Futex.wait(doorbell.address, while: bell, until: limit)
                // Without a ring this check does not count.
                if doorbell.load() == bell { looks -= 1 }
            } else if isUnwired(first) {
                // The watch rings the row's doorbell, and the unit another one.
                _ = Futex.wait(doorbell.address, while: bell, until: deadline)
            } else {
                deadlineState.pointee.sleep(at: hostDoorbell, while: bell, until: deadline, now: now)
            }
        }
    }

    /// Sleeps for a moment on a futex word that no unit can reach.
    ///
    /// Otherwise a unit that rings without having rendered, or writes in the doorbell, would keep the host awake. The host would
    /// then keep threads of lower rank from rendering.
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

    /// Goes on after the unit at `index` failed: the rest of the run reads the fallback, and the next unit is rung.
    @_noLocks
    private mutating func resume(after index: Int, _ end: Int) -> Int {
        let next = index + 1
        guard next < end else { return end }
        units[next].pointee.redirectInput(to: wired(units[index].pointee.slot))
        // A unit that has already been rung may have read the other block, which must not be heard.
        isInputValid = !units[next].pointee.mayHaveBegun
        units[next].pointee.grant()
        return next
    }

    @_noLocks
    private mutating func finishRendered(_ first: Int, _ end: Int, _ cycle: RenderCycle) {
        for index in first..<end {
            let isValid = units[index].pointee.takeReply(frameCount: cycle.frameCount, cycleIndex: cycleNumber(of: index))
            // The unit's next number was never rung before.
            units[index].pointee.mayMissRing = index > 0 && units[index - 1].pointee.mayRingOld
            finish(index, cycle, isValid ? .rendered : .refused)
        }
    }

    @_noLocks
    mutating func finish(_ index: Int, _ cycle: RenderCycle, _ outcome: Outcome) {
        let input = inputBlock(of: index, frameCount: cycle.frameCount)
        let wasInputValid = isInputValid
        // The next unit of a run has read the block as rendered, before it was replaced here.
        isInputValid = units[index].pointee.finish(
            input: input, wasInputValid: wasInputValid, outcome, cycleIndex: cycleNumber(of: index))
        finishedCount = index + 1
    }
}
