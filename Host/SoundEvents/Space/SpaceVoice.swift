// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A voice at a place, from the start of a sound to its end. Any thread but the render thread.

import AudioFormats
import AudioGraph
import Rendering
import Spatial

/// The place of a sound: its mixer, and the source and the listener that its event names.
struct VoicePlace: Sendable {
    /// The channels that the voice gets: one, or those of a bed.
    let channelCount: Int
    let source: SceneEmitter?
    let listener: SceneEmitter
    /// The distance in metres from which on nothing is heard; infinity for none.
    let cullMetres: Double
    /// The levels on the straight way and into the room; nil for a way that the sound does not go.
    let direct: Double?
    let room: Double?
    /// The settings that follow from the mixer.
    let settings: SpatialSettings
}

/// The gains of a voice's ways that follow parameters of its event.
struct VoiceStages {
    let direct: UnsafePointer<StageCore>?
    let room: UnsafePointer<StageCore>?
}

/// A voice in use.
final class SpaceVoice: Sendable {
    /// The kinds of processors that can be used again for each other.
    enum Kind: Hashable {
        case channels(Int)
        case room
    }

    private let direct: SpatialProcessor?
    private let room: SpatialProcessor?
    private let place: VoicePlace
    // SAFETY: from the start of its event on only the render thread uses it.
    nonisolated(unsafe) let core: UnsafeMutablePointer<VoiceCore>
    private let shape: ConnectionShape

    init(_ direct: SpatialProcessor?, _ room: SpatialProcessor?, _ place: VoicePlace, _ format: AudioFormat) {
        (self.direct, self.room, self.place) = (direct, room, place)
        shape = ConnectionShape(
            sourceChannelCount: place.channelCount, channelCount: format.channels, sampleRate: format.sampleRate,
            maximumFrameCount: SceneScratch.frameCount)
        core = .allocate(capacity: 1)
    }

    deinit { core.deallocate() }

    /// Makes the voice ready for the render thread; its values have been set.
    func connect(_ stages: VoiceStages) {
        var roomShape = shape
        roomShape.channelCount = SpaceCore.roomChannelCount
        let direct = direct.map { VoiceSend(ConnectionFunction($0, for: shape), level: place.direct ?? 0, stages.direct) }
        let room = room.map { VoiceSend(ConnectionFunction($0, for: roomShape), level: place.room ?? 0, stages.room) }
        core.initialize(to: VoiceCore(direct, room, place))
    }

    /// The processors, to be used again.
    var processors: [(Kind, SpatialProcessor)] {
        [direct.map { (.channels(place.channelCount), $0) }, room.map { (.room, $0) }].compactMap { $0 }
    }

    /// Takes the shared values.
    func update(_ values: SceneSpace.Values, _ output: EnvironmentOutput?) {
        var settings = place.settings
        (settings.sourceMotion, settings.listenerMotion) = (place.source?.motion, place.listener.motion)
        settings.algorithm = values.isBinaural ? .measuredHead : .equalPower
        settings.head = values.responses
        if case .air(let air) = values.medium { (settings.propagation.air, settings.propagation.isAbsorbing) = (air, true) }
        if let output {
            direct?.setOutput(output.panner, headLatency: output.headLatency, fieldLatency: output.fieldLatency)
        }
        direct?.set(settings)
        // The room gets both sides, as that of an environment does.
        (settings.algorithm, settings.head) = (.equalPower, nil)
        room?.set(settings)
    }
}

extension SpatialMixer {
    /// The place of a sound at a source.
    func place(_ source: SceneEmitter, _ listener: SceneEmitter, unitsPerMetre: Double) -> VoicePlace {
        var settings = SpatialSettings()
        settings.source.placing = .mean
        settings.listener.distance.model = .exponential
        settings.listener.distance.rolloff = 0
        if case .spreading(let rolloff) = distance { settings.listener.distance.rolloff = Float(rolloff) }
        settings.distanceCurve = curve(unitsPerMetre)
        (settings.sourceDirectivity, settings.listenerDirectivity) = (sourceDirectivity, listenerDirectivity)
        return VoicePlace(
            channelCount: 1, source: source, listener: listener, cullMetres: cullDistance.map { $0 / unitsPerMetre } ?? .infinity,
            direct: directPath?.level, room: lateReverb?.level, settings: settings)
    }

    /// The envelope and the fade before the cull distance as one course; nil without both.
    private func curve(_ unitsPerMetre: Double) -> DistanceCurve? {
        var points: [(metres: Double, gain: Double)] = [(0, 1)]
        if case .envelope(let envelope) = distance {
            points = envelope.points().map { ($0.x / unitsPerMetre, max(0, min(1, $0.y))) }
        } else if cullDistance == nil {
            return nil
        }
        guard let curve = DistanceCurve(points) else { return nil }
        guard let cull = cullDistance.map({ $0 / unitsPerMetre }) else { return curve }
        return DistanceCurve(Self.faded(points, curve, cull))
    }

    /// The share of the cull distance over which the level fades out.
    private static let fadeShare = 0.2

    private static func faded(
        _ points: [(metres: Double, gain: Double)], _ curve: DistanceCurve, _ cull: Double
    ) -> [(metres: Double, gain: Double)] {
        func fade(_ metres: Double) -> Double {
            let share = max(0, min(1, (cull - metres) / (fadeShare * cull)))
            return share * share * (3 - 2 * share)
        }
        let own = points.filter { $0.metres < cull }.map { (metres: $0.metres, gain: $0.gain * fade($0.metres)) }
        let added = (0..<128).map { cull * (1 - fadeShare * (1 - Double($0) / 128)) }
            .map { (metres: $0, gain: curve.gain(at: $0) * fade($0)) }
        let sorted = (own + added).enumerated().sorted { ($0.element.metres, $0.offset) < ($1.element.metres, $1.offset) }
        return sorted.map(\.element) + [(cull, 0)]
    }
}

extension AmbientMixer {
    /// The place of a bed around a listener.
    func place(_ bed: SpeakerLayout, _ listener: SceneEmitter) -> VoicePlace {
        var settings = SpatialSettings()
        settings.source.placing = .ambience
        settings.bed = bed
        return VoicePlace(
            channelCount: bed.places.count, source: nil, listener: listener, cullMetres: .infinity, direct: 1, room: nil,
            settings: settings)
    }
}
