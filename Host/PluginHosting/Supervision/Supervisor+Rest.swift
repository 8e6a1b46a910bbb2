// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets the supervisor sleep until something happens, while nothing is played and all is well. Supervisor.

import LinuxSystem
import Synchronization

/// Finds out when there is nothing to supervise.
struct SupervisorRest: ~Copyable {
    /// The nanoseconds without a render cycle after which nothing is being played.
    private static let patience: UInt64 = 1_000_000_000
    /// The nanoseconds of processor time after which a process is checked.
    ///
    /// In that time it can take only a bearable amount of memory.
    static let unwatchedNanoseconds: UInt64 = 20_000_000

    private(set) var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()
    private var alarm: ProcessorTimeAlarm?

    /// True if no cycle has been rendered for a while, and there is nothing to do at present.
    mutating func isDue(cycle: UInt64, hasNothingToDo: () -> Bool) -> Bool {
        if cycle != lastCycle { begin(cycle) }
        return MonotonicClock.now() > since + Self.patience && hasNothingToDo()
    }

    /// Restarts the time that leads to a rest.
    mutating func begin(_ cycle: UInt64) { (lastCycle, since) = (cycle, MonotonicClock.now()) }

    /// Sets an alarm on the processor time of `processes`; returns a descriptor to sleep on.
    ///
    /// Returns nil if the kernel has no such alarm.
    mutating func watch(_ processes: [Int32]) -> Int32? {
        if alarm == nil { alarm = try? ProcessorTimeAlarm() }
        guard alarm?.set(processes, nanoseconds: Self.unwatchedNanoseconds) == true else { return nil }
        return alarm?.descriptor
    }

    mutating func unwatch() { alarm?.clear() }
}

extension Supervisor {
    /// The nanoseconds between checks of processes without an alarm.
    private static let restLookInterval: UInt64 = 1_000_000_000

    /// The number of cycles that have begun, of all rows together.
    static func begunCount(_ monitors: [RowMonitor]) -> UInt64 {
        monitors.reduce(0) { $0 &+ $1.sharedState.pointee.cycles.begunCount }
    }

    /// True if nothing renders, and every unit is present or given up, and owes no answer.
    func isAtRest(_ processes: [ProcessHistory], _ monitors: [RowMonitor]) -> Bool {
        monitors.allSatisfy(\.isBetweenCycles)
            && processes.allSatisfy { process in
                process.pending == nil && process.restart == nil && process.death == nil && process.absentSince == nil
                    && process.returning.isEmpty
                    && !process.wasEnded && process.work.restless.isEmpty && activeUnits(process).allSatisfy(isAtRest)
            }
    }

    private func isAtRest(_ member: UnitResources) -> Bool {
        member.isPresent && member.sharedState.pointee.awaitsSince == nil && !(member.hasSettled && member.unit.wantsSnapshot)
            && !member.unit.scheduled.hasDue
            && !member.sharedState.pointee.threadPlacement.isToBeMoved
    }

    /// Sleeps until there is something to do; the kernel watches the work of the processes meanwhile.
    func sleep(
        _ processes: [ProcessHistory], _ monitors: [RowMonitor], _ ends: borrowing ProcessEnds, _ rest: inout SupervisorRest
    ) -> ProcessEnds.Signals {
        let identifiers = processes.compactMap { child(residents($0))?.identifier }
        let alarm = rest.watch(identifiers)
        tellOfRest(true)
        // False if a cycle has begun before it could ring: then there is no rest.
        let counts = monitors.map { $0.sharedState.pointee.cycles.begunCount }
        let isQuiet =
            counts.reduce(0, &+) == rest.lastCycle
            && zip(monitors, counts).allSatisfy { $0.sharedState.pointee.cycles.await(after: $1) }
        var signals = ProcessEnds.Signals(hasRung: true)
        if isQuiet { signals = ends.await(wakeUp, alarm: alarm, nanoseconds: alarm == nil ? Self.restLookInterval : nil) }
        tellOfRest(false)
        rest.unwatch()
        rest.begin(Self.begunCount(monitors))
        return signals
    }
}
