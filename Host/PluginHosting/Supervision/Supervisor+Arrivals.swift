// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes in units that answer their allocation late, and ends those that do not. Supervisor.

import LinuxSystem
import Synchronization

extension Supervisor {
    /// Takes in the units of a process that have allocated in the meantime, one after the other; ends the process of one that failed to.
    func takeAllocations(_ process: inout ProcessHistory) {
        for member in process.members where process.restart == nil {
            switch member.takeAllocation() {
            case nil: break
            case .success?: takeIn(member, &process)
            case .failure(let error)?: answer(PluginFault(restart: error), of: member, &process)
            }
        }
    }

    /// Gives a unit to the render thread, on a thread of its own: the unit may take its time for the wiring, too.
    private func takeIn(_ member: UnitResources, _ process: inout ProcessHistory) {
        guard member.mayBeRestarted() else { return }
        process.joining = [member]
        process.restart = ProcessRestart(noticed: MonotonicClock.now(), member.monitor.moment) { [self] in
            member.sharedState.pointee.prepare()
            member.wireAnew()
            place([member])
            member.unit.resendSchedule()
            member.sharedState.pointee.offer()
            ringHost(of: [member])
            return .succeeded
        }
    }

    /// True if a process has ended while one of its units allocated there.
    ///
    /// The outcome follows at once. Before it, nothing tells whether that unit was to blame.
    func awaitsOutcome(of process: ProcessHistory) -> Bool {
        guard let child = child(residents(process)) else { return false }
        let isAllocating = process.members.contains { member in
            member.isAllocating && member.unit.state.withLock { $0.connection.process === child }
        }
        return isAllocating && child.poll() != nil
    }

    /// Answers the failure of an allocation as that of a restart: the unit is started again, unless it fails too often.
    private func answer(_ fault: PluginFault, of member: UnitResources, _ process: inout ProcessHistory) {
        let moment = member.monitor.moment
        // `end` and `report` expect that a fault that may pass has been reported.
        if fault.isPassing { member.faults.append(fault, cycle: moment.cycle, sampleTime: moment.sampleTime) }
        let child = member.unit.state.withLock { $0.connection.process }
        if let child, child.poll() == nil { return end(&process, residents(process), fault, member) }
        guard !fault.isShortage else {
            let now = MonotonicClock.now()
            process.shortSince = process.shortSince ?? now
            process.pending = ProcessHistory.PendingRestart(due: now, noticed: now, death: moment)
            return
        }
        if fault.isEndOfProcess, residents(process).count > 1 {
            // Another unit may have ended the process, whose death is judged as always.
            guard child !== self.child(residents(process).filter { $0 !== member }) else { return }
            // It was judged before this unit arrived, and the others live in a new process: the unit joins them there.
            report(fault, nil, [member], [:])
            process.returning.append(member)
            return
        }
        report(fault, member, residents(process), [:])
        // Its end is no further fault.
        (process.culprit, process.hasFailed) = (member, true)
    }
}

extension PluginFault {
    /// True if it is the end of a process that the host did not want.
    fileprivate var isEndOfProcess: Bool {
        switch self {
        case .exited, .signalled, .outOfMemory, .confinementViolation: true
        default: false
        }
    }
}
