// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is wrong with a unit: how its process ended, and why it may not go on. Supervisor.

import Confinement
import Glibc
import LinuxSystem
import Synchronization

extension Supervisor {
    /// The fault of a process that has ended, or whose render threads the host has given up.
    ///
    /// `culprit` is the unit to blame; nil where it is unknown.
    func death(of units: [Int], wasEnded: Bool) -> (fault: PluginFault, culprit: Int?)? {
        guard let process = child(units) else { return nil }
        if let end = process.poll() { return judged(Self.fault(end, wasEnded), units) }
        let absent = units.filter { !members[$0].isPresent }
        guard !absent.isEmpty else { return nil }
        // The render thread died, and the process lives on or is just about to end.
        if let end = awaitEnd(of: process) { return judged(Self.fault(end, wasEnded), units) }
        let fault = PluginFault.protocolViolation("its render thread ended and its process did not")
        // The thread may have belonged to another unit, and have rendered the unit that ended it.
        let rendering = units.filter { members[$0].sharedState.pointee.diedInsideABlock }
        let culprits = rendering.count == 1 ? rendering : absent
        return (fault, culprits.count == 1 ? culprits[0] : nil)
    }

    /// Waits for 300 ms at most for a process to end, and serves forgotten deadlines meanwhile.
    private func awaitEnd(of process: ChildProcess) -> ProcessEnd? {
        for _ in 0..<15 {
            if let end = process.wait(milliseconds: 20) { return end }
            watched.ringIfForgotten()
        }
        return nil
    }

    /// The fault with the unit to blame.
    ///
    /// A unit alone in its process is always to blame. Among several it is the only one that was inside a
    /// block, if the cause came from within. SIGKILL comes from outside. The kernel tells neither which unit
    /// used up the memory nor which thread did not sleep.
    private func judged(_ fault: PluginFault, _ units: [Int]) -> (fault: PluginFault, culprit: Int?) {
        guard units.count > 1 else { return (fault, units.first) }
        let fromWithout: [PluginFault] = [SIGKILL, SIGTERM, SIGXCPU].map { .signalled(signal: $0) } + [.outOfMemory]
        guard !fromWithout.contains(fault) else { return (fault, nil) }
        let rendering = units.filter { members[$0].sharedState.pointee.diedInsideABlock }
        return (fault, rendering.count == 1 ? rendering[0] : nil)
    }

    /// The fault behind an end, kills for lack of memory included.
    private static func fault(_ end: ProcessEnd, _ wasEnded: Bool) -> PluginFault {
        end == .signalled(signal: SIGKILL) && !wasEnded && memoryKills.withLock { $0.claim() } ? .outOfMemory : PluginFault(end)
    }

    /// Counts kills for lack of memory now and then: those of other processes are no unit's fault.
    func noteMemoryKills() { Self.memoryKills.withLock { $0.lookNowAndThen() } }

    private static let memoryKills = Mutex(MemoryKills())

    /// Why units that are still present may not go on, and the unit to blame.
    func reasonToEnd(
        _ history: inout ProcessHistory, _ units: [Int], _ looks: Looks
    ) -> (fault: PluginFault, culprit: Int?)? {
        // A unit that could not be restarted has been ended already.
        let present = units.filter { members[$0].isPresent }
        guard !present.isEmpty, let process = child(present) else { return nil }
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
        let threadLimit = members[present[0]].unit.unitProcess?.threadLimit
        guard let fault = ResourceUse.exhaustion(of: process.identifier, threadLimit: threadLimit) else { return nil }
        return (fault, units.count == 1 ? units[0] : nil)
    }

    /// The unit for which something has lasted longest, if that is more than `milliseconds`.
    private func since(
        _ units: [Int], _ now: UInt64, _ milliseconds: Int, _ time: (UnsafeMutablePointer<UnitSharedState>) -> UInt64?
    ) -> Int? {
        let times = units.compactMap { index in time(members[index].sharedState).map { (index, $0) } }
        let longest = times.min { $0.1 < $1.1 }
        return longest.flatMap { now > $0.1 + UInt64(milliseconds) * 1_000_000 ? $0.0 : nil }
    }

    /// Ends each unit that has written in the doorbell of the next one; returns whether a unit seems to hang.
    ///
    /// A unit seems to hang, and its doorbell holds a number that the host did not put there: it may not know
    /// of its request. It cannot write there itself, so its predecessor has. That one is ended, and the unit is
    /// judged only from its next ring. The check begins at half the time, to find a predecessor that shows the
    /// right number now and then.
    func endMisleaders(_ processes: inout [ProcessHistory]) -> Bool {
        let patience = UInt64(policy.hangMilliseconds) * 500_000
        var seemsToHang = false
        for own in processes.indices {
            for index in processes[own].indices where index > 0 && members[index].isPresent && members[index - 1].isPresent {
                let sharedState = members[index].sharedState
                guard let since = sharedState.pointee.awaitsSince, MonotonicClock.now() > since + patience else { continue }
                seemsToHang = true
                guard members[index - 1].unit.unitProcess != nil,
                    let other = processes.firstIndex(where: { $0.indices.contains(index - 1) }), other != own,
                    processes[other].isWatched, sharedState.pointee.isMisled(awaitedSince: since)
                else { continue }
                sharedState.pointee.forgive(awaitedSince: since)
                let fault = PluginFault.protocolViolation("it wrote in the doorbell of the next unit")
                end(&processes[other], residents(processes[other]), fault, index - 1)
            }
        }
        return seemsToHang
    }

    /// Ends a process because of one of its units, or of all.
    func end(_ process: inout ProcessHistory, _ units: [Int], _ fault: PluginFault, _ culprit: Int?) {
        guard let child = child(units) else { return }
        report(fault, culprit, units, [:])
        process.wasEnded = true
        process.culprit = culprit
        _ = child.kill()
    }

    /// Reports a fault to each unit of a process.
    func report(_ fault: PluginFault, _ culprit: Int?, _ units: [Int], _ moments: [Int: RenderMoment]) {
        for index in units {
            let moment = moments[index] ?? (cycle, sampleTime)
            let companions = units.filter { $0 != index }.map(label)
            if let culprit, culprit != index {
                members[index].faults.append(
                    .wentDown(with: label(culprit)), cycle: moment.cycle, sampleTime: moment.sampleTime, companions)
            } else if !fault.isPassing {
                // Invalid audio was reported when it began.
                members[index].faults.append(fault, cycle: moment.cycle, sampleTime: moment.sampleTime, companions)
            }
        }
    }

    /// The unit's name, with its number where others of the chain share the name.
    private func label(_ index: Int) -> String {
        let name = members[index].unit.name
        return members.count { $0.unit.name == name } == 1 ? name : "\(name), number \(index + 1)"
    }
}
