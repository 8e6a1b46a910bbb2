// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The listener of an environment, and the sources around it. Any thread but the render thread.

import Rendering
import Synchronization

/// How the level falls with the distance.
public enum AudioDistanceAttenuationModel: Int, Hashable, Sendable, CaseIterable {
    /// (distance / reference) to the power of −roll-off.
    case exponential = 1
    /// Reference / (reference + roll-off · (distance − reference)).
    case inverse = 2
    /// 1 − roll-off · (distance − reference) / (maximum − reference).
    case linear = 3
}

/// What is known of the distance law.
struct DistanceLaw: Hashable, Sendable {
    var model = AudioDistanceAttenuationModel.inverse
    /// In metres.
    var reference: Float = 1
    var maximum: Float = 100_000
    var rolloff: Float = 1

    /// The gain at a distance in metres; nearer than the reference nothing is added, and beyond the maximum nothing is lost.
    func gain(at metres: Double) -> Float {
        let (reference, rolloff) = (Double(reference), Double(rolloff))
        let far = max(reference, Double(maximum))
        let distance = max(reference, min(far, metres))
        let gain =
            switch model {
            case .exponential: Maths.pow(distance / reference, -rolloff)
            case .inverse: reference / (reference + rolloff * (distance - reference))
            case .linear: far > reference ? 1 - rolloff * (distance - reference) / (far - reference) : 1
            }
        return gain.isFinite ? Float(max(0, min(1, gain))) : 0
    }
}

/// A listener and the sources around it.
final class EnvironmentSpace: Sendable {
    /// The listener.
    struct Values {
        var position = Audio3DPoint()
        var axes = HeadAxes()
        var angles = Audio3DAngularOrientation()
        var vectors = Audio3DVectorOrientation()
        var distance = DistanceLaw()
    }

    private struct Weak { weak var place: ConnectedPlace? }

    private struct State {
        var values = Values()
        var places: [Weak] = []
    }

    private let state = Mutex(State())

    var values: Values { state.withLock { $0.values } }

    /// Changes the listener; all sources follow.
    func change(_ change: (inout Values) -> Void) {
        state.withLock { state in
            change(&state.values)
            for place in state.places.compactMap(\.place) { place.update(state.values) }
        }
    }

    /// Takes a source in.
    func add(_ place: ConnectedPlace) {
        state.withLock { state in
            state.places.removeAll { $0.place == nil }
            state.places.append(Weak(place: place))
            place.update(state.values)
        }
    }

    /// Changes a source, and its gains with it.
    ///
    /// One lock for the listener and its sources: the gains end up as the last caller of either said.
    func change(_ place: ConnectedPlace, _ change: (inout SourcePlacement) -> Void) {
        state.withLock { state in
            place.placement.withLock { change(&$0) }
            place.update(state.values)
        }
    }
}

/// The place of a source at one input bus of an environment.
final class ConnectedPlace: Sendable {
    /// What is rendered.
    let state = PlacedState()
    let placement: Mutex<SourcePlacement>
    private let space: EnvironmentSpace

    init(_ placement: SourcePlacement, in space: EnvironmentSpace) {
        self.placement = Mutex(placement)
        self.space = space
        space.add(self)
    }

    func change(_ change: (inout SourcePlacement) -> Void) { space.change(self, change) }

    /// The caller holds the space's lock.
    fileprivate func update(_ values: EnvironmentSpace.Values) { state.set(placement.withLock { $0 }.gains(values)) }
}
