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
    /// Routes of MIDI change at a frame of their own, which the log has. Otherwise players or songs begin, sources move or units take
    /// states, each at a frame that is not recorded.
    package let isOfPlanAlone: Bool
    /// The number of the change of MIDI's routes in the log; nil if they stay, or still have to change.
    package let routes: UInt64?
    /// Changes the routes of MIDI, if they were held back.
    package let heldMIDI: (@Sendable () -> Void)?
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
            return node.position == before.position && node.placement == before.placement
        }
    }

    /// True if it has players that another content lacks.
    func hasPlayers(beside other: GraphContent) -> Bool {
        let known = Set(other.places.map(ObjectIdentifier.init))
        return places.contains { $0 is AudioPlayerNode && !known.contains(ObjectIdentifier($0)) }
    }
}
