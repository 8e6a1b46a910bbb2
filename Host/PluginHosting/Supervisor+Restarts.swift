// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Brings back units that died, sooner or later, until they have died too often. Supervisor.

import AudioUnits
import ControlMessages
import LinuxSystem
import Rendering
import Synchronization

extension Supervisor {
    /// Takes the unit from the render thread, and has it start anew, unless it has died too often.
    func answer(_ fault: PluginFault, _ member: ChainMember, _ index: Int, _ history: inout UnitHistory) {
        let noticed = MonotonicClock.now()
        withdraw(member)
        let death = takeNotices(member) ?? history.moment ?? (cycle, sampleTime)
        // What a restart failed of has been said then, and why a unit was ended when it was.
        if !history.hasFailed, !history.wasEnded {
            member.faults.append(fault, cycle: death.cycle, sampleTime: death.sampleTime)
        }
        schedule(member, index, &history, noticed, death)
    }

    private func schedule(
        _ member: ChainMember, _ index: Int, _ history: inout UnitHistory, _ noticed: UInt64, _ death: RenderMoment
    ) {
        switch history.schedule.answer(deathAt: noticed, policy) {
        case .quarantine: quarantine(member)
        case .restart(0): begin(member, index, &history, noticed, death)
        case .restart(let pause):
            history.pending = UnitHistory.PendingRestart(due: noticed + pause, noticed: noticed, death: death)
        }
    }

    /// Leaves the unit alone: what goes into it is passed on.
    private func quarantine(_ member: ChainMember) {
        _ = member.unit.state.withLock { $0.connection.process }?.kill()
        member.isQuarantined = true
        member.renderer.pointee.isGivenUp.store(true, ordering: .releasing)
        core.pointee.ringHost()
    }

    /// Takes a unit out of quarantine. What it did before is forgiven.
    func readmit(_ member: ChainMember, _ index: Int, _ history: inout UnitHistory) {
        guard member.isQuarantined else { return }
        history = UnitHistory()
        member.isQuarantined = false
        member.renderer.pointee.isGivenUp.store(false, ordering: .releasing)
        begin(member, index, &history, MonotonicClock.now(), (cycle, sampleTime))
    }

    private func begin(
        _ member: ChainMember, _ index: Int, _ history: inout UnitHistory, _ noticed: UInt64, _ death: RenderMoment
    ) {
        history.pending = nil
        history.restart = UnitRestart { [self] in restart(member, index, noticed, death) }
    }

    /// Whether no restart is under way or to come; one that is over is put away, and one whose time has come begun.
    func hasSettled(_ member: ChainMember, _ index: Int, _ history: inout UnitHistory) -> Bool {
        if let pending = history.pending {
            if MonotonicClock.now() >= pending.due { begin(member, index, &history, pending.noticed, pending.death) }
            return false
        }
        guard let restart = history.restart else { return true }
        guard restart.isComplete else { return false }
        restart.join()
        history.hasFailed = !restart.hasSucceeded
        history.restart = nil
        return true
    }

    /// Starts a unit anew, and gives it to the render thread; whether that went well. A thread of its own.
    private func restart(_ member: ChainMember, _ index: Int, _ noticed: UInt64, _ death: RenderMoment) -> Bool {
        placement.withLock { $0?.leaveProcessor() }
        do throws(HostingError) {
            let region = try member.unit.restart(member.wiring, restorableState(of: member))
            member.renderer.pointee.prepare(region: region, isFresh: false)
            Placement.apply(placement.withLock { $0 }, to: member, index)
            member.faults.restarted(afterMilliseconds: Double(MonotonicClock.now() - noticed) / 1e6)
            // Release: the region and the renderer are ready for the render thread.
            member.renderer.pointee.availability.store(UnitAvailability.ready.rawValue, ordering: .releasing)
            // Offline it is waited for.
            core.pointee.ringHost()
            return true
        } catch {
            member.faults.append(PluginFault(restart: error), cycle: death.cycle, sampleTime: death.sampleTime)
            return false
        }
    }

    /// Waits until the render thread has let go of the unit; it does so within a cycle.
    private func withdraw(_ member: ChainMember) {
        member.renderer.pointee.processEnded.store(true, ordering: .releasing)
        core.pointee.ringHost()
        while true {
            // Between cycles nobody uses the unit, and it can be taken.
            let taken = member.renderer.pointee.availability.compareExchange(
                expected: UnitAvailability.ready.rawValue, desired: UnitAvailability.absent.rawValue,
                ordering: .acquiringAndReleasing)
            if taken.exchanged || taken.original == UnitAvailability.absent.rawValue { return }
            Futex.pause(microseconds: 100)
        }
    }

    /// What the unit has to be given: the state that the host knows, and where automation stands.
    private func restorableState(of member: ChainMember) -> RestorableState {
        var restorable = member.unit.restorableState
        let sampleTime = sampleTime
        for lane in member.automation {
            guard let value = lane.value(at: sampleTime) else { continue }
            restorable.changes.append(ParameterSetting(address: lane.address, value: value))
        }
        return restorable
    }
}
