// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks the work of processes, and takes the placements of render threads that do not sleep. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// Checks the work of a process; returns the reason to end it, and the unit to blame if it is known.
    func reasonInWork(
        _ history: inout ProcessHistory, _ units: [UnitResources], _ process: Int32
    ) -> (fault: PluginFault, culprit: UnitResources?)? {
        // Offline there is no driver, and units may take all the processor time.
        guard let terms = workTerms(units), let worked = ProcessorTime.nanoseconds(ofProcess: process) else {
            history.work.pause()
            return nil
        }
        let reading = ProcessWork.Reading(time: MonotonicClock.now(), worked: worked, awaited: nanosecondsAwaited(units))
        let findings = history.work.look(reading, terms) {
            accounts(of: units, process)
        }
        for member in units where findings.restless.contains(member.number) {
            let moment = member.monitor.moment
            member.faults.append(.restless, cycle: moment.cycle, sampleTime: moment.sampleTime, recoveredAfterCycles: 0)
        }
        let restless = history.work.restless
        threadPlacements.take(from: history.members.filter { restless.contains($0.number) }, among: members)
        threadPlacements.giveBack(to: units.filter { findings.calm.contains($0.number) }, among: members)
        return findings.isSpent ? (.outOfProcessorTime, units.count == 1 ? units[0] : nil) : nil
    }

    /// The nanoseconds for which the host has waited for the rows of these units.
    private func nanosecondsAwaited(_ units: [UnitResources]) -> UInt64 {
        var seen: [RowMonitor] = []
        for monitor in units.map(\.monitor) where !seen.contains(where: { $0 === monitor }) { seen.append(monitor) }
        return seen.reduce(0) { $0 &+ $1.sharedState.pointee.awaitedNanoseconds.load(ordering: .relaxed) }
    }

    /// The counts of the units' render threads, by the units' numbers.
    private func accounts(of units: [UnitResources], _ process: Int32) -> [Int: ProcessWork.Account] {
        units.reduce(into: [:]) { accounts, member in
            guard let thread = member.unit.renderThread,
                let time = ProcessorTime.nanoseconds(ofThread: thread, of: process)
            else { return }
            let unplaced = member.sharedState.pointee.threadPlacement.nanosecondsUnplaced(ofAll: time.ran)
            accounts[member.number] = ProcessWork.Account(ran: time.ran, waited: time.waited, unplaced: unplaced)
        }
    }

    /// The limits of work; nil without any.
    private func workTerms(_ units: [UnitResources]) -> ProcessWork.Terms? {
        let (policy, unitCount) = (units[0].policy, units.count)
        let length = Double(units[0].monitor.sharedState.pointee.cycleNanoseconds.load(ordering: .relaxed))
        guard let share = policy.workShare, length > 0 else { return nil }
        // A unit that is in time renders for at most `lateShare` of the deadline. Its wake-up, and the host's own to notice it,
        // come on top.
        let rendering = WorkBudget.Terms(share: policy.deadlineShare * UnitPolicy.lateShare + 0.1, most: 20e6 + length)
        let others = WorkBudget.Terms(
            share: share * Double(unitCount), most: Double(policy.workMilliseconds) * 1e6 * Double(unitCount))
        let spins = policy.waiting == .spin && policy.pipelineFrameCount == nil
        return ProcessWork.Terms(rendering: spins ? nil : rendering, others: others)
    }
}
