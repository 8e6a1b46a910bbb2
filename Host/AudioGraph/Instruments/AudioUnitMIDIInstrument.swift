// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is an instrument, played by MIDI messages. Any thread but the render thread.

import AudioUnits
import PluginHosting

/// An instrument: a unit without inputs that MIDI messages play.
///
/// A message takes effect at the first frame of the next cycle. Before the engine has started, the newest `mostWaiting` messages are kept;
/// they take effect at its first frame. Values above their range are clamped: to 127 for data, 15 for channels, 16383 for a bend.
open class AudioUnitMIDIInstrument: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// The largest number of messages that are kept while the engine does not play.
    public static let mostWaiting = WaitingMessages.most

    /// Starts the one instrument that a description matches, as a node.
    ///
    /// Throws the errors of `PluginUnit.instantiate`.
    public static func instantiate(
        _ description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitMIDIInstrument {
        AudioUnitMIDIInstrument(try await PluginUnit.instantiate(with: description, options: options))
    }

    /// Starts the instrument with a name or an ID, as a node.
    ///
    /// Throws the errors of `PluginUnit.instantiate`.
    public static func instantiate(
        named name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitMIDIInstrument {
        AudioUnitMIDIInstrument(try await PluginUnit.instantiate(name, options: options))
    }

    /// Makes a node of a unit that has no render resources.
    public override init(_ unit: PluginUnit) {
        super.init(UnitBody(unit, waiting: WaitingMessages()), name: unit.name)
    }

    package override init(starting id: String, name: String? = nil) {
        let body = UnitBody(starting: id, waiting: WaitingMessages())
        super.init(body, name: name ?? body.plugin?.name ?? id)
    }

    // Because it overrides all initializers of the base, the class inherits the convenience initializers that modules above add.
    override init(_ body: UnitBody, name: String) { super.init(body, name: name) }

    /// Returns true if a unit makes its sound from MIDI, or without any input.
    package static func plays(_ component: Component) -> Bool {
        [ComponentType.instrument.code, ComponentType.generator.code].contains(component.description.type)
    }

    /// The unit, with its parameters, presets, state and faults; nil if the plug-in could not be started.
    public var unit: PluginUnit? { plugin }

    /// Sends a message, or keeps it until the engine plays.
    ///
    /// The engine keeps an error of the unit, and throws it from its next call that throws.
    package func send(_ message: MIDIMessage) { unitBody.send(message, self) }
}
