// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's full state, presets and texts. Control threads.

import AudioUnits
import ControlMessages
import Wire

extension HostedUnit {
    /// Returns everything that makes a new unit sound like this one.
    package func saveState() throws(HostingError) -> FullState {
        settleSchedule()
        let hasPending = mailbox.hasPendingCommands || hasUnsentValues.load(ordering: .acquiring)
        guard case .state(var state) = try ask(.saveState, act: "save the state of") else { throw unexpectedAnswer }
        // The unit does not know the changes since its last block yet; the host does.
        if hasPending { state.values = knownState.values }
        take(credible(state))
        return credible(state, isToBeKept: true)
    }

    /// Makes the unit sound like the unit whose state was saved.
    ///
    /// Throws `refused` if another component or a newer version saved it.
    package func restoreState(_ state: FullState) throws(HostingError) {
        do throws(UnitError) {
            try state.check(against: description)
        } catch {
            throw .refused(unit: name, act: "restore the state of", cause: error)
        }
        try replaceState(.restoreState(state), admitting: state.texts, act: "restore the state of")
    }

    /// Takes the values of a factory preset, found by its name in upper or lower case.
    package func selectFactoryPreset(_ presetName: String) throws(HostingError) {
        func isWanted(_ preset: FactoryPreset) -> Bool { preset.name.lowercased() == presetName.lowercased() }
        guard let index = ownPresets.firstIndex(where: isWanted) else {
            if let preset = factoryPresets.first(where: isWanted) { return try take(preset) }
            let names = factoryPresets.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let nearest = NearestNames.among(factoryPresets.map(\.name), to: presetName, limit: 1)
            let hint =
                reasonForLeavingOut(preset: presetName) ?? nearest.first.map { "did you mean \"\($0)\"?" }
                ?? (names.isEmpty ? "it has none" : "it has \(names)")
            throw .refused(unit: name, act: "select a preset of", cause: .unknownPreset(presetName), hint: hint)
        }
        try replaceState(.selectPreset(UInt32(index)), act: "select a preset of")
    }

    /// Sets the values of a preset from outside the unit; parameters that it leaves out take their defaults.
    func take(_ preset: FactoryPreset) throws(HostingError) {
        let settable = parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }
        let rate = sampleRate ?? Parameter.describedSampleRate
        try set(settable.map { ($0.parameter, preset.values[$0.keyPath] ?? $0.parameter.at(sampleRate: rate).defaultValue) })
    }

    /// Sets a text, such as the path of an impulse response; throws `refused` if the unit rejects it.
    package func setText(_ identifier: String, to value: String) throws(HostingError) {
        let act = "set \(identifier) of"
        guard texts.contains(where: { $0.identifier == identifier }) else {
            throw .refused(unit: name, act: act, cause: .unknownText(identifier))
        }
        _ = try ask(.setText(identifier: identifier, value: value), admitting: [identifier: value], act: act)
        state.withLock { state in
            state.texts[identifier] = value
            state.snapshot?.texts[identifier] = value
        }
        journal.touch()
    }

    /// The texts as the host knows them, by identifier.
    package var textValues: [String: String] { state.withLock { $0.texts } }

    /// Clears delay lines and tails; during rendering at the next block.
    package func reset() throws(HostingError) {
        if lifecycleState == .instantiated {
            _ = try ask(.reset, act: "reset")
        } else {
            _ = mailbox.send(WireEvent(.reset))
            // After the command: the MIDI state is repeated no earlier than the unit's reset.
            port.startAnew()
        }
    }

    /// The state as the host knows it, without a request: a restarted unit gets it.
    var knownState: FullState {
        let settable = parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }
        let current = values.byKeyPath
        let kept = state.withLock { (texts: $0.texts, custom: $0.custom) }
        let pairs = settable.map { ($0.keyPath, current[$0.keyPath] ?? $0.parameter.defaultValue) }
        return FullState(
            component: description.component, classicIdentifier: description.classicIdentifier,
            version: description.version, values: Dictionary(pairs) { $1 }, texts: kept.texts, custom: kept.custom)
    }

    /// Gives the unit a whole state.
    ///
    /// Earlier values that wait for the next block arrive after it, so that the new values are sent once more.
    private func replaceState(
        _ message: HostMessage, admitting texts: [String: String] = [:], act: String
    ) throws(HostingError) {
        // Scheduled changes that are due count as earlier.
        settleSchedule()
        let hasPending = mailbox.hasPendingCommands
        guard case .state(let said) = try ask(message, admitting: texts, act: act) else { throw unexpectedAnswer }
        let state = credible(said)
        journal.replace()
        take(state)
        if hasPending { for keyPath in state.values.keys { resend(keyPath) } }
    }

    /// Sends all values again but these, on top of the MIDI state that the unit gets at the beginning of its next block.
    func resendValues(except automated: Set<String>) {
        for keyPath in knownState.values.keys.sorted() where !automated.contains(keyPath) { resend(keyPath) }
    }

    func resend(_ keyPath: String) {
        guard let parameter = parameters[keyPath: keyPath] else { return }
        // Again if another thread has set another value meanwhile, which may precede this one.
        while let value = values[parameter.address] {
            let change = ParameterChange(address: parameter.address, value: value)
            guard mailbox.send(RenderEvent.parameter(change).wireEvent(at: Self.now)) else {
                return hasUnsentValues.store(true, ordering: .releasing)
            }
            if values[parameter.address] == value { return }
        }
    }

    /// Takes the values that the unit reports.
    private func take(_ state: FullState) {
        for (keyPath, value) in state.values {
            guard let parameter = parameters[keyPath: keyPath] else { continue }
            // A value out of range is ignored; the host's stays.
            try? values.set(parameter.address, to: value)
        }
        self.state.withLock { $0.keep(state) }
    }

    private var unexpectedAnswer: HostingError {
        .fault(unit: name, act: "talk to", .protocolViolation("it answered a question with something else"))
    }
}
