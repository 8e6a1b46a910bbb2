// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The listener of an environment, and the sources around it. Any thread but the render thread.

import AudioFormats
import Realtime
import Rendering
import Spatial
import Synchronization

/// The law by which the level falls with the distance.
public enum AudioDistanceAttenuationModel: Int, Hashable, Sendable, CaseIterable {
    /// (distance / reference) to the power of −roll-off.
    case exponential = 1
    /// Reference / (reference + roll-off · (distance − reference)).
    case inverse = 2
    /// 1 − roll-off · (distance − reference) / (maximum − reference).
    case linear = 3
}

extension AudioDistanceAttenuationModel {
    fileprivate var law: DistanceLaw.Model {
        switch self {
        case .exponential: .exponential
        case .inverse: .inverse
        case .linear: .linear
        }
    }
}

/// A listener and the sources around it.
final class EnvironmentSpace: Sendable {
    /// The listener, and the values that the program has set for it.
    struct Values {
        var listener = SpatialListener()
        var angles = Audio3DAngularOrientation()
        var vectors = Audio3DVectorOrientation()
        var distanceModel = AudioDistanceAttenuationModel.inverse { didSet { listener.distance.model = distanceModel.law } }
        /// The head of the listener; nil for the standard one.
        var head: AudioHead?
        var listenerPosition = Audio3DPoint() { didSet { listener.position = SpacePoint(listenerPosition) } }
        var listenerPath: AudioPath?
        var listenerMotion: AudioHeadMotion?
        var propagation = SpatialPropagation()
        var outputType = AudioEnvironmentOutputType.auto
        /// The type of the driver's device; `auto` if it is unknown.
        var deviceType = AudioEnvironmentOutputType.auto
        /// The type for which sources are rendered.
        var heardType: AudioEnvironmentOutputType { outputType == .auto ? deviceType : outputType }
        var arrangement: AudioEnvironmentArrangement?
        var hasRoom = false
        var roomDecibels: Float = 0
        var roomPreset = AudioUnitReverbPreset.mediumHall
    }

    private struct Weak { weak var place: ConnectedPlace? }

    private struct State {
        var values = Values()
        var places: [Weak] = []
        var output: EnvironmentOutput?
    }

    private let state = Mutex(State())
    /// The sound field of all sources that use it, and the ears of the heads.
    let sum = SceneSum()
    /// The listener's node, which reports that a head cannot be used.
    private let node = Mutex<WeakNode>(WeakNode())

    private struct WeakNode { weak var node: AudioNode? }

    func belong(to node: AudioNode) { self.node.withLock { $0.node = node } }

    func refuse(_ error: HeadSetError) { node.withLock { $0.node }?.refuse(error) }

    private let madeRoom = Mutex<EnvironmentRoom?>(nil)

    /// The room; its processes are started when it is first asked for.
    var room: EnvironmentRoom {
        let values = values
        return madeRoom.withLock { room in
            if let room { return room }
            let new = EnvironmentRoom(addingTo: sum)
            new.update(values)
            room = new
            return new
        }
    }

    /// The room, if a program has asked for it.
    var knownRoom: EnvironmentRoom? { madeRoom.withLock { $0 } }

    /// Adds the room to the graph, or takes it away; the engine keeps an error for its next call that throws.
    func setRoom(_ isOn: Bool) {
        guard values.hasRoom != isOn else { return }
        change { $0.hasRoom = isOn }
        guard let node = node.withLock({ $0.node }), let engine = node.engine else { return }
        do throws(AudioEngineError) {
            _ = try engine.edit(isOn ? "add a room" : "take the room away") { () throws(AudioEngineError) in
                if isOn { try room.enter(node, engine) } else { try room.leave(engine) }
            }
        } catch {
            // The source is heard directly as before.
            change { $0.hasRoom = !isOn }
            engine.keep(error)
        }
    }

    func setRoomLevel(_ decibels: Float) {
        change { $0.roomDecibels = decibels }
        room.level.volume = Maths.gain(fromDecibels: decibels)
    }

    func loadRoomPreset(_ preset: AudioUnitReverbPreset) {
        change { $0.roomPreset = preset }
        room.reverb.loadFactoryPreset(preset)
    }

    var values: Values { state.withLock { $0.values } }

    /// The values, and those of all sources.
    var placements: (values: Values, sources: [SourcePlacement]) {
        state.withLock { state in (state.values, state.places.compactMap(\.place).map { $0.placement.withLock { $0 } }) }
    }

    /// Changes the listener, and all gains with it.
    func change(_ change: (inout Values) -> Void) {
        let refusal = state.withLock { state in
            change(&state.values)
            let refusal = state.output.flatMap { play(to: $0.format, &state) }
            for place in state.places.compactMap(\.place) { place.update(state.values) }
            knownRoom?.update(state.values)
            return refusal
        }
        if let refusal { refuse(refusal) }
    }

    /// Changes the listener, and the choice of heads with it.
    func changeHeads(_ change: (inout Values) -> Void) {
        self.change(change)
        let places = state.withLock { $0.places.compactMap(\.place) }
        for place in places { place.prepareHead() }
    }

    /// Takes the kind of the driver's device.
    func follow(_ output: DriverOutputKind?) {
        let type = AudioEnvironmentOutputType(output)
        if values.deviceType != type { changeHeads { $0.deviceType = type } }
    }

    /// True if the output has another format.
    func plays(to format: AudioFormat) -> Bool {
        state.withLock { state in state.output.map { $0.suits(format, $0.type, $0.arrangement, state.values.head) } ?? false }
    }

    /// Makes the panner and the decoder for a format of the output.
    func play(to format: AudioFormat) {
        if let refusal = state.withLock({ play(to: format, &$0) }) { refuse(refusal) }
    }

    /// Returns the reason why the chosen head does not hear the sound field; nil if it does, or is the one before.
    private func play(to format: AudioFormat, _ state: inout State) -> HeadSetError? {
        let values = state.values
        if let output = state.output, output.suits(format, values.heardType, values.arrangement, values.head) { return nil }
        let output = EnvironmentOutput(format, values.heardType, values.arrangement, values.head)
        state.output = output
        if let decoder = output.decoder { sum.field.play(through: decoder) }
        for place in state.places.compactMap(\.place) { place.play(to: output) }
        return output.refusal
    }

    /// Adds a source.
    func add(_ place: ConnectedPlace) {
        state.withLock { state in
            state.places.removeAll { $0.place == nil }
            state.places.append(Weak(place: place))
            if let output = state.output { place.play(to: output) }
            place.update(state.values)
        }
    }

    /// Changes a source, and its gains with it.
    ///
    /// One lock protects the listener and its sources: the gains end up with the values of the last caller.
    func change(_ place: ConnectedPlace, _ change: (inout SourcePlacement) -> Void) {
        state.withLock { state in
            place.placement.withLock { change(&$0) }
            place.update(state.values)
        }
    }

    /// Updates the settings of a source.
    func update(_ place: ConnectedPlace) { state.withLock { place.update($0.values) } }
}
