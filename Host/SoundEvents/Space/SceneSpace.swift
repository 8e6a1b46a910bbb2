// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The output of a scene, and the pool of voices that are heard there. Any thread but the render thread.

import AudioFormats
import AudioGraph
import Rendering
import Spatial
import Synchronization

/// Decides how places are heard, and hands out voices.
///
/// A voice is taken by the caller that starts an event, and comes back when the render thread has let go of it. So a voice that has been
/// made once is used again, and the render thread allocates nothing.
final class SceneSpace: Sendable {
    /// The values that all voices share.
    struct Values: Sendable {
        var spatialization = OutputSpatialization.automatic
        /// The kind of the driver's device; nil if it is unknown.
        var device: DriverOutputKind?
        var medium = SoundMedium.air(Air())
        /// The head; nil for the standard one.
        var head: HeadSet?
        /// The filters of the head, once they are needed.
        var responses: HeadResponses?
        /// True if places are heard by two ears.
        var isBinaural = false
    }

    private struct State {
        var values = Values()
        var output: EnvironmentOutput?
        var voices: [ObjectIdentifier: SpaceVoice] = [:]
        var free: [SpaceVoice.Kind: [SpatialProcessor]] = [:]
        var hasField = false
        /// The error of a head that the device asked for, until somebody hears of it.
        var refusal: HeadSetError?
    }

    /// The most sounds at places at once.
    static let mostVoices = 1024

    let format: AudioFormat
    private let sum = SceneSum()
    // SAFETY: only the render thread uses what is not atomic.
    nonisolated(unsafe) let core: UnsafeMutablePointer<SpaceCore>
    private let routes: ChannelRoutes
    private let state = Mutex(State())

    init(_ format: AudioFormat) {
        self.format = format
        routes = ChannelRoutes(from: 1, to: format.channels)
        if format.channels <= 2 { sum.prepareHeads(sampleRate: format.sampleRate) }
        core = .allocate(capacity: 1)
        core.initialize(to: SpaceCore(format, sum.sumContext, sum.finisher, routes.table))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    var values: Values { state.withLock { $0.values } }

    /// The frames by which the output lags: those of a head.
    var latencyFrameCount: Int { state.withLock { $0.values.isBinaural ? SceneSum.headLatencyFrameCount : 0 } }

    // MARK: - Values

    /// Changes the shared values, and all voices with them.
    ///
    /// Throws `head` if the head cannot be used; the values before stay then.
    func change(_ change: (inout Values) -> Void) throws(SoundEventError) {
        let result = state.withLock { state -> Result<Void, SoundEventError> in
            var values = state.values
            change(&values)
            do throws(HeadSetError) { try adopt(values, &state) } catch { return .failure(.head(error)) }
            return .success(())
        }
        try result.get()
    }

    /// Takes the kind of the driver's device; the next event at a place reports a head that cannot be used.
    func follow(_ device: DriverOutputKind?) {
        state.withLock { state in
            var values = state.values
            values.device = device
            do throws(HeadSetError) { try adopt(values, &state) } catch { state.refusal = error }
        }
    }

    private func adopt(_ values: Values, _ state: inout State) throws(HeadSetError) {
        var values = values
        values.isBinaural = format.channels <= 2 && Self.isForEars(values)
        if values.head !== state.values.head { values.responses = nil }
        if values.isBinaural, values.responses == nil, !state.voices.isEmpty { values.responses = try responses(values) }
        let isOther = values.isBinaural != state.values.isBinaural || values.head !== state.values.head
        state.values = values
        if isOther, state.output != nil { makeOutput(&state) }
        for voice in state.voices.values { voice.update(values, state.output) }
        core.pointee.setLatency(values.isBinaural ? SceneSum.headLatencyFrameCount : 0, field: state.output?.fieldLatency ?? 0)
    }

    private static func isForEars(_ values: Values) -> Bool {
        switch values.spatialization {
        case .automatic: values.device == .headphones
        case .binaural: true
        case .loudspeakers: false
        }
    }

    private func responses(_ values: Values) throws(HeadSetError) -> HeadResponses {
        let head = if let chosen = values.head { chosen } else { try HeadSet.standard() }
        return try head.responses(sampleRate: format.sampleRate, quality: .short)
    }

    /// Makes the filters of the head, if two ears need them.
    private func prepareHead(_ state: inout State) throws(HeadSetError) {
        if state.values.isBinaural, state.values.responses == nil { state.values.responses = try responses(state.values) }
    }

    /// Makes the panner and the decoder for the present kind of output.
    private func makeOutput(_ state: inout State) {
        let type: AudioEnvironmentOutputType = state.values.isBinaural ? .headphones : .externalSpeakers
        let output = EnvironmentOutput(format, type, nil, state.values.head)
        state.output = output
        if state.hasField, let decoder = output.decoder { sum.field.play(through: decoder) }
    }

    // MARK: - Voices

    /// Makes ready what sounds at places need: the filters of a head, a panner, a decoder.
    ///
    /// Throws `head`, and `surround` for an output whose loudspeakers do not surround the listener.
    func prepare(hasField: Bool) throws(SoundEventError) {
        let result = state.withLock { state -> Result<Void, SoundEventError> in
            if let refusal = state.refusal.take() { return .failure(.head(refusal)) }
            do throws(HeadSetError) { try prepareHead(&state) } catch { return .failure(.head(error)) }
            if state.output == nil || hasField && !state.hasField {
                state.hasField = state.hasField || hasField
                makeOutput(&state)
            }
            guard format.channels <= 2 || state.output?.panner != nil else {
                return .failure(.surround(channelCount: format.channels))
            }
            let frames = state.values.isBinaural ? SceneSum.headLatencyFrameCount : 0
            core.pointee.setLatency(frames, field: state.output?.fieldLatency ?? 0)
            return .success(())
        }
        try result.get()
    }

    /// Takes a voice for a sound, and makes one if none is free.
    ///
    /// Throws `tooManySpatialSounds`, and `head` if the device has become headphones and the head cannot be used.
    func take(_ place: VoicePlace, _ stages: VoiceStages) throws(SoundEventError) -> SpaceVoice {
        let result = state.withLock { state -> Result<SpaceVoice, SoundEventError> in
            guard state.voices.count < Self.mostVoices else { return .failure(.tooManySpatialSounds(limit: Self.mostVoices)) }
            // The event may have been made before the output was for two ears.
            do throws(HeadSetError) { try prepareHead(&state) } catch { return .failure(.head(error)) }
            let direct = place.direct.map { _ in processor(.channels(place.channelCount), &state) }
            let room = place.room.map { _ in processor(.room, &state) }
            let voice = SpaceVoice(direct, room, place, format)
            voice.update(state.values, state.output)
            voice.connect(stages)
            state.voices[ObjectIdentifier(voice)] = voice
            return .success(voice)
        }
        return try result.get()
    }

    private func processor(_ kind: SpaceVoice.Kind, _ state: inout State) -> SpatialProcessor {
        state.free[kind]?.popLast() ?? SpatialProcessor(addingTo: kind == .room ? nil : sum)
    }

    /// Takes voices back that the render thread has let go of.
    func giveBack(_ voices: [SpaceVoice]) {
        guard !voices.isEmpty else { return }
        state.withLock { state in
            for voice in voices {
                state.voices[ObjectIdentifier(voice)] = nil
                for (kind, processor) in voice.processors {
                    processor.beginAgain()
                    state.free[kind, default: []].append(processor)
                }
            }
        }
    }
}
