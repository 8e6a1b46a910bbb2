// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way in which an engine makes places audible. Any thread but the render thread.

import AudioGraph
import Spatial

extension SoundEngine {
    /// The most sounds at places that play or wait; each channel bed counts as one.
    public static let mostSpatialSounds = SceneSpace.mostVoices

    /// The way in which places become audible; at first `automatic`.
    public var outputSpatialization: OutputSpatialization { running.space.values.spatialization }

    /// Sets the way in which places become audible; sounds that play fade over within 20 ms.
    ///
    /// For two ears the node lags by 64 frames, and the graph delays what plays beside it by as much. Throws `head`.
    public func setOutputSpatialization(_ spatialization: OutputSpatialization) throws(SoundEventError) {
        try running.space.change { $0.spatialization = spatialization }
        if spatialization == .automatic, let graph = node.engine, graph.isRunning { graph.followOutput() }
    }

    /// The head that hears sounds at places; nil for the standard one, KEMAR, which is nil at first.
    public var head: HeadSet? { running.space.values.head }

    /// Sets the head that hears sounds at places.
    ///
    /// Throws `head` if sounds play and it cannot be used; otherwise the next event at a place does.
    public func setHead(_ head: HeadSet?) throws(SoundEventError) { try running.space.change { $0.head = head } }

    /// The matter between sources and listeners; at first `air` of 20 °C.
    public var medium: SoundMedium { running.space.values.medium }

    /// Sets the matter between sources and listeners; sounds that play follow within 20 ms.
    public func setMedium(_ medium: SoundMedium) throws(SoundEventError) { try running.space.change { $0.medium = medium } }

    /// The room that hears the late reverb of spatial mixers; nil for none, which it is at first.
    public var reverb: AudioUnitReverbPreset? { room.preset }

    /// The unit of the room, in a process of its own, connected to the main mixer; nil without a room.
    ///
    /// Reconnect it as you like.
    public var reverbNode: AudioUnitReverb? { room.reverb }

    /// Sets the room; the first one starts a process and edits the graph.
    ///
    /// Throws `graph` if the graph refuses the reverb, and `engineGone` if the node is in no graph.
    public func setReverb(_ preset: AudioUnitReverbPreset?) throws(SoundEventError) { try room.set(preset, node) }
}
