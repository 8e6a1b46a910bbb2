// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Judges a unit: the end of its process, and reasons to end it. Supervisor.

import Confinement
import Glibc
import LinuxSystem
import Synchronization

extension Supervisor {
    /// The fault of a process that has ended, or whose render threads the host has given up.
    ///
    /// `culprit` is the unit to blame; nil if it is unknown.
    func death(of units: [UnitResources], _ history: inout ProcessHistory) -> (fault: PluginFault, culprit: UnitResources?)? {
        guard let process = child(units) else { return nil }
        if let end = process.poll() {
            history.absentSince = nil
            return judged(Self.fault(end, history.wasEnded), units)
        }
        let absent = units.filter { !$0.isPresent }
        guard !absent.isEmpty else { return nil }
        // The render thread died, and the process lives on or is just about to end.
        let since = history.absentSince ?? MonotonicClock.now()
        history.absentSince = since
        let waited = MonotonicClock.now() - since
        guard waited > Self.endingNanoseconds else { return nil }
        // A busy machine takes longer.
        if waited < Self.longestEndingNanoseconds, EndingProcess.isEnding(process.identifier) { return nil }
        history.absentSince = nil
        let fault = PluginFault.protocolViolation("its render thread ended and its process did not")
        // The thread may have belonged to another unit, and have rendered the unit that ended it.
        let rendering = units.filter { $0.sharedState.pointee.diedInsideABlock }
        let culprits = rendering.count == 1 ? rendering : absent
        return (fault, culprits.count == 1 ? culprits[0] : nil)
    }

    /// The nanoseconds that a process may take to end after the death of one of its render threads.
    private static var endingNanoseconds: UInt64 { 300_000_000 }
    /// The same for a process that the kernel is about to end.
    private static var longestEndingNanoseconds: UInt64 { 10_000_000_000 }

    /// The fault with the unit to blame.
    ///
    /// A lone unit in its process is always to blame. Among several it is the only one that was inside a block, if the cause came
    /// from within. SIGKILL comes from outside. The kernel tells neither which unit used up the memory nor which thread did not
    /// sleep.
    private func judged(_ fault: PluginFault, _ units: [UnitResources]) -> (fault: PluginFault, culprit: UnitResources?) {
        guard units.count > 1 else { return (fault, units.first) }
        let fromWithout: [PluginFault] = [SIGKILL, SIGTERM, SIGXCPU].map { .signalled(signal: $0) } + [.outOfMemory]
        guard !fromWithout.contains(fault) else { return (fault, nil) }
        let rendering = units.filter { $0.sharedState.pointee.diedInsideABlock }
        return (fault, rendering.count == 1 ? rendering[0] : nil)
    }

    /// The fault behind an end, kills for lack of memory included.
    private static func fault(_ end: ProcessEnd, _ wasEnded: Bool) -> PluginFault {
        end == .signalled(signal: SIGKILL) && !wasEnded && memoryKills.withLock { $0.claim() } ? .outOfMemory : PluginFault(end)
    }

    /// Counts kills for lack of memory regularly: those of other processes are no unit's fault.
    func noteMemoryKills() { Self.memoryKills.withLock { $0.lookNowAndThen() } }

    private static let memoryKills = Mutex(MemoryKills())

    /// The reason to end units that are still present, and the unit to blame.
    func reasonToEnd(
        _ history: inout ProcessHistory, _ units: [UnitResources], _ looks: LookRota.Looks
    ) -> (fault: PluginFault, culprit: UnitResources?)? {
        // A unit that could not be restarted has been ended already.
        let present = units.filter(\.isPresent)
        guard !present.isEmpty, let process = child(present) else { return nil }
        let policy = present[0].policy
        let now = MonotonicClock.now()
        if let longest = since(present, now, policy.hangMilliseconds, { $0.pointee.awaitsSince }) {
            return (.hung(milliseconds: policy.hangMilliseconds), longest)
        }
        let silent = since(present, now, 0) { $0.pointee.silentSince(longerThan: UInt64(policy.hangMilliseconds) * 1_000_000) }
        if let silent {
            return (.protocolViolation("it answered without ringing for \(policy.hangMilliseconds) ms"), silent)
        }
        let invalid = since(present, now, policy.invalidMilliseconds) { sharedState in
            let since = sharedState.pointee.invalidSince.load(ordering: .relaxed)
            return since == 0 ? nil : since
        }
        if let invalid { return (.invalidAudio(.notANumber), invalid) }
        if looks.atWork, let reason = reasonInWork(&history, units, process.identifier) { return reason }
        guard looks.atResources else { return nil }
        let threadLimit = present[0].unit.unitProcess?.threadLimit
        guard let fault = ResourceUse.exhaustion(of: process.identifier, threadLimit: threadLimit) else { return nil }
        return (fault, units.count == 1 ? units[0] : nil)
    }

    /// The unit with the earliest `time`, if that is more than `milliseconds` ago.
    private func since(
        _ units: [UnitResources], _ now: UInt64, _ milliseconds: Int, _ time: (UnsafeMutablePointer<UnitSharedState>) -> UInt64?
    ) -> UnitResources? {
        let times = units.compactMap { member in time(member.sharedState).map { (member, $0) } }
        let longest = times.min { $0.1 < $1.1 }
        return longest.flatMap { now > $0.1 + UInt64(milliseconds) * 1_000_000 ? $0.0 : nil }
    }

    /// Ends each unit that has written in the doorbell of the next one; true if a unit seems to hang.
    ///
    /// If a unit seems to hang and its doorbell holds a number that the host did not write, it may not know of its request. It
    /// cannot write there itself, so its predecessor has. The predecessor is ended, and the unit is judged only from its next
    /// ring. The check begins at half the time, to find a predecessor that shows the right number now and then.
    func endMisleaders(_ processes: inout [ProcessHistory]) -> Bool {
        var seemsToHang = false
        for own in processes.indices {
            for member in processes[own].members {
                guard let since = member.sharedState.pointee.awaitsSince,
                    MonotonicClock.now() > since + UInt64(member.policy.hangMilliseconds) * 500_000,
                    member.isPresent
                else { continue }
                seemsToHang = true
                guard let (ringer, doorbell, memory) = member.ringing, ringer.isPresent, ringer.unit.unitProcess != nil,
                    let other = processes.firstIndex(where: { $0.members.contains { $0 === ringer } }), other != own,
                    processes[other].isWatched,
                    withExtendedLifetime(memory, { member.sharedState.pointee.isMisled(awaitedSince: since, at: doorbell) })
                else { continue }
                member.sharedState.pointee.forgive(awaitedSince: since)
                let fault = PluginFault.protocolViolation("it wrote in the doorbell of the next unit")
                end(&processes[other], residents(processes[other]), fault, ringer)
            }
        }
        return seemsToHang
    }

    /// Ends a process because of one of its units, or of all.
    func end(_ process: inout ProcessHistory, _ units: [UnitResources], _ fault: PluginFault, _ culprit: UnitResources?) {
        guard let child = child(units) else { return }
        report(fault, culprit, units, [:])
        process.wasEnded = true
        process.culprit = culprit
        _ = child.kill()
    }

    /// Reports a death that the render thread noticed in the last cycles, before units of the process leave.
    func reportLastDeath(_ process: inout ProcessHistory) {
        guard process.pending == nil, process.restart == nil, !process.wasEnded, !process.hasFailed else { return }
        for member in process.members where !member.isQuarantined {
            if let moment = takeNotices(member) { process.moments[member.number] = moment }
        }
        let units = residents(process)
        var found = process.death.map { ($0.fault, $0.culprit) }
        // The process may be ending only now. The loop ends, because a thread that dies alone is a fault of its own after a
        // while.
        while found == nil, child(units) != nil, units.contains(where: { !$0.isPresent }) {
            found = death(of: units, &process)
            if found == nil { Futex.pause(microseconds: 1000) }
        }
        process.death = nil
        guard let (fault, culprit) = found else { return }
        report(fault, culprit, units, process.moments)
        // Units that stay get the report only once.
        (process.wasEnded, process.culprit) = (true, culprit)
    }

    /// Reports a fault to each unit of a process; `moments` are by the units' numbers.
    func report(_ fault: PluginFault, _ culprit: UnitResources?, _ units: [UnitResources], _ moments: [Int: RenderMoment]) {
        for member in units {
            let moment = moments[member.number] ?? member.monitor.moment
            let companions = units.filter { $0 !== member }.map(label)
            if let culprit, culprit !== member {
                member.faults.append(
                    .wentDown(with: label(culprit)), cycle: moment.cycle, sampleTime: moment.sampleTime, companions)
            } else if !fault.isPassing {
                // Invalid audio was reported when it began.
                member.faults.append(fault, cycle: moment.cycle, sampleTime: moment.sampleTime, companions)
            }
        }
    }

    /// The unit's name, with its number if others share the name.
    private func label(_ member: UnitResources) -> String {
        let (name, members) = (member.unit.name, members)
        guard members.count(where: { $0.unit.name == name }) > 1, let index = members.firstIndex(where: { $0 === member }) else {
            return name
        }
        return "\(name), number \(index + 1)"
    }
}
