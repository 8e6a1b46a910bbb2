// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The room of a scene: a reverb in a process of its own, beside the direct sound. Any thread but the render thread.

import AudioFormats
import AudioGraph
import PluginHosting
import Synchronization

/// The reverb for what spatial mixers send to the room.
///
/// If its process dies, the room is silent until a new one takes over; the direct sound goes on.
final class SceneRoom: Sendable {
    private struct State {
        var preset: AudioUnitReverbPreset?
        var reverb: AudioUnitReverb?
    }

    private let state = Mutex(State())

    var preset: AudioUnitReverbPreset? { state.withLock { $0.preset } }
    var reverb: AudioUnitReverb? { state.withLock { $0.reverb } }

    /// Chooses a preset for the sends of a node; nil takes the reverb away.
    func set(_ preset: AudioUnitReverbPreset?, _ node: AudioNode) throws(SoundEventError) {
        guard let graph = node.engine else { throw .engineGone }
        do throws(AudioEngineError) {
            switch (preset, reverb) {
            case (let preset?, let reverb?): reverb.loadFactoryPreset(preset)
            case (let preset?, nil): try enter(preset, node, graph)
            case (nil, let reverb?): try leave(reverb, graph)
            case (nil, nil): break
            }
        } catch { throw .graph(error) }
        state.withLock { $0.preset = preset }
    }

    private func enter(_ preset: AudioUnitReverbPreset, _ node: AudioNode, _ graph: AudioEngine) throws(AudioEngineError) {
        let reverb = AudioUnitReverb()
        reverb.loadFactoryPreset(preset)
        reverb.wetDryMix = 100
        reverb.plugin?.fallback = .silence
        let format = node.outputFormat(forBus: 1)
        _ = try graph.edit("add a room") { () throws(AudioEngineError) in
            _ = try graph.attach(reverb).get()
            _ = try graph.connect(node, to: reverb, fromBus: 1, toBus: 0, format: format)
            _ = try graph.connect(reverb, to: graph.mainMixerNode, format: format)
        }
        state.withLock { $0.reverb = reverb }
    }

    private func leave(_ reverb: AudioUnitReverb, _ graph: AudioEngine) throws(AudioEngineError) {
        _ = try graph.edit("take the room away") { () throws(AudioEngineError) in
            if reverb.engine === graph { _ = try graph.detach(reverb).get() }
        }
        state.withLock { $0.reverb = nil }
    }

    /// True if the reverb died too often, and would pass on what belongs to the room alone.
    var isToBeSilenced: Bool { reverb.map { $0.volume != 0 && $0.plugin?.isQuarantined == true } ?? false }

    func silence() { reverb?.volume = 0 }
}
