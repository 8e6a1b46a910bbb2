// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets and schedules parameters, and sends MIDI. Control threads.

import AudioFormats
import AudioUnits
import ControlMessages
import Synchronization
import Wire

extension HostedUnit {
    /// The time that means "as soon as possible".
    static let now = Int64.min

    /// Sets a parameter by its key path.
    ///
    /// During rendering it takes effect at the next block.
    ///
    /// The call informs the observers of `values`, except the one that `originator` names. `[control]`
    package func set(
        _ keyPath: String, to value: Double, originator: ParameterObserverToken? = nil
    ) throws(HostingError) {
        try set([(try settableParameter(keyPath), value)], originator: originator)
    }

    /// Sets several parameters at once: all of them, or none if one is refused.
    ///
    /// A unit that does not render is asked once for all of them. During rendering it reaches the values over `rampFrameCount`
    /// frames, and `values` has them at once. The call informs observers as `set(_:to:)`. `[control]`
    package func set(
        _ changes: [(parameter: Parameter, value: Double)], originator: ParameterObserverToken? = nil, rampFrameCount: UInt32 = 0
    ) throws(HostingError) {
        for change in changes {
            guard parameters[address: change.parameter.address] == change.parameter else {
                throw .refused(
                    unit: name, act: "set \(change.parameter.identifier) of",
                    cause: .unknownParameter(change.parameter.identifier))
            }
            try checkRange(change.parameter, change.value)
        }
        settleSchedule()
        let wasIdle = lifecycleState == .instantiated
        if wasIdle { try ask(for: changes) }
        for change in changes {
            // The value has been checked.
            try? values.set(change.parameter.address, to: change.value, originator: originator)
            // Before it is sent: a snapshot that misses it must find it in the journal.
            journal.record(change.parameter.address, change.value)
        }
        guard lifecycleState != .instantiated else {
            // It may have lost its resources meanwhile, and with them the events for the render thread.
            if !wasIdle { try ask(for: changes) }
            return
        }
        for change in changes {
            let event = RenderEvent.parameter(
                ParameterChange(
                    address: change.parameter.address, value: change.value,
                    rampFrameCount: change.parameter.flags.contains(.canRamp) ? rampFrameCount : 0))
            // The render thread takes nothing while nothing is played. Values without room follow when there is some.
            if !mailbox.send(event.wireEvent(at: Self.now)) { hasUnsentValues.store(true, ordering: .releasing) }
        }
    }

    /// Makes a unit without resources take values, in as few messages as they need.
    private func ask(for changes: [(parameter: Parameter, value: Double)]) throws(HostingError) {
        let named = changes.prefix(3).compactMap { parameters.keyPath(ofAddress: $0.parameter.address) }
        let act = "set \(named.joined(separator: ", "))\(changes.count > named.count ? ", …" : "") of"
        var rest = changes.map { ParameterSetting(address: $0.parameter.address, value: $0.value) }[...]
        while !rest.isEmpty {
            _ = try ask(.setParameters(Array(rest.prefix(Self.changesInMessage))), act: act)
            rest = rest.dropFirst(Self.changesInMessage)
        }
    }

    /// Sends the values that found no room, once the render thread has taken everything before them.
    ///
    /// Supervisor.
    func sendMissedValues() {
        guard hasUnsentValues.load(ordering: .acquiring), !mailbox.hasPendingCommands else { return }
        hasUnsentValues.store(false, ordering: .releasing)
        for keyPath in knownState.values.keys { resend(keyPath) }
        resendSchedule()
    }

    /// Lets a parameter reach a value over `rampFrameCount` frames from `sampleTime` on.
    ///
    /// `values` changes when that time has been rendered. Then its observers are informed, except the one that `originator`
    /// names. A unit that dies before gets the change again. Throws if too many changes wait. `[control]`
    package func schedule(
        _ keyPath: String, to value: Double, at sampleTime: Int64, rampFrameCount: UInt32 = 0,
        originator: ParameterObserverToken? = nil
    ) throws(HostingError) {
        let parameter = try settableParameter(keyPath)
        try checkRange(parameter, value)
        let change = ScheduledChanges.Change(
            change: ParameterChange(address: parameter.address, value: value, rampFrameCount: rampFrameCount),
            sampleTime: sampleTime, originator: originator)
        guard scheduled.add(change, ifSent: { mailbox.send($0.wireEvent) }) else { throw tooManyEvents }
    }

    /// Moves the scheduled changes that are due into the journal, and then into `values`.
    ///
    /// With `holding` nothing comes due from then on: a process that replaces the present one is sent all of it again.
    func settleSchedule(holding: Bool = false) {
        let due = scheduled.takeDue(holding: holding) { journal.record($0.change.address, $0.change.value) }
        for it in due {
            put(it.change.address, it.change.value, originator: it.originator)
            // Another thread may have set a later value meanwhile.
            if let last = journal.lastValue(of: it.change.address), last != it.change.value { put(it.change.address, last) }
        }
    }

    /// Sends all scheduled changes again: the process that received them is gone.
    func resendSchedule() {
        if !scheduled.resend({ mailbox.send($0.wireEvent) }) { hasUnsentValues.store(true, ordering: .releasing) }
    }

    /// Sends a MIDI message, as soon as possible or at a sample time.
    package func send(_ message: MIDIMessage, at sampleTime: Int64? = nil) throws(HostingError) {
        // A unit may map controllers and programs to anything.
        journal.touch()
        try send(.midi(message), at: sampleTime ?? Self.now)
    }

    /// Sends MIDI messages as soon as possible, with no other message between them: all, or none if there is no room.
    func send(all messages: [MIDIMessage]) throws(HostingError) {
        journal.touch()
        let events = messages.map { RenderEvent.midi($0).wireEvent(at: Self.now) }
        guard mailbox.send(all: events) else { throw tooManyEvents }
    }

    /// Takes the MIDI messages that the unit sent since the last call, in the order of its blocks; the newest 4096.
    ///
    /// They arrive some milliseconds after their block was rendered, while the unit is part of a row.
    package func takeMIDI() -> [ReceivedMIDI] { mailbox.takeMIDI() }

    /// Throws unless the parameter takes `value`, at this sample rate in hertz or at the known one.
    func checkRange(_ parameter: Parameter, _ value: Double, sampleRate: Double? = nil) throws(HostingError) {
        let rate = sampleRate ?? self.sampleRate
        let accepted = parameter.accepted(sampleRate: rate)
        guard !accepted.contains(value) else { return }
        let keyPath = parameters.keyPath(ofAddress: parameter.address) ?? parameter.identifier
        let error = UnitError.valueOutOfRange(parameter: keyPath, value: value, range: accepted)
        let hint = parameter.followsSampleRate ? rate.map { "that is its range at \(Int(nearestFrame: $0)) Hz" } ?? "" : ""
        throw .refused(unit: name, act: "set \(keyPath) of", cause: error, hint: hint)
    }

    /// The sample rate in hertz at which ranges are checked; nil until it is known.
    package var sampleRate: Double? { state.withLock { $0.sampleRate } }

    /// Checks ranges from now on for the unit's future sample rate in hertz.
    package func expect(sampleRate: Double) { state.withLock { $0.sampleRate = sampleRate } }

    /// Reads the values of parameters that follow the sample rate, which the unit has just received.
    func learnValuesAtRate() {
        guard parameters.parameters.contains(where: { $0.parameter.followsSampleRate }) else { return }
        // A unit that cannot answer now is asked again for its next snapshot.
        _ = try? saveState()
    }

    /// The parameter at a key path, if it can be set.
    ///
    /// For a misspelt key path the error has the nearest ones.
    package func settableParameter(_ keyPath: String) throws(HostingError) -> Parameter {
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
        return parameter
    }

    /// Takes a value that the unit itself has changed.
    ///
    /// Supervisor.
    func takeOwnChange(_ change: ParameterChange) {
        put(change.address, change.value)
        guard let parameter = parameters[address: change.address], parameter.flags.isDisjoint(with: [.readOnly, .meter]),
            parameter.accepted(sampleRate: sampleRate).contains(change.value)
        else { return }
        journal.record(change.address, change.value)
    }

    /// Changes a value, and lets the observers be called soon.
    private func put(_ address: UInt64, _ value: Double, originator: ParameterObserverToken? = nil) {
        // A unit may say anything: a value out of range, or of a parameter that it does not have, is ignored.
        guard let tell = try? values.put(address, value, originator: originator) else { return }
        observers.add(address, tell)
    }

    private func send(_ event: RenderEvent, at sampleTime: Int64) throws(HostingError) {
        guard mailbox.send(event.wireEvent(at: sampleTime)) else { throw tooManyEvents }
    }

    private var tooManyEvents: HostingError {
        .refused(unit: name, act: "send an event to", cause: .failed("too many are waiting to be rendered"))
    }
}
