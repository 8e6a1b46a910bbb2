// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources that other graphs of the engine hear, too: a graph sets its values at its own connections alone. Control thread.

import AudioGraph

extension GraphContent {
    /// True if other graphs of the engine hear the node at a place, too.
    func isShared(_ place: Int) -> Bool { place < document.nodes.count && document.nodes[place].kind == .input }

    /// The connections of this graph from a place to mixers and environments.
    func connections(from place: Int) -> [AudioMixingDestination] {
        guard let source = places[place] as? any AudioMixing else { return [] }
        return wires.filter { $0.source == place }.compactMap {
            source.destination(forMixer: places[$0.destination], bus: $0.destinationBus)
        }
    }
}

extension AudioMixingDestination {
    /// Takes a value of its source; `value` returns the source's values.
    func take(_ kind: GraphValue.Kind, _ value: (GraphValue.Kind) -> Float) {
        switch kind {
        case .volume: volume = value(.volume)
        case .pan: pan = value(.pan)
        case .x, .y, .z: if hasPlace { position = Audio3DPoint(x: value(.x), y: value(.y), z: value(.z)) }
        case .listenerX, .listenerY, .listenerZ, .yaw, .pitch, .roll: break
        }
    }
}
