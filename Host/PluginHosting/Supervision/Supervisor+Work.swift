// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks the work of processes, and takes the placements of render threads that do not sleep. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// Checks the work of a process; returns why it may not go on, and the unit to blame if it is known.
    func reasonInWork(
        _ history: inout ProcessHistory, _ units: [Int], _ process: Int32
    ) -> (fault: PluginFault, culprit: Int?)? {
        // Offline there is no driver, and units may take all the processor time.
        guard let terms = workTerms(unitCount: units.count), let worked = ProcessorTime.nanoseconds(ofProcess: process) else {
            history.work.pause()
            return nil
        }
        let reading = ProcessWork.Reading(
            time: MonotonicClock.now(), worked: worked, awaited: sharedState.pointee.awaitedNanoseconds.load(ordering: .relaxed))
        let findings = history.work.look(reading, terms) {
            accounts(of: units, process)
        }
        for index in findings.restless {
            members[index].faults.append(.restless, cycle: cycle, sampleTime: sampleTime, recoveredAfterCycles: 0)
        }
        threadPlacements.take(from: history.work.restless)
        threadPlacements.giveBack(to: findings.calm)
        return findings.isSpent ? (.outOfProcessorTime, units.count == 1 ? units[0] : nil) : nil
    }

    private func accounts(of units: [Int], _ process: Int32) -> [Int: ProcessWork.Account] {
        units.reduce(into: [:]) { accounts, index in
            guard let thread = members[index].unit.renderThread,
                let time = ProcessorTime.nanoseconds(ofThread: thread, of: process)
            else { return }
            let unplaced = members[index].sharedState.pointee.threadPlacement.nanosecondsUnplaced(ofAll: time.ran)
            accounts[index] = ProcessWork.Account(ran: time.ran, waited: time.waited, unplaced: unplaced)
        }
    }

    /// The limits of work; nil without any.
    private func workTerms(unitCount: Int) -> ProcessWork.Terms? {
        let length = Double(sharedState.pointee.cycleNanoseconds.load(ordering: .relaxed))
        guard let share = policy.workShare, length > 0 else { return nil }
        // A unit that is in time renders for at most `lateShare` of the deadline. Its wake-up, and the host's
        // notice of it, come on top.
        let rendering = WorkBudget.Terms(share: policy.deadlineShare * ChainPolicy.lateShare + 0.1, most: 20e6 + length)
        let others = WorkBudget.Terms(
            share: share * Double(unitCount), most: Double(policy.workMilliseconds) * 1e6 * Double(unitCount))
        let spins = policy.waiting == .spin && policy.pipelineFrameCount == nil
        return ProcessWork.Terms(rendering: spins ? nil : rendering, others: others)
    }
}
