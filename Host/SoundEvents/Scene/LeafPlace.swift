// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The source and the listener of a sound of an event. Any thread but the render thread.

import AudioFormats
import Spatial

/// The ends between which a sound of an event is heard.
struct LeafPlace: Sendable {
    private let mixer: String
    private let source: SceneSource?
    private let listener: SceneListener
    /// The place of the sound's voice.
    let voicePlace: VoicePlace
    /// The routes from the channels of the sound to those of its voice.
    let routes: [LeafRoute]

    /// Finds the ends of a sound's mixer; nil for a channel mixer.
    ///
    /// Throws `unplacedMixer`, `notInScene` for another engine's objects, and `tree` for channels without directions.
    init?(
        _ mixer: SoundMixer, _ asset: String, channelCount: Int, _ layout: ChannelLayout?, _ parameters: MixerParameters,
        in scene: SoundScene
    ) throws(SoundEventError) {
        if case .channel = mixer { return nil }
        guard let ends = parameters.ends[mixer.id], let ears = ends.listener.emitter else { throw .unplacedMixer(mixer.id) }
        guard ends.listener.graph === scene.graph, ends.source.map({ $0.graph === scene.graph }) ?? true else {
            throw .notInScene(mixer: mixer.id)
        }
        (self.mixer, listener) = (mixer.id, ends.listener)
        switch mixer {
        case .channel: return nil
        case .spatial(let mixer):
            guard let source = ends.source, let emitter = source.emitter else { throw .unplacedMixer(mixer.id) }
            self.source = source
            voicePlace = mixer.place(emitter, ears, unitsPerMetre: scene.unitsPerMetre)
            routes = (0..<channelCount).map { LeafRoute(source: $0, destination: 0, gain: 1 / Float(channelCount)) }
        case .ambient(let mixer):
            guard let layout = mixer.layout ?? layout ?? ChannelLayout.usual(channelCount), let bed = mixer.bed(layout) else {
                throw .tree(id: asset, reason: "its \(channelCount) channels have no directions: give its mixer a layout")
            }
            source = nil
            voicePlace = mixer.place(bed.places, ears)
            routes = bed.channels.enumerated().map { LeafRoute(source: $0.element, destination: $0.offset, gain: 1) }
        }
    }

    /// True if the sound comes from a bed around the listener.
    var isBed: Bool { voicePlace.source == nil }

    /// The objects that must be in the scene as long as the sound is heard.
    var emitters: [SceneEmitter] { [voicePlace.source, voicePlace.listener].compactMap { $0 } }

    /// Checks that both ends are in the scene.
    ///
    /// Throws `notInScene`.
    func check() throws(SoundEventError) {
        guard listener.isInScene, source?.isInScene ?? true else { throw .notInScene(mixer: mixer) }
    }
}
