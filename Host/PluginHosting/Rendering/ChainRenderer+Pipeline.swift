// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All units of a chain at the same time, each with a block of its own. Render thread.

import LinuxSystem
import Rendering

extension ChainCore {
    /// Has those of the first `count` units that have processes of their own render, all at once.
    @_noLocks
    mutating func askAll(_ count: Int, _ cycle: RenderCycle) {
        for index in 0..<count where units[index].pointee.isUsable && units[index].pointee.inProcess == nil {
            ask(index, pipeline.cycle(of: index, number: cycleIndex, cycle))
        }
    }

    /// Finishes in their order what the first `count` units have put out; the next one reads it in the next cycle.
    @_noLocks
    mutating func completeAll(_ count: Int, _ cycle: RenderCycle) {
        if cycle.isOffline { awaitLast(count) }
        for index in 0..<count { complete(index, pipeline.cycle(of: index, number: cycleIndex, cycle)) }
    }

    /// Sleeps until the unit has answered that was the last one to do so lately. The others have been told that the host needs no
    /// waking: each time it would take the processor from one of them.
    @_noLocks
    private mutating func awaitLast(_ count: Int) {
        let last = pipeline.lastToAnswer
        guard last < count, units[last].pointee.isPending else { return }
        _ = wait(last, last + 1, until: deadline.time)
        for index in 0..<count where units[index].pointee.isPending && !units[index].pointee.isComplete {
            pipeline.lastToAnswer = index
        }
    }

    /// Has the unit run. It rings the host when it has answered.
    @_noLocks
    private func ask(_ index: Int, _ cycle: RenderCycle) {
        publish(index, cycle)
        if cycle.isOffline, index != pipeline.lastToAnswer { units[index].pointee.region.hostSpins.raise() }
        units[index].pointee.grant()
    }

    @_noLocks
    private func publish(_ index: Int, _ cycle: RenderCycle) {
        units[index].pointee.publish(
            cycle, inputSlot: inputSlot(of: index), sideChainSlot: sideChainSlot(of: index), successorRing: nil)
    }

    /// Waits for the unit, or renders it, or covers for it.
    @_noLocks
    private mutating func complete(_ index: Int, _ cycle: RenderCycle) {
        // What it has read was finished a cycle ago.
        isInputValid = true
        bringBackCompanion(index, cycle)
        guard units[index].pointee.isUsable else { return finish(index, cycle, .missing) }
        if units[index].pointee.inProcess != nil {
            publish(index, cycle)
            return renderInProcess(index, cycle)
        }
        // It has just come back.
        if !units[index].pointee.isPending { ask(index, cycle) }
        run = UnitRun(first: index, end: index + 1)
        _ = awaitRun(cycle)
    }
}
