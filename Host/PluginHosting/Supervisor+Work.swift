// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Looks what processes work while nobody waits for them. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// What a process works that it may not, and which of its units, where that can be told.
    func reasonInWork(_ history: inout ProcessHistory, _ units: [Int], _ process: Int32) -> (fault: PluginFault, culprit: Int?)? {
        guard let worked = ProcessorTime.nanoseconds(ofProcess: process) else { return nil }
        let reading = WorkBudget.Reading(
            time: MonotonicClock.now(), worked: worked,
            awaited: core.pointee.awaitedNanoseconds.load(ordering: .relaxed))
        if let restless = history.restlessness.culprit(reading, { accounts(of: units, process) }) {
            return (.protocolViolation("its render thread did not sleep between two blocks"), restless)
        }
        guard let share = policy.workShare else { return nil }
        let unitCount = Double(history.indices.count)
        let most = Double(policy.workMilliseconds) * 1e6 * unitCount
        guard history.work.isSpent(reading, share: share * unitCount, mostNanoseconds: most) else { return nil }
        return (.outOfProcessorTime, units.count == 1 ? units[0] : nil)
    }

    private func accounts(of units: [Int], _ process: Int32) -> [Int: Restlessness.Account] {
        units.reduce(into: [:]) { accounts, index in
            guard let thread = members[index].unit.renderThread,
                let ran = ProcessorTime.nanoseconds(ofThread: thread, of: process)
            else { return }
            accounts[index] = Restlessness.Account(ran: ran, replacedBlockCount: members[index].replacedBlockCount)
        }
    }
}
