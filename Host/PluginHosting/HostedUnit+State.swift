// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Full state and presets. Control threads.

import AudioUnits
import ControlMessages
import Wire

extension HostedUnit {
    /// Everything needed to make a fresh unit sound as this one does.
    public func saveState() throws(HostingError) -> FullState {
        guard case .state(let state) = try ask(.saveState, act: "save the state of") else { throw unexpectedAnswer }
        take(state)
        return state
    }

    /// Makes the unit sound as the one that was saved. Refused when another component saved it, or a newer version.
    public func restoreState(_ state: FullState) throws(HostingError) {
        do throws(UnitError) {
            try state.check(against: description)
        } catch {
            throw .refused(unit: name, act: "restore the state of", reason: error.description)
        }
        let answer = try ask(.restoreState(state), act: "restore the state of")
        guard case .state(let restored) = answer else { throw unexpectedAnswer }
        take(restored)
    }

    /// Takes the values of a factory preset, found by name in any case.
    public func selectFactoryPreset(_ presetName: String) throws(HostingError) {
        let index = factoryPresets.firstIndex { $0.name.lowercased() == presetName.lowercased() }
        guard let index else {
            let names = factoryPresets.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let nearest = NearestNames.among(factoryPresets.map(\.name), to: presetName, limit: 1)
            let hint = nearest.first.map { "; did you mean \"\($0)\"?" } ?? (names.isEmpty ? "; it has none" : "; it has \(names)")
            throw .refused(
                unit: name, act: "select a preset of",
                reason: UnitError.unknownPreset(presetName).description + hint)
        }
        let answer = try ask(.selectPreset(UInt32(index)), act: "select a preset of")
        guard case .state(let state) = answer else { throw unexpectedAnswer }
        take(state)
    }

    /// Forgets all sound: delay lines, tails. While rendering, at the next block.
    public func reset() throws(HostingError) {
        if lifecycleState == .instantiated {
            _ = try ask(.reset, act: "reset")
        } else {
            _ = mailbox.send(WireEvent(.reset))
        }
    }

    /// The state as the host knows it, without asking: what a restarted unit is given.
    var knownState: FullState {
        let settable = parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }
        let current = values.byKeyPath
        let pairs = settable.map { ($0.keyPath, current[$0.keyPath] ?? $0.parameter.defaultValue) }
        return FullState(
            component: description.component, version: description.version, values: Dictionary(pairs) { $1 },
            custom: state.withLock { $0.custom })
    }

    /// Takes over what the unit says of its own values.
    private func take(_ state: FullState) {
        for (keyPath, value) in state.values {
            guard let parameter = parameters[keyPath: keyPath] else { continue }
            // A value out of range is the unit's own nonsense; the host's stays.
            try? values.set(parameter.address, to: value)
        }
        self.state.withLock { $0.custom = state.custom }
    }

    private var unexpectedAnswer: HostingError {
        .fault(unit: name, act: "talk to", .protocolViolation("it answered a question with something else"))
    }
}
