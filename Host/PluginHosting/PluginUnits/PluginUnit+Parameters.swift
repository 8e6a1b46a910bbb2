// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameters, presets, state, MIDI, reset and bypass of a unit. Control threads.

import AudioUnits

extension PluginUnit {
    /// The unit's parameters, in their groups.
    public var parameterTree: ParameterTree { hosted.parameters }

    /// The parameters' values as the host knows them; observers can be added.
    public var parameterValues: ParameterValues { hosted.values }

    /// The value of a parameter as the host knows it; nil if the unit lacks the key path.
    public func value(of keyPath: String) -> Double? {
        parameterTree[keyPath: keyPath].flatMap { parameterValues[$0.address] }
    }

    /// Sets a parameter.
    ///
    /// While the unit renders, the value takes effect at the next block.
    ///
    /// Throws `refused` with the cause `unknownParameter`, `valueOutOfRange` or `readOnlyParameter`.
    public func setValue(_ value: Double, of keyPath: String) throws(HostingError) { try hosted.set(keyPath, to: value) }

    /// Sets a parameter, with a ramp of `rampFrameCount` frames if it can ramp.
    ///
    /// `parameterValues` has the value at once. Throws as `setValue`.
    public func setValue(_ value: Double, of keyPath: String, rampFrameCount: UInt32) throws(HostingError) {
        try hosted.set([(try hosted.settableParameter(keyPath), value)], rampFrameCount: rampFrameCount)
    }

    /// Lets a parameter reach `value` over `rampFrameCount` frames from `sampleTime` on.
    ///
    /// The unit must have resources.
    ///
    /// Throws as `setValue`, and `refused` if too many changes wait to be rendered.
    public func scheduleValue(
        _ value: Double, of keyPath: String, at sampleTime: Int64, rampFrameCount: UInt32 = 0
    ) throws(HostingError) {
        try hosted.schedule(keyPath, to: value, at: sampleTime, rampFrameCount: rampFrameCount)
    }

    /// The plug-in's own presets.
    public var factoryPresets: [FactoryPreset] { hosted.factoryPresets }

    /// The names of the user's presets.
    public var userPresetNames: [String] { UserPresets.names(for: component) }

    /// Takes the values of a preset: the factory preset of that name, in upper or lower case, or else the user's.
    ///
    /// Throws `refused` with the cause `unknownPreset`.
    public func selectPreset(_ name: String) throws(HostingError) { try UserPresets.select(name, of: hosted) }

    /// Saves the unit's state as a preset of the user; an older one of that name is replaced.
    public func saveUserPreset(_ name: String) throws(HostingError) { try UserPresets.save(name, of: hosted) }

    /// Removes a preset of the user.
    public func deleteUserPreset(_ name: String) throws(HostingError) { try UserPresets.delete(name, of: component) }

    /// Returns everything that makes a new unit sound like this one.
    public func saveState() throws(HostingError) -> FullState { try hosted.saveState() }

    /// Makes the unit sound like the unit whose state was saved.
    ///
    /// Throws `refused` with the cause `stateRefused` if another plug-in or a newer version saved it.
    public func restoreState(_ state: FullState) throws(HostingError) { try hosted.restoreState(state) }

    /// The texts that the unit takes beside parameters, such as the path of an impulse response.
    public var textProperties: [TextProperty] { hosted.texts }

    /// The texts as the host knows them, by identifier.
    public var textValues: [String: String] { hosted.textValues }

    /// Sets a text; the plug-in may read the file that it names.
    ///
    /// While the unit has resources, the text cannot name another file.
    ///
    /// Throws `refused`, with the cause `unknownText` for an identifier that the unit does not have.
    public func setText(_ text: String, of identifier: String) throws(HostingError) { try hosted.setText(identifier, to: text) }

    /// Sends a MIDI message, as soon as possible or at a sample time.
    ///
    /// The unit must have resources.
    public func send(_ message: MIDIMessage, at sampleTime: Int64? = nil) throws(HostingError) {
        try hosted.send(message, at: sampleTime)
    }

    /// Takes the MIDI messages that the unit sent since the last call: at most the newest 4096.
    public func takeMIDI() -> [ReceivedMIDI] { hosted.takeMIDI() }

    /// Clears all sound from delay lines and tails.
    ///
    /// If the unit renders, this happens at the next block.
    public func reset() throws(HostingError) { try hosted.reset() }

    /// True if the input passes through, delayed by the latency; a change is faded.
    public var shouldBypassEffect: Bool {
        get { state.withLock { $0.isBypassed } }
        set {
            state.withLock { state in
                state.isBypassed = newValue
                state.row?.members[0].isBypassed = newValue
            }
        }
    }
}
