// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The listener of an environment, and the sources around it. Any thread but the render thread.

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
        var listenerPosition = Audio3DPoint() { didSet { listener.position = SpacePoint(listenerPosition) } }
    }

    private struct Weak { weak var place: ConnectedPlace? }

    private struct State {
        var values = Values()
        var places: [Weak] = []
    }

    private let state = Mutex(State())

    var values: Values { state.withLock { $0.values } }

    /// Changes the listener, and all gains with it.
    func change(_ change: (inout Values) -> Void) {
        state.withLock { state in
            change(&state.values)
            for place in state.places.compactMap(\.place) { place.update(state.values) }
        }
    }

    /// Adds a source.
    func add(_ place: ConnectedPlace) {
        state.withLock { state in
            state.places.removeAll { $0.place == nil }
            state.places.append(Weak(place: place))
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
}

/// The position of a source at one input bus of an environment.
final class ConnectedPlace: Sendable {
    /// The processor of the connection.
    let panner = EqualPowerPanner()
    let placement: Mutex<SourcePlacement>
    private let space: EnvironmentSpace

    init(_ placement: SourcePlacement, in space: EnvironmentSpace) {
        self.placement = Mutex(placement)
        self.space = space
        space.add(self)
    }

    func change(_ change: (inout SourcePlacement) -> Void) { space.change(self, change) }

    /// Updates the gains; the caller holds the space's lock.
    fileprivate func update(_ values: EnvironmentSpace.Values) {
        panner.set(placement.withLock { $0 }.source.pannerGains(for: values.listener))
    }
}
