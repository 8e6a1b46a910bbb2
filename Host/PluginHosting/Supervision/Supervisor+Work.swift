// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Looks what processes work, and takes the seats of render threads that do not sleep. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// Looks what a process works; why it may not go on, and which unit's fault that is, where that can be told.
    func reasonInWork(
        _ history: inout ProcessHistory, _ units: [Int], _ process: Int32
    ) -> (fault: PluginFault, culprit: Int?)? {
        // Offline nobody listens meanwhile, and whoever renders may take all the time that there is.
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

    /// Nil where there are no limits.
    private func workTerms(unitCount: Int) -> ProcessWork.Terms? {
        let length = Double(sharedState.pointee.cycleNanoseconds.load(ordering: .relaxed))
        guard let share = policy.workShare, length > 0 else { return nil }
        // A unit that is in time renders for `lateShare` of the deadline at most; what it takes to wake up, and to find out, comes
        // on top.
        let rendering = WorkBudget.Terms(share: policy.deadlineShare * ChainPolicy.lateShare + 0.1, most: 20e6 + length)
        let others = WorkBudget.Terms(
            share: share * Double(unitCount), most: Double(policy.workMilliseconds) * 1e6 * Double(unitCount))
        let spins = policy.waiting == .spin && policy.pipelineFrameCount == nil
        return ProcessWork.Terms(rendering: spins ? nil : rendering, others: others)
    }
}
