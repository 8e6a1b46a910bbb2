// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Looks what processes work besides rendering. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// What a process works that it may not, and which of its units, where that can be told.
    func reasonInWork(
        _ history: inout ProcessHistory, _ units: [Int], _ process: Int32
    ) -> (fault: PluginFault, culprit: Int?)? {
        guard let share = policy.workShare, let worked = ProcessorTime.nanoseconds(ofProcess: process) else { return nil }
        // Offline nobody listens meanwhile, and whoever renders may take its time.
        guard !words.pointee.isOffline.load(ordering: .relaxed) else {
            history.work = nil
            return nil
        }
        let reading = WorkReading(time: MonotonicClock.now(), cycleCount: cycle, worked: worked, units: accounts(of: units))
        defer { history.work = reading }
        let renderShare = min(1, policy.deadlineShare * ChainPolicy.lateShare)
        guard let last = history.work, let interval = WorkInterval(from: last, to: reading, renderShare: renderShare) else {
            return nil
        }
        if let restless = history.restlessness.culprit(of: interval, { processorTime(of: units, process) }) {
            return (.protocolViolation("its render thread did not sleep between two blocks"), restless)
        }
        let unitCount = Double(units.count)
        let most = Double(policy.workMilliseconds) * 1e6 * unitCount
        guard history.budget.isSpent(by: interval, share: share * unitCount, mostNanoseconds: most) else { return nil }
        return (.outOfProcessorTime, units.count == 1 ? units[0] : nil)
    }

    private func accounts(of units: [Int]) -> [Int: WorkReading.Unit] {
        units.reduce(into: [:]) { accounts, index in
            let words = members[index].words
            accounts[index] = WorkReading.Unit(
                rendered: words.pointee.renderedNanoseconds.load(ordering: .relaxed),
                replacedBlockCount: members[index].replacedBlockCount, isLate: words.pointee.awaitsSince != nil)
        }
    }

    private func processorTime(of units: [Int], _ process: Int32) -> [Int: UInt64] {
        units.reduce(into: [:]) { times, index in
            times[index] = members[index].unit.renderThread.flatMap { ProcessorTime.nanoseconds(ofThread: $0, of: process) }
        }
    }
}
