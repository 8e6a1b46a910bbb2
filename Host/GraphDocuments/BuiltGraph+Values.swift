// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and sets the values of a playing graph without an edit, also by the names of a log. Control threads.

import AudioGraph
import PluginHosting

extension BuiltGraph {
    /// The current value of a node; nil if the graph has none of this name.
    package func value(of name: GraphValue) -> Double? { values.withLock { $0[name] } }

    /// Sets a value of a node, and returns the former one; nil if the graph has none of this name.
    ///
    /// The render thread glides to the value from its next cycle on. No plan is compiled, and no document copied. Throws `malformed` if the
    /// node leads to no mixer.
    @discardableResult
    package func set(_ value: Double, of name: GraphValue) throws(GraphDocumentError) -> Double? {
        try values.withLock { values throws(GraphDocumentError) in try values.set(value, of: name) }
    }

    /// The current values of all nodes.
    package var nodeValues: [GraphValue: Double] { values.withLock { $0.all } }

    /// Counts the changes of node values.
    package var valueRevision: Int { values.withLock { $0.revision } }

    /// True if a node, or the main mixer, has this name.
    package func has(node name: String) -> Bool {
        name == GraphDocument.mainID || name != GraphDocument.outputID && withContent { $0.place(of: name) != nil }
    }

    /// The unit of a node; nil if the node is not a unit, or its unit was not started.
    package func unit(of node: String) -> PluginUnit? {
        withContent { content in content.place(of: node).flatMap { content.units[$0] } }
    }
}

extension BuiltGraph {
    /// All levels that a log knows, by names that the same graph also has in another engine.
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
