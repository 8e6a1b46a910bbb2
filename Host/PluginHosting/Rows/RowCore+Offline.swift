// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loses nothing offline: the host waits for a dead unit to return, and has it render the same block again. Render thread.

import LinuxSystem
import Rendering
import Synchronization

extension RowCore {
    /// The nanoseconds between checks for a unit's return; the supervisor also rings at its return.
    private static let returnInterval: UInt64 = 20_000_000

    /// Waits for those of the first `count` units that died between two blocks.
    @_noLocks
    mutating func bringBackAll(_ count: Int, _ cycle: RenderCycle) {
        for index in 0..<count { bringBackCompanion(index, pipeline.cycle(of: index, number: cycleIndex, cycle)) }
    }

    /// Waits until the supervisor has restarted the unit, and takes it for this cycle; false if it has given the unit up.
    @_noLocks
    private mutating func bringBack(_ index: Int, _ cycle: RenderCycle) -> Bool {
        // Wakes a resting supervisor: a unit that only claims to be dead has no process end that would wake it.
        sharedState.pointee.cycles.ring()
        while true {
            let doorbell = bell(ofRunFrom: index)
            let bell = doorbell.load()
            if units[index].pointee.sharedState.pointee.isGivenUp.load(ordering: .acquiring) { return false }
            // A unit that has died again meanwhile is not usable either.
            take(index, cycle)
            if units[index].pointee.isUsable { break }
            // The process returns only once the host holds none of its units.
            loseDead()
            _ = Futex.wait(doorbell.address, while: bell, until: MonotonicClock.now() &+ Self.returnInterval)
        }
        units[index].pointee.events.rewind()
        return true
    }

    /// Releases every dead unit; a unit that has finished this cycle keeps its block.
    @_noLocks
    private func loseDead() {
        for index in 0..<unitCount where units[index].pointee.isHeld && units[index].pointee.isDead {
            units[index].pointee.lose(cycleNumber(of: index), keepsBlock: index < finishedCount)
        }
    }

    /// Waits for a unit that was lost in this cycle before its turn, together with another one of its process.
    @_noLocks
    mutating func bringBackCompanion(_ index: Int, _ cycle: RenderCycle) {
        guard cycle.isOffline, policy.offlineAttempts > 0 else { return }
        if !units[index].pointee.isUsable, !units[index].pointee.isAwaited { _ = bringBack(index, cycle) }
    }

    /// Makes a unit that died in this cycle render the same block again after its return.
    ///
    /// Units before it keep their rendered blocks, and units after it have not begun.
    @_noLocks
    mutating func renderAgain(_ index: Int, _ end: inout Int, _ cycle: RenderCycle) -> Bool {
        guard cycle.isOffline else { return false }
        let isBack = bringBack(index, cycle)
        let next = index + 1
        // Later units of its process have not begun. They form a run of their own, and the unit before them
        // must not ring the first.
        for other in next..<max(next, end) where !units[other].pointee.isUsable {
            end = other
            if other > next { units[other - 1].pointee.redirectRing() }
            break
        }
        guard isBack else { return false }
        // A unit that has not taken its wiring rings the host.
        if next < end, !canBeRung(next) { end = next }
        let ring = next < end ? UInt32(truncatingIfNeeded: units[next].pointee.sequence) : nil
        units[index].pointee.publish(
            cycle, inputSlot: fillInput(of: index, cycle), sideSlot: sideSlot(of: index), successorRing: ring)
        if next < end { units[next].pointee.redirectInput(to: wired(units[index].pointee.slot)) }
        units[index].pointee.grant()
        return true
    }
}
