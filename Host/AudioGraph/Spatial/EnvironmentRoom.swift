// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The room of an environment: a reverb and a filter in processes of their own, beside the direct sound. Any thread but the render thread.

import AudioFormats
import PluginHosting
import Rendering
import Spatial

/// The internal nodes that add a room to an environment.
///
/// Each connection to the environment also leads to `send`, at the share of the source that the room hears. The reverb and the filter come
/// next, and lead back to an input of the environment. If the reverb dies, the room is silent until a new process takes over. The direct
/// sound goes another way, and is not touched.
final class EnvironmentRoom: Sendable {
    let send = RoomSendNode()
    let reverb = AudioUnitReverb(inside: "Room")
    let filter = AudioUnitEQ(inside: "Room filter")
    /// The level of the room at the environment, and the processor of its connection.
    let level = MixingState()
    private let back: SpatialProcessor

    /// The input of the environment to which the room leads; no source takes it, unless a program names the very last one.
    static let inputBus = AudioMixerNode.mostInputs - 1

    init(addingTo sum: SceneSum) {
        back = SpatialProcessor(addingTo: sum)
        reverb.wetDryMix = 100
        reverb.plugin?.fallback = .silence
    }

    var nodes: [AudioNode] { [send, reverb, filter] }

    /// Attaches and connects the nodes, within an edit of the environment's engine.
    func enter(_ environment: AudioNode, _ engine: AudioEngine) throws(AudioEngineError) {
        guard send.engine == nil else { return }
        for node in nodes { _ = try engine.attach(node).get() }
        let rate = engine.busFormat(of: environment, 0, isInput: false)?.sampleRate ?? AudioEngine.usualRate
        let format = AudioFormat(sampleRate: rate, channelCount: 2)
        _ = try engine.connect(send, to: reverb, fromBus: 0, toBus: 0, format: format)
        _ = try engine.connect(reverb, to: filter, fromBus: 0, toBus: 0, format: format)
        _ = try engine.connect(filter, to: environment, fromBus: 0, toBus: Self.inputBus, format: format)
        engine.echoInputs(of: environment)
    }

    /// The connection from the room to the environment.
    func makeConnection() -> ConnectionState { ConnectionState(mixing: level, processor: back) }

    /// Plays the room as a mixer would, or to both sides of a sound field that stays with the head.
    func update(_ values: EnvironmentSpace.Values) {
        var settings = SpatialSettings()
        let isField = values.arrangement?.isField ?? false
        settings.source.placing = isField ? .ambience : .none
        settings.algorithm = isField ? .soundField : .equalPower
        settings.bed = SpeakerLayout([SpeakerPlace(azimuth: 90), SpeakerPlace(azimuth: -90)])
        back.set(settings)
    }

    /// True if the reverb died too often, and now passes on what belongs to the room alone.
    var isToBeSilenced: Bool { level.volume != 0 && reverb.plugin?.isQuarantined == true }

    /// Detaches the nodes, within an edit.
    func leave(_ engine: AudioEngine) throws(AudioEngineError) {
        for node in nodes where node.engine === engine { _ = try engine.detach(node).get() }
    }
}

extension AudioEngine {
    /// Connects the sources of a node also to the internal node that echoes them.
    fileprivate func echoInputs(of node: AudioNode) {
        state.withLock { state in
            for link in state.graph[node]?.inputs.values.map({ $0 }) ?? [] { state.graph.echo(link) }
        }
    }
}

// It is `package`, because the compiler refuses an internal subclass of a class with a `package` initializer.

/// Adds up what the room hears of each source.
package final class RoomSendNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    init() { super.init(name: "Room send", body: RoomSendBody()) }
}

/// Answers the engine for the sum of what a room hears.
private struct RoomSendBody: NodeBody {
    private let level = MixerLevel()

    var isInternal: Bool { true }
    var inputCount: Int { AudioMixerNode.mostInputs }
    var addsUp: Bool { true }
    var work: RenderGraph.Work? { .mix(level) }
}
