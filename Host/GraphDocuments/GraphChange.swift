// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reports how an edit of a playing graph is heard. Control thread.

import AudioGraph

/// An edit of a playing graph.
package struct GraphChange: Sendable {
    /// The time at which the edit is heard.
    package let ticket: EditTicket
    /// True if the whole edit is heard in one cycle, except parameter values and levels, which may come earlier.
    ///
    /// Otherwise players begin, MIDI routes change, sources move or units take states, each at a frame that is not recorded.
    package let isOfPlanAlone: Bool
}

extension GraphContent {
    /// True if nodes with the same names in another content have the same places around the same listeners.
    func placesSound(as other: GraphContent) -> Bool {
        let former = Dictionary(other.document.nodes.map { ($0.id, $0) }) { first, _ in first }
        return document.nodes.allSatisfy { node in
            guard let before = former[node.id] else { return true }
            if case .environment(var one) = node.kind, case .environment(let other) = before.kind {
                one.outputVolume = other.outputVolume
                guard one == other else { return false }
            }
            return node.position == before.position
        }
    }

    /// True if it has players that another content lacks.
    func hasPlayers(beside other: GraphContent) -> Bool {
        let known = Set(other.places.map(ObjectIdentifier.init))
        return places.contains { $0 is AudioPlayerNode && !known.contains(ObjectIdentifier($0)) }
    }
}
