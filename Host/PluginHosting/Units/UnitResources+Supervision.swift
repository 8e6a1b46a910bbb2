// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypass, quarantine and return of a unit with resources. Any thread.

import AudioFormats
import LinuxSystem
import Synchronization

extension UnitResources {
    /// Lets the render thread, which may have a real-time rank, run for the length of its longest block.
    func allowLongestBlock() {
        guard let process = unit.processIdentifier else { return }
        let seconds = Double(wiring.format.maximumFrameCount) / wiring.format.sampleRate
        ProcessLimits.raise(realtimeMicroseconds: UInt64(max(0, Int(nearestFrame: seconds * 1e6))), to: process)
    }

    /// True if the input passes through, delayed by the latency; a change is faded.
    package var isBypassed: Bool {
        get { sharedState.pointee.isBypassed.load(ordering: .relaxed) }
        set {
            let wasBypassed = sharedState.pointee.isBypassed.exchange(newValue, ordering: .relaxed)
            if newValue != wasBypassed { bypassChanges.add(1, ordering: .relaxed) }
        }
    }

    /// The number of changes to the unit's state and bypass that the host knows of.
    package var stateRevision: Int { unit.journal.revision + bypassRevision }

    /// The number of changes of `isBypassed`.
    var bypassRevision: Int { bypassChanges.load(ordering: .relaxed) }

    /// True if the unit can render; false from its death until its return.
    package var isPresent: Bool { sharedState.pointee.isPresent }

    /// True if the unit died too often, and stays bypassed until `readmit`.
    package internal(set) var isQuarantined: Bool {
        get { quarantined.load(ordering: .relaxed) }
        set { quarantined.store(newValue, ordering: .relaxed) }
    }

    /// Starts a quarantined unit again, as if it had never died.
    package func readmit() {
        mustReturn.store(true, ordering: .relaxed)
        supervisor.wakeUp.ring()
    }

    /// True if the unit gives the supervisor nothing to do.
    var isCalm: Bool {
        let state = sharedState
        return isPresent && !isQuarantined && !mustReturn.load(ordering: .relaxed)
            && state.pointee.outstandingSince.load(ordering: .relaxed) == 0
            && state.pointee.invalidSince.load(ordering: .relaxed) == 0
            && state.pointee.silentUntil.load(ordering: .relaxed) == 0
            && !state.pointee.hasUntoldChanges.load(ordering: .relaxed)
            && !unit.hasUnsentValues.load(ordering: .relaxed) && !unit.mailbox.hasNotices && unit.scheduled.isEmpty
    }

    /// True if `readmit` was called since the last call.
    func takeReadmission() -> Bool { mustReturn.exchange(false, ordering: .relaxed) }

    /// Sends a new process the values of parameters that come after the unit's MIDI state: a program may be a parameter that was set last.
    func resendValuesAfterMIDI() {
        guard !unit.port.stateMessages.isEmpty else { return }
        unit.resendValues(except: Set(lanes.compactMap { unit.parameters.keyPath(ofAddress: $0.address) }))
    }
}
