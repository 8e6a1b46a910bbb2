// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// While nothing is played and all is well the supervisor sleeps until something happens. Supervisor.

import LinuxSystem
import Synchronization

/// Finds out when there is nothing to look after.
struct SupervisorRest: ~Copyable {
    /// Nanoseconds without a render cycle after which nothing is being played.
    private static let patience: UInt64 = 1_000_000_000
    /// Nanoseconds of processor time after which a process is looked at: in so long it can take no more memory than may be missed.
    static let unwatchedNanoseconds: UInt64 = 20_000_000

    private(set) var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()
    private var alarm: ProcessorTimeAlarm?

    /// Whether no cycle has been rendered for a while, and there has been nothing to do at the last moment.
    mutating func isDue(cycle: UInt64, hasNothingToDo: () -> Bool) -> Bool {
        if cycle != lastCycle { begin(cycle) }
        return MonotonicClock.now() > since + Self.patience && hasNothingToDo()
    }

    /// From here on it is due again after a while.
    mutating func begin(_ cycle: UInt64) { (lastCycle, since) = (cycle, MonotonicClock.now()) }

    /// Has one of `processes` wake the thread if it works meanwhile: a descriptor to sleep at, nil where the kernel does not do that.
    mutating func watch(_ processes: [Int32]) -> Int32? {
        if alarm == nil { alarm = try? ProcessorTimeAlarm() }
        guard alarm?.set(processes, nanoseconds: Self.unwatchedNanoseconds) == true else { return nil }
        return alarm?.descriptor
    }

    mutating func unwatch() { alarm?.clear() }
}

extension Supervisor {
    /// Nanoseconds between looks at processes that nobody else looks at meanwhile.
    private static let restLookInterval: UInt64 = 1_000_000_000

    /// Whether the render thread waits for nobody, and will not in a cycle that it has begun. One that renders ahead always has begun one.
    var isBetweenCycles: Bool {
        !watched.isWaiting && (policy.rendersAhead || sharedState.pointee.cycles.begunCount == sharedState.pointee.cycles.count)
    }

    /// Whether every unit is there, or has been given up, and nothing is awaited of anybody.
    func isAtRest(_ processes: [ProcessHistory]) -> Bool {
        processes.allSatisfy { process in
            process.pending == nil && process.restart == nil && process.death == nil && process.returning.isEmpty
                && !process.wasEnded && process.work.restless.isEmpty
                && activeUnits(process).allSatisfy { isAtRest(members[$0]) }
        }
    }

    private func isAtRest(_ member: ChainMember) -> Bool {
        member.isPresent && member.sharedState.pointee.awaitsSince == nil && !(member.hasSettled && member.unit.wantsSnapshot)
            && !member.unit.scheduled.hasDue
            && !member.sharedState.pointee.threadPlacement.isToBeMoved
    }

    /// Sleeps until there is something to do. What processes work meanwhile the kernel watches.
    func sleep(_ processes: [ProcessHistory], _ rest: inout SupervisorRest) {
        let identifiers = processes.compactMap { child(residents($0))?.identifier }
        let alarm = rest.watch(identifiers)
        tellOfRest(true)
        // The cycle that comes now has found nobody to ring for.
        if sharedState.pointee.cycles.await(after: rest.lastCycle) {
            waitForWakeUp(processes, alarm: alarm, nanoseconds: alarm == nil ? Self.restLookInterval : nil)
        }
        tellOfRest(false)
        rest.unwatch()
        rest.begin(sharedState.pointee.cycles.begunCount)
    }
}
