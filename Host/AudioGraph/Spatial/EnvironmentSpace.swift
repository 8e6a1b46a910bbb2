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
        /// The head of the listener; nil for the standard one.
        var head: AudioHead?
        var listenerPosition = Audio3DPoint() { didSet { listener.position = SpacePoint(listenerPosition) } }
    }

    private struct Weak { weak var place: ConnectedPlace? }

    private struct State {
        var values = Values()
        var places: [Weak] = []
    }

    private let state = Mutex(State())
    /// The sum of all sources that the head hears.
    let sum = HeadMixerSum()
    /// The listener's node, which reports that a head cannot be used.
    private let node = Mutex<WeakNode>(WeakNode())

    private struct WeakNode { weak var node: AudioNode? }

    func belong(to node: AudioNode) { self.node.withLock { $0.node = node } }

    func refuse(_ error: HeadSetError) { node.withLock { $0.node }?.refuse(error) }

    var values: Values { state.withLock { $0.values } }

    /// Changes the listener, and all gains with it.
    func change(_ change: (inout Values) -> Void) {
        state.withLock { state in
            change(&state.values)
            for place in state.places.compactMap(\.place) { place.update(state.values) }
        }
    }

    /// Changes the listener's head.
    func changeHead(_ head: AudioHead?) {
        change { $0.head = head }
        let places = state.withLock { $0.places.compactMap(\.place) }
        for place in places { place.prepareHead() }
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

    /// Updates the gains of a source.
    func update(_ place: ConnectedPlace) { state.withLock { place.update($0.values) } }
}
