// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Passes the render thread's notices about units on. Supervisor.

import AudioUnits
import ControlMessages
import Wire

extension Supervisor {
    /// Reads the render thread's notices; returns the moment of a death, if there was one.
    @discardableResult
    func takeNotices(_ member: UnitResources) -> RenderMoment? {
        var death: RenderMoment?
        if member.sharedState.pointee.hasUntoldChanges.exchange(false, ordering: .relaxed) { member.unit.journal.touch() }
        for notice in member.unit.mailbox.takeNotices() {
            switch UnitNotice(rawValue: notice.kind) {
            case .died: death = (notice.address, notice.sampleTime)
            case .late:
                let fault: PluginFault = member.unit.isStopped ? .stopped : .late
                member.faults.append(fault, cycle: notice.address, sampleTime: notice.sampleTime)
            case .notANumber: append(.notANumber, notice, member)
            case .infinite: append(.infinite, notice, member)
            case .tooLoud: append(.tooLoud, notice, member)
            case .caughtUp, .recovered: member.faults.recovered(cycle: notice.address)
            case .invalidReply:
                append("a reply that does not fit the request", notice, member)
            case .unable: append(.refused, notice, member)
            case .invalidEvents:
                append("an event ring with an impossible counter", notice, member, isHeard: true)
            case .rangNobody: append("it answered without ringing", notice, member, isHeard: true)
            case nil: takeEvent(notice, member)
            }
        }
        return death
    }

    private func append(_ audio: InvalidAudio, _ notice: WireEvent, _ member: UnitResources) {
        member.faults.append(.invalidAudio(audio), cycle: notice.address, sampleTime: notice.sampleTime)
    }

    private func append(_ violation: String, _ notice: WireEvent, _ member: UnitResources, isHeard: Bool = false) {
        member.faults.append(
            .protocolViolation(violation), cycle: notice.address, sampleTime: notice.sampleTime,
            recoveredAfterCycles: isHeard ? 0 : nil)
    }

    private func takeEvent(_ event: WireEvent, _ member: UnitResources) {
        switch RenderEvent(event) {
        case .parameter(let change): member.unit.takeOwnChange(change)
        case .midi(let message):
            member.unit.mailbox.receive(ReceivedMIDI(message: message, sampleTime: event.sampleTime))
        case nil: break
        }
    }
}
