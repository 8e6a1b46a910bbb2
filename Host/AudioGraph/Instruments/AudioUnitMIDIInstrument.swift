// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is an instrument: it makes sound of MIDI messages. Any thread but the render thread.

import AudioUnits
import PluginHosting
import Synchronization

/// An instrument: a unit without inputs that MIDI messages play.
///
/// A message takes effect at the first frame of the next cycle. Before the engine has started, messages are kept, the newest
/// `mostWaiting` of them, and take effect at its first frame. Numbers beyond their range count as the highest: 127 for data, 15
/// for channels, 16383 for a bend.
public class AudioUnitMIDIInstrument: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; what waits is behind a mutex.
    /// The most messages that are kept while the engine does not play.
    public static let mostWaiting = 1024
    private let waiting = Mutex<[MIDIMessage]>([])

    /// Starts the one instrument that a description matches, as a node.
    ///
    /// Throws as `PluginUnit.instantiate` does.
    public static func instantiate(
        _ description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitMIDIInstrument {
        AudioUnitMIDIInstrument(try await PluginUnit.instantiate(with: description, options: options))
    }

    /// Starts the instrument that a name or an ID means, as a node.
    ///
    /// Throws as `PluginUnit.instantiate` does.
    public static func instantiate(
        named name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitMIDIInstrument {
        AudioUnitMIDIInstrument(try await PluginUnit.instantiate(name, options: options))
    }

    /// Makes a node of a unit that has no render resources.
    public override init(_ unit: PluginUnit) { super.init(unit) }

    package override init(starting id: String, name: String? = nil) { super.init(starting: id, name: name) }

    /// The unit: parameters, presets, state, faults; nil where the plug-in could not be started.
    public var unit: PluginUnit? { plugin }

    public override var numberOfInputs: Int { plugin?.unitDescription.inputs.count ?? 0 }

    /// Sends a message, or keeps it until the engine plays.
    ///
    /// What the unit refuses is kept, and thrown by the engine's next call that throws.
    package func send(_ message: MIDIMessage) {
        // Under the lock, `prepare` cannot miss the message, and what waits is sent before it.
        waiting.withLock { waiting in
            guard row == nil || !waiting.isEmpty else { return deliver(message) }
            waiting.append(message)
            if waiting.count > Self.mostWaiting { waiting.removeFirst() }
        }
    }

    private func deliver(_ message: MIDIMessage) {
        do throws(HostingError) { try plugin?.send(message) } catch { engine?.keep(.unit(node: name, error)) }
    }

    override func prepare(
        inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment
    ) throws(AudioEngineError) {
        try super.prepare(inputs: inputs, outputs: outputs, environment)
        waiting.withLock { waiting in
            guard row != nil else { return }
            for message in waiting { deliver(message) }
            waiting = []
        }
    }
}
