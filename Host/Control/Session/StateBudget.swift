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
    /// The most bytes of the states in scenes, which fit into the session's file with those of the graph that plays.
    var sceneByteCount = 256 << 20
    /// The bytes of a text above which it counts: a plug-in may keep as much in texts.
    private static let longText = 1 << 16

    /// The states in documents, each of those with the same memory once.
    ///
    /// Contents are not compared here: a plug-in could make that take long for each of hundreds of documents.
    static func states(in documents: some Sequence<GraphDocument>) -> [Data] {
        var seen: Set<StatePlace> = []
        return documents.flatMap(\.states).filter { seen.insert(StatePlace($0)).inserted }
    }

    /// The bytes of all states and long texts in documents, each of those with the same memory once.
    static func byteCount(of documents: some Sequence<GraphDocument>) -> Int {
        let texts = Set(documents.lazy.flatMap(\.texts).filter { $0.utf8.count > Self.longText })
        return states(in: documents).reduce(0) { $0 + $1.count } + texts.reduce(0) { $0 + $1.utf8.count }
    }
}

/// The memory of a state.
private struct StatePlace: Hashable {
    private let start: UnsafeRawPointer?
    private let count: Int

    init(_ state: Data) { (start, count) = state.withUnsafeBytes { ($0.baseAddress, $0.count) } }
}

extension GraphDocument {
    /// The units' own data beside their parameters.
    fileprivate var states: [Data] { savedUnits.compactMap(\.custom) }

    /// The units' texts.
    fileprivate var texts: [String] { savedUnits.flatMap { ($0.texts ?? [:]).values } }

    /// The same document, whose states that equal one of `known` have its memory.
    func sharing(_ known: [Data]) -> GraphDocument {
        var document = self
        for (index, node) in nodes.enumerated() {
            guard case .unit(var unit) = node.kind, let own = unit.saved.custom else { continue }
            let place = StatePlace(own)
            guard !known.contains(where: { StatePlace($0) == place }), let same = known.first(where: { $0 == own }) else {
                continue
            }
            unit.saved.custom = same
            document.nodes[index].kind = .unit(unit)
        }
        return document
    }
}
