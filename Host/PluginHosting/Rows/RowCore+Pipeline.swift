// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders all units of a row at the same time, each with a block of its own. Render thread.

import LinuxSystem
import Rendering

extension RowCore {
    /// Asks those of the first `count` units that have processes of their own, all at once.
    @_noLocks
    mutating func askAll(_ count: Int, _ cycle: RenderCycle) {
        for index in 0..<count where units[index].pointee.isUsable && units[index].pointee.inProcess == nil {
            ask(index, pipeline.cycle(of: index, number: cycleIndex, cycle), isQuiet: cycle.isOffline)
        }
    }

    /// Finishes the blocks of the first `count` units in order; the next unit reads each in the next cycle.
    @_noLocks
    mutating func completeAll(_ count: Int, _ cycle: RenderCycle) {
        var areAwaited = !cycle.isOffline
        for index in 0..<count {
            // This thread renders its in-process units meanwhile.
            if !areAwaited, units[index].pointee.inProcess == nil {
                awaitAll(count)
                areAwaited = true
            }
            complete(index, pipeline.cycle(of: index, number: cycleIndex, cycle))
        }
    }

    /// Sleeps until all of the first `count` units have answered, or the deadline has come.
    @_noLocks
    private func awaitAll(_ count: Int) {
        var looks = 0
        while true {
            // Read before the answers: a later answer changes it, and the sleep ends at once.
            let bell = hostDoorbell.load()
            if areAnswered(count) || MonotonicClock.now() >= deadline.time { return }
            looks += 1
            if !awaitRing(of: count, while: bell, looks: looks) { looks -= 1 }
        }
    }

    @_noLocks
    private func areAnswered(_ count: Int) -> Bool {
        for index in 0..<count where !isAnswered(index) { return false }
        return true
    }

    /// Makes the unit render.
    ///
    /// It rings the host with its answer; a quiet unit need not ring before the host waits for it.
    @_noLocks
    private mutating func ask(_ index: Int, _ cycle: RenderCycle, isQuiet: Bool) {
        assign(index)
        publish(index, cycle)
        if isQuiet { units[index].pointee.region.hostSpins.raise() }
        units[index].pointee.grant()
    }

    @_noLocks
    private mutating func publish(_ index: Int, _ cycle: RenderCycle) {
        units[index].pointee.publish(
            cycle, inputSlot: fillInput(of: index, cycle), sideSlot: sideSlot(of: index), successorRing: nil)
    }

    /// Waits for the unit, renders it here, or plays its fallback.
    @_noLocks
    private mutating func complete(_ index: Int, _ cycle: RenderCycle) {
        // The unit's input was finished a cycle ago.
        isInputValid = true
        bringBackCompanion(index, cycle)
        guard units[index].pointee.isUsable else { return finish(index, cycle, .missing) }
        if units[index].pointee.inProcess != nil {
            publish(index, cycle)
            return renderInProcess(index, cycle)
        }
        // A unit that has just returned is asked now, and awaited.
        if !units[index].pointee.isPending { ask(index, cycle, isQuiet: false) }
        run = UnitRun(first: index, end: index + 1)
        _ = awaitRun(cycle)
    }
}

// MARK: - Ahead

/// The progress of a unit while a row that renders ahead moves from one cycle to the next.
enum AheadProgress {
    /// It is still at the cycle before.
    case behind
    /// It has finished its block of the cycle before.
    case free
    /// It has been asked for this cycle.
    case asked

    // A comparison by `==` would look up its type at run time.
    var isBehind: Bool { @_noLocks get { if case .behind = self { true } else { false } } }
    var isFree: Bool { @_noLocks get { if case .free = self { true } else { false } } }
    var isAsked: Bool { @_noLocks get { if case .asked = self { true } else { false } } }
}

extension RowCore {
    /// Moves each of the first `count` units on to this cycle, once it and its predecessor have finished the one before.
    ///
    /// Other units may still be at the cycle before. So each processor always has a unit to go on with, also while this thread
    /// takes one for itself.
    @_noLocks
    mutating func advanceAll(_ count: Int, _ cycle: RenderCycle) {
        var looks = 0
        while true {
            // Read before the answers: a later answer changes it, and the sleep ends at once.
            let bell = hostDoorbell.load()
            var (hasMoved, behind) = (false, count)
            for index in 0..<count {
                if advance(index, cycle) { hasMoved = true }
                if behind == count, !units[index].pointee.progress.isAsked { behind = index }
            }
            if behind == count { return }
            if hasMoved {
                looks = 0
                continue
            }
            looks += 1
            if MonotonicClock.now() >= deadline.time {
                // The first unit behind is awaited alone, with its fallback if necessary.
                putOut(behind, cycle)
            } else if !awaitRing(of: count, while: bell, looks: looks) {
                looks -= 1
            }
        }
    }

    /// Moves the unit on as far as possible; true if it has moved.
    @_noLocks
    private mutating func advance(_ index: Int, _ cycle: RenderCycle) -> Bool {
        var hasMoved = false
        if units[index].pointee.progress.isBehind, isAnswered(index) {
            putOut(index, cycle)
            hasMoved = true
        }
        guard units[index].pointee.progress.isFree, index == 0 || !units[index - 1].pointee.progress.isBehind else {
            return hasMoved
        }
        units[index].pointee.progress = .asked
        let cycle = pipeline.cycle(of: index, number: cycleIndex, cycle)
        take(index, cycle)
        bringBackCompanion(index, cycle)
        if units[index].pointee.isUsable, units[index].pointee.inProcess == nil { ask(index, cycle, isQuiet: true) }
        return true
    }

    /// True if the host need not wait for the unit.
    ///
    /// A unit that was lost with another one of its process has no answer to give.
    @_noLocks
    func isAnswered(_ index: Int) -> Bool {
        let isAwaited = units[index].pointee.isUsable && units[index].pointee.isPending
        return !isAwaited || units[index].pointee.isComplete || units[index].pointee.isDead
    }

    /// True if the row cannot go on before the unit has answered.
    @_noLocks
    func isWaitedFor(_ index: Int) -> Bool { !pipeline.isAhead || units[index].pointee.progress.isBehind }

    /// Completes the unit's block of the cycle before, and gives the unit back.
    @_noLocks
    private mutating func putOut(_ index: Int, _ cycle: RenderCycle) {
        complete(index, pipeline.cycle(of: index, number: cycleIndex &- 1, cycle))
        if index + 1 == unitCount { collect(cycle) }
        units[index].pointee.end()
        units[index].pointee.progress = .free
    }

    /// Sleeps until a ring, or for a while; true if a ring may have come.
    ///
    /// A unit that the host does not wait for rings only if its processor could take over another unit's work. Each such ring
    /// wakes the host, which takes a processor from a unit.
    @_noLocks
    private func awaitRing(of count: Int, while bell: UInt32, looks: Int) -> Bool {
        // Many units may have rung meanwhile.
        if level() { return true }
        let hasQueue = shares.hasQueue
        for index in 0..<count where isWaitedFor(index) || hasQueue && shares.isUnheard(units[index].pointee.share) {
            units[index].pointee.region.hostSpins.lower()
        }
        if looks > patience {
            pauseUnrung(until: deadline.time)
        } else {
            let limit = min(deadline.time, MonotonicClock.now() &+ lookAtAllNanoseconds)
            _ = Futex.wait(hostDoorbell.address, while: bell, until: limit)
        }
        return hostDoorbell.load() != bell
    }
}
