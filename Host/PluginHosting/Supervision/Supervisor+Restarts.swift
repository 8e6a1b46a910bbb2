// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Restarts units that died, at once or later, until they have died too often. Supervisor.

import AudioFormats
import AudioUnits
import ControlMessages
import LinuxSystem
import Rendering
import Synchronization

extension Supervisor {
    /// Restarts the units of a process after they have been withdrawn, unless they have died too often.
    func answer(_ process: inout ProcessHistory, _ units: [UnitResources], _ death: ProcessHistory.Death) {
        let (noticed, culprit) = (death.noticed, death.culprit)
        var moments = process.moments
        for member in units { if let moment = takeNotices(member) { moments[member.number] = moment } }
        // The failure of a restart has been reported, and so has the reason for ending a process.
        if !process.hasFailed, !process.wasEnded { report(death.fault, culprit, units, moments) }
        process.culprits.append(culprit)
        let moment =
            culprit.flatMap { moments[$0.number] } ?? units.lazy.compactMap { moments[$0.number] }.first ?? units[0].monitor.moment
        switch process.schedule.answer(deathAfter: renderedNanoseconds(units), isFailure: process.hasFailed, units[0].policy) {
        case .quarantine(let deaths): quarantine(&process, units, ofLast: deaths, noticed, moment)
        case .restart(0): begin(&process, units, noticed, moment)
        case .restart(let pause):
            process.pending = ProcessHistory.PendingRestart(due: noticed + pause, noticed: noticed, death: moment)
        }
    }

    /// The nanoseconds of audio that the units of a process have rendered so far.
    private func renderedNanoseconds(_ units: [UnitResources]) -> UInt64 {
        let frames = units.map { $0.sharedState.pointee.renderedFrameCount.load(ordering: .relaxed) }.max() ?? 0
        return units.first.map { UInt64(max(0, Int(nearestFrame: Double(frames) / $0.wiring.format.sampleRate * 1e9))) } ?? 0
    }

    /// Puts units in quarantine, where their input is passed on.
    ///
    /// The unit to blame goes alone if it is known, and the others are restarted without it; otherwise all units go.
    private func quarantine(
        _ process: inout ProcessHistory, _ units: [UnitResources], ofLast deaths: Int, _ noticed: UInt64, _ death: RenderMoment
    ) {
        _ = child(units)?.kill()
        let worst = process.worst(ofLast: deaths)
        for member in units where worst == nil || worst === member { leaveAlone(member) }
        ringHost(of: units)
        let others = activeUnits(process)
        guard !others.isEmpty else { return }
        process.forgive()
        begin(&process, others, noticed, death)
    }

    private func leaveAlone(_ member: UnitResources) {
        member.isQuarantined = true
        member.sharedState.pointee.isGivenUp.store(true, ordering: .releasing)
    }

    /// Takes a unit out of quarantine, and forgets its deaths.
    func readmit(_ member: UnitResources, _ process: inout ProcessHistory) {
        guard member.isQuarantined else { return }
        process.forgive()
        process.hasFailed = false
        process.returning.append(member)
        member.isQuarantined = false
        member.sharedState.pointee.isGivenUp.store(false, ordering: .releasing)
    }

    /// Starts the units that have been readmitted.
    func bringBack(_ process: inout ProcessHistory) {
        let units = process.returning
        process.returning = []
        begin(&process, units, MonotonicClock.now(), units[0].monitor.moment)
    }

    private func begin(_ process: inout ProcessHistory, _ units: [UnitResources], _ noticed: UInt64, _ death: RenderMoment) {
        process.pending = nil
        // Readmitted units join the others, if these are present.
        let isAnew = activeUnits(process).allSatisfy { one in !one.isPresent || units.contains { $0 === one } }
        let all = (isAnew ? activeUnits(process) : units).filter { $0.mayBeRestarted() }
        process.returning = []
        // All of them are about to leave. Until they have left, their end is no news.
        guard !all.isEmpty else {
            process.pending = ProcessHistory.PendingRestart(due: noticed, noticed: noticed, death: death)
            return
        }
        process.joining = isAnew ? [] : units
        let isReported = process.shortSince != nil
        process.restart = ProcessRestart(noticed: noticed, death) { [self] in
            restart(all, isAnew: isAnew, noticed, death, shortageIsReported: isReported)
        }
    }

    /// Ends a complete restart and begins a due one; true if no restart is under way or pending.
    func hasSettled(_ process: inout ProcessHistory) -> Bool {
        if let pending = process.pending {
            if MonotonicClock.now() >= pending.due {
                begin(&process, activeUnits(process), pending.noticed, pending.death)
            }
            return false
        }
        guard let restart = process.restart else { return true }
        guard restart.isComplete else { return false }
        restart.join()
        process.restart = nil
        for member in process.members { member.isBeingRestarted.store(false, ordering: .sequentiallyConsistent) }
        var failure: UnitResources?
        switch restart.outcome {
        case .succeeded: process.shortSince = nil
        case .failed(let member): (failure, process.shortSince) = (member, nil)
        case .lackedResources:
            let now = MonotonicClock.now()
            let since = process.shortSince ?? now
            process.shortSince = since
            if now - since < Self.longestShortage {
                process.pending = ProcessHistory.PendingRestart(
                    due: now + Self.shortagePause, noticed: restart.noticed, death: restart.death)
                return false
            }
            // Offline the host would wait for ever.
            (failure, process.shortSince) = (activeUnits(process).first, nil)
        }
        // The process was ended while units were joining it: that has been reported, with the unit to blame.
        if !process.wasEnded { process.culprit = failure }
        process.hasFailed = failure != nil
        return true
    }

    /// The pause before the next try while the machine has too little left, in nanoseconds.
    private static var shortagePause: UInt64 { 250_000_000 }
    /// The time after which a shortage counts as a failure of the plug-in, in nanoseconds.
    private static var longestShortage: UInt64 { 60_000_000_000 }

    /// Restarts units, and gives them to the render thread once all are ready.
    ///
    /// A shortage of the machine is no fault of a plug-in, and is reported once. On a thread of its own.
    private func restart(
        _ units: [UnitResources], isAnew: Bool, _ noticed: UInt64, _ death: RenderMoment, shortageIsReported: Bool
    ) -> ProcessRestart.Outcome {
        if isAnew { units[0].unit.unitProcess?.end() }
        // A unit whose process has ended answers at once.
        for member in units { member.awaitAllocation() }
        // Changes that come due while the process starts are sent to it as well.
        let states = units.map { restorableState(of: $0, holdingSchedule: true) }
        defer { for member in units { member.unit.scheduled.release() } }
        let files = readableFiles(of: units[0].unit.unitProcess)
        var started: [UnitResources] = []
        for (member, state) in zip(units, states) {
            do throws(HostingError) {
                let mustJoin = !isAnew || !started.isEmpty
                try member.unit.restart(member.wiring, state, reading: files, mustJoin: mustJoin)
                member.sharedState.pointee.prepare()
                member.wireAnew()
                member.resendValuesAfterMIDI()
                started.append(member)
            } catch {
                let fault = PluginFault(restart: error)
                if !shortageIsReported || !fault.isShortage {
                    member.faults.append(fault, cycle: death.cycle, sampleTime: death.sampleTime)
                }
                guard isAnew else {
                    // The units that have lived there meanwhile are not to blame.
                    leaveAlone(member)
                    continue
                }
                member.unit.unitProcess?.end()
                return fault.isShortage ? .lackedResources : .failed(member)
            }
        }
        place(started)
        for member in started {
            member.faults.restarted(afterMilliseconds: Double(MonotonicClock.now() - noticed) / 1e6)
            member.unit.resendSchedule()
            member.sharedState.pointee.offer()
        }
        // Offline the host waits for them.
        ringHost(of: units)
        return .succeeded
    }

    /// Gives the render threads of units their seats, if their rows have been placed.
    package func place(_ units: [UnitResources]) {
        for member in units where member.seat.withLock({ $0 != nil }) { member.allowLongestBlock() }
        threadPlacements.seat(units, among: members)
    }

    /// Makes the render threads check these units again.
    func ringHost(of units: [UnitResources]) {
        var rung: [RowMonitor] = []
        for monitor in units.flatMap(\.monitors) where !rung.contains(where: { $0 === monitor }) {
            monitor.sharedState.pointee.ringHost()
            rung.append(monitor)
        }
    }

    /// The files that the units of a process may read, quarantined units included.
    ///
    /// The process cannot get more later.
    private func readableFiles(of process: UnitProcess?) -> Set<ExactPath> {
        members.filter { $0.unit.unitProcess === process }.reduce(into: []) { files, member in
            files.formUnion(member.unit.ownFiles(in: restorableState(of: member).state.texts))
        }
    }

    /// Takes units from the render thread, which releases them within a cycle; false after 50 ms.
    ///
    /// Offline the render thread may be waiting for another process, which must be ended first.
    func withdraw(_ units: [UnitResources]) -> Bool {
        for member in units { member.sharedState.pointee.processEnded.store(true, ordering: .releasing) }
        ringHost(of: units)
        let deadline = MonotonicClock.now() + Self.withdrawalNanoseconds
        for member in units {
            while !member.sharedState.pointee.withdraw() {
                guard MonotonicClock.now() < deadline else { return false }
                Futex.pause(microseconds: 100)
            }
        }
        return true
    }

    private static var withdrawalNanoseconds: UInt64 { 50_000_000 }

    /// The state to restore: the host's knowledge, and the present values of automation.
    private func restorableState(of member: UnitResources, holdingSchedule: Bool = false) -> RestorableState {
        var restorable = member.unit.restorableState(holdingSchedule: holdingSchedule)
        let sampleTime = member.sharedState.pointee.nextSampleTime.load(ordering: .relaxed)
        for lane in member.lanes {
            guard let value = lane.value(at: sampleTime) else { continue }
            restorable.changes.append(ParameterSetting(address: lane.address, value: value))
        }
        return restorable
    }
}
