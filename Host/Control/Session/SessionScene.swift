// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A scene: a whole graph with its settings and a name. Any thread.

import GraphDocuments

/// A graph that a session can change to.
package struct SessionScene: Codable, Hashable, Sendable {
    /// The name.
    package var name: String
    /// The graph.
    package var graph: GraphDocument

    /// Makes a scene.
    package init(name: String, graph: GraphDocument) { (self.name, self.graph) = (name, graph) }
}
