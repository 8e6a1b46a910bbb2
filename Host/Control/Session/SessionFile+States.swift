// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Large states that a session's graph and scenes share are once in its file. Control thread.

import FoundationEssentials
import GraphDocuments
import PluginHosting

extension SessionFile {
    /// A state, and the units that have it.
    struct SharedState: Codable, Hashable, Sendable {
        /// A unit of the graph that plays, or of a scene.
        struct Place: Codable, Hashable, Sendable {
            /// The index of the scene; nil for the graph that plays.
            var scene: Int?
            /// The index of the node.
            var node: Int
        }

        var state: Data
        var places: [Place]
    }

    /// The fewest bytes of a state that is worth a place of its own.
    private static let leastShared = 4096

    /// The same session, whose large states are once in it if several units have them.
    var sharingStates: SessionFile {
        guard sharedStates == nil else { return self }
        var states: [SharedState] = []
        for (scene, graph) in [(nil, graph)] + scenes.enumerated().map({ (Optional($0), $1.graph) }) {
            for (node, state) in graph.largeStates(of: Self.leastShared) {
                let place = SharedState.Place(scene: scene, node: node)
                if let index = states.firstIndex(where: { $0.state == state }) {
                    states[index].places.append(place)
                } else {
                    states.append(SharedState(state: state, places: [place]))
                }
            }
        }
        states.removeAll { $0.places.count < 2 }
        var file = self
        for place in states.flatMap(\.places) { file.setState(nil, at: place) }
        file.sharedStates = states.isEmpty ? nil : states
        return file
    }

    /// The same session with other bytes in the place of each state.
    func replacingStates(_ other: (Data) -> Data) -> SessionFile {
        var file = self
        file.graph.replaceStates(other)
        for index in file.scenes.indices { file.scenes[index].graph.replaceStates(other) }
        file.sharedStates = sharedStates?.map { SharedState(state: other($0.state), places: $0.places) }
        return file
    }

    /// Puts the shared states into their places; throws if there is no such place.
    mutating func putSharedStates() throws(FileDefect) {
        guard let states = sharedStates else { return }
        sharedStates = nil
        for state in states {
            for place in state.places {
                guard isUnit(place) else { throw FileDefect("\"sharedStates\" names a node that is no effect") }
                setState(state.state, at: place)
            }
        }
    }

    private func isUnit(_ place: SharedState.Place) -> Bool {
        guard place.scene.map({ scenes.indices.contains($0) }) ?? true else { return false }
        let graph = place.scene.map { scenes[$0].graph } ?? graph
        guard graph.nodes.indices.contains(place.node), case .unit = graph.nodes[place.node].kind else { return false }
        return true
    }

    /// Sets the own data of the unit at a place, which exists.
    private mutating func setState(_ state: Data?, at place: SharedState.Place) {
        if let scene = place.scene {
            scenes[scene].graph.setState(state, of: place.node)
        } else {
            graph.setState(state, of: place.node)
        }
    }
}

extension GraphDocument {
    /// The units' states of at least so many bytes, with the indices of their nodes.
    fileprivate func largeStates(of least: Int) -> [(node: Int, state: Data)] {
        nodes.enumerated().compactMap { index, node in
            guard case .unit(let unit) = node.kind, let state = unit.saved.custom, state.count >= least else { return nil }
            return (index, state)
        }
    }

    fileprivate mutating func replaceStates(_ other: (Data) -> Data) {
        for (node, state) in largeStates(of: 0) { setState(other(state), of: node) }
    }

    fileprivate mutating func setState(_ state: Data?, of node: Int) {
        guard case .unit(var unit) = nodes[node].kind else { return }
        unit.saved.custom = state
        nodes[node].kind = .unit(unit)
    }
}
