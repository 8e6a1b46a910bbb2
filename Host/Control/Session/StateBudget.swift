// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory for states of units in scenes and in the history: one copy of equal ones, and a limit. Any thread.

import FoundationEssentials
import GraphDocuments

/// The states in documents that a session keeps.
///
/// A plug-in decides how large its state is, up to what fits into a message, and a session may keep hundreds of documents.
struct StateBudget: Sendable {
    /// The most bytes of the history's states; older steps go first.
    var historyByteCount = 256 << 20
    /// The most bytes of the states in scenes.
    var sceneByteCount = 1 << 30

    /// The states in documents, each of the equal ones once.
    static func states(in documents: some Sequence<GraphDocument>) -> [Data] {
        var states: [Data] = []
        for state in documents.lazy.flatMap(\.states) where !states.contains(where: { $0 == state }) { states.append(state) }
        return states
    }

    /// The bytes of all states in documents, each of the equal ones once.
    static func byteCount(of documents: some Sequence<GraphDocument>) -> Int {
        states(in: documents).reduce(0) { $0 + $1.count }
    }
}

extension GraphDocument {
    /// The units' own data beside their parameters.
    fileprivate var states: [Data] { savedUnits.compactMap(\.custom) }

    /// The same document, whose states that equal one of `known` are that one.
    func sharing(_ known: [Data]) -> GraphDocument {
        var document = self
        for (index, node) in nodes.enumerated() {
            guard case .unit(var unit) = node.kind, let own = unit.saved.custom else { continue }
            guard let same = known.first(where: { $0 == own }) else { continue }
            unit.saved.custom = same
            document.nodes[index].kind = .unit(unit)
        }
        return document
    }
}
