// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a graph while it plays: read, set without an edit, and by the names of a log. Control threads.

import AudioGraph
import PluginHosting

extension BuiltGraph {
    /// A value of a node as it is now; nil where the graph has none of the name.
    package func value(of name: GraphValue) -> Double? { values.withLock { $0[name] } }

    /// Sets a value of a node, and returns the one before; nil where the graph has none of the name.
    ///
    /// The render thread glides to it from its next cycle on. No plan is compiled, and no document copied. Throws `malformed` where the
    /// node leads to no mixer.
    @discardableResult
    package func set(_ value: Double, of name: GraphValue) throws(GraphDocumentError) -> Double? {
        try values.withLock { values throws(GraphDocumentError) in try values.set(value, of: name) }
    }

    /// All values of nodes as they are now.
    package var nodeValues: [GraphValue: Double] { values.withLock { $0.all } }

    /// How often a value of a node has changed.
    package var valueRevision: Int { values.withLock { $0.revision } }

    /// Whether a node has this name, the main mixer included.
    package func has(node name: String) -> Bool {
        name == GraphDocument.mainID || name != GraphDocument.outputID && withContent { $0.place(of: name) != nil }
    }

    /// The unit of a node; nil where the node is no unit, or one that was not started.
    package func unit(of node: String) -> PluginUnit? {
        withContent { content in content.place(of: node).flatMap { content.units[$0] } }
    }
}

extension BuiltGraph {
    /// All levels that a log knows, by names that the same graph has in another engine, too.
    ///
    /// A connection is called `Synth:0 main:0`. The output of a mixer has the mixer's own name.
    package var loggedLevels: [(name: String, level: any LoggedLevel)] {
        let content = content
        let names = content.document.nodes.map(\.id) + [GraphDocument.mainID, GraphDocument.outputID]
        var levels: [(name: String, level: any LoggedLevel)] = []
        for (name, node) in zip(names, content.places) {
            if let mixer = node as? any LoggedLevel { levels.append((name, mixer)) }
        }
        for wire in content.wires {
            let (source, destination) = (content.places[wire.source], content.places[wire.destination])
            let name = "\(names[wire.source]):\(wire.sourceBus) \(names[wire.destination]):\(wire.destinationBus)"
            let level = (source as? any AudioMixing)?.destination(forMixer: destination, bus: wire.destinationBus)
            if let level { levels.append((name, level)) }
        }
        if isScene { levels.append(("everything", engine.mainMixerNode)) }
        return levels
    }
}
