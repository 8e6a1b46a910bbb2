// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Setting and scheduling parameters, sending MIDI. Control threads.

import AudioUnits
import ControlMessages
import Synchronization
import Wire

extension HostedUnit {
    /// The time that means "as soon as possible".
    static let now = Int64.min

    /// Sets a parameter by its key path. While rendering it takes effect at the next block.
    ///
    /// Observers of `values` are told, except the one that `originator` names.
    public func set(
        _ keyPath: String, to value: Double, originator: ParameterObserverToken? = nil
    ) throws(HostingError) {
        let address = try settableAddress(keyPath)
        do throws(UnitError) {
            try values.set(address, to: value, originator: originator)
        } catch {
            throw .refused(unit: name, act: "set \(keyPath) of", cause: error)
        }
        // Before it is sent: a snapshot that misses it must find it in the journal.
        journal.record(address, value)
        if lifecycleState == .instantiated {
            let setting = ParameterSetting(address: address, value: value)
            _ = try ask(.setParameters([setting]), act: "set \(keyPath) of")
        } else {
            let change = ParameterChange(address: address, value: value)
            // Nobody takes what waits while nothing is played. What finds no room follows when there is some.
            if !mailbox.send(RenderEvent.parameter(change).wireEvent(at: Self.now)) {
                hasUnsentValues.store(true, ordering: .releasing)
            }
        }
    }

    /// Sends the values that found no room, once everything before them has been taken. Supervisor.
    func sendMissedValues() {
        guard hasUnsentValues.load(ordering: .acquiring), !mailbox.hasPendingCommands else { return }
        hasUnsentValues.store(false, ordering: .releasing)
        for keyPath in knownState.values.keys { resend(keyPath) }
    }

    /// Has a parameter reach a value over `rampFrameCount` frames from `sampleTime` on.
    ///
    /// Observers of `values` are told at once, except the one that `originator` names.
    public func schedule(
        _ keyPath: String, to value: Double, at sampleTime: Int64, rampFrameCount: UInt32 = 0,
        originator: ParameterObserverToken? = nil
    ) throws(HostingError) {
        let address = try settableAddress(keyPath)
        try checkRange(keyPath, value)
        journal.record(address, value)
        try send(
            .parameter(ParameterChange(address: address, value: value, rampFrameCount: rampFrameCount)), at: sampleTime)
        try? values.set(address, to: value, originator: originator)
    }

    /// Sends a MIDI message, as soon as possible or at a sample time.
    public func send(_ message: MIDIMessage, at sampleTime: Int64? = nil) throws(HostingError) {
        // A unit may map controllers and programs to anything.
        journal.touch()
        try send(.midi(message), at: sampleTime ?? Self.now)
    }

    /// The MIDI messages that the unit sent since the last call, in the order of its blocks; the newest 4096.
    ///
    /// They arrive some milliseconds after their block was rendered, while the unit is part of a chain.
    public func takeMIDI() -> [ReceivedMIDI] { mailbox.takeMIDI() }

    /// Throws unless `value` lies in the parameter's range.
    public func checkRange(_ keyPath: String, _ value: Double) throws(HostingError) {
        guard let parameter = parameters[keyPath: keyPath], !parameter.range.contains(value) else { return }
        let error = UnitError.valueOutOfRange(parameter: keyPath, value: value, range: parameter.range)
        throw .refused(unit: name, act: "set \(keyPath) of", cause: error)
    }

    /// The address of a parameter that can be set. A misspelt key path is answered with the nearest ones.
    public func settableAddress(_ keyPath: String) throws(HostingError) -> UInt64 {
        guard let parameter = parameters[keyPath: keyPath] else {
            let nearest = NearestNames.among(parameters.parameters.map(\.keyPath), to: keyPath)
            let all = parameters.parameters.prefix(12).map(\.keyPath)
            let hint =
                nearest.isEmpty ? "it has \(all.joined(separator: ", "))" : "did you mean \(nearest.joined(separator: " or "))?"
            throw .refused(unit: name, act: "set \(keyPath) of", cause: .unknownParameter(keyPath), hint: hint)
        }
        guard parameter.flags.isDisjoint(with: [.readOnly, .meter]) else {
            throw .refused(unit: name, act: "set \(keyPath) of", cause: .readOnlyParameter(keyPath))
        }
        return parameter.address
    }

    /// The unit itself has changed a value. Supervisor.
    func takeOwnChange(_ change: ParameterChange) {
        try? values.set(change.address, to: change.value)
        guard let parameter = parameters[address: change.address], parameter.flags.isDisjoint(with: [.readOnly, .meter]),
            parameter.range.contains(change.value)
        else { return }
        journal.record(change.address, change.value)
    }

    private func send(_ event: RenderEvent, at sampleTime: Int64) throws(HostingError) {
        if mailbox.send(event.wireEvent(at: sampleTime)) { return }
        throw .refused(unit: name, act: "send an event to", cause: .failed("too many are waiting to be rendered"))
    }
}
