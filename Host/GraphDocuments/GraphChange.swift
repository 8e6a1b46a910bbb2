// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What has become of a graph that was edited while it plays. Control thread.

import AudioGraph

/// An edit of a graph that plays.
package struct GraphChange: Sendable {
    /// When it is heard.
    package let ticket: EditTicket
    /// Whether all of it is heard in one cycle, but for values of parameters and levels, which may be heard before.
    ///
    /// Else players begin, MIDI goes other ways, places move or units take states, each at a frame that nobody notes.
    package let isOfPlanAlone: Bool
}

extension GraphContent {
    /// Whether nodes of another content with the same names are at the same places around the same listeners.
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

    /// Whether it has players that another content does not have.
    func hasPlayers(beside other: GraphContent) -> Bool {
        let known = Set(other.places.map(ObjectIdentifier.init))
        return places.contains { $0 is AudioPlayerNode && !known.contains(ObjectIdentifier($0)) }
    }
}
