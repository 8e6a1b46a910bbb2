// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits a graph's document by names: inserts, removes and moves nodes, and connects them. Any thread.

import PluginHosting
import Printing

/// The reason why an edit of a document is refused.
public enum GraphEditError: Error, Hashable, Sendable {
    /// No node has this name; the nearest names are given.
    case noSuchNode(String, nearest: [String])
    /// The document has no such connection.
    case noSuchConnection(String)
    /// The document has the connection already.
    case connectedAlready(String)
    /// The place for a node is ambiguous.
    case unclearPlace(node: String, reason: String)
    /// The input, the main mixer or the output cannot be moved.
    case fixed(node: String)
}

extension GraphEditError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .noSuchNode(let name, let nearest):
            "There is no node \(GraphDocumentError.quoted(name))"
                + (nearest.isEmpty
                    ? "." : "; did you mean \(nearest.map { GraphDocumentError.quoted($0) }.joined(separator: " or "))?")
        case .noSuchConnection(let text): "There is no connection \(GraphDocumentError.quoted(text))."
        case .connectedAlready(let text): "There is a connection \(GraphDocumentError.quoted(text)) already."
        case .unclearPlace(let node, let reason):
            "It is not clear where \(GraphDocumentError.quoted(node)) should go: \(reason). Say after or before which node."
        case .fixed(let node): "\(GraphDocumentError.quoted(node)) stays where it is; move what is connected to it."
        }
    }
}

extension GraphDocument {
    /// The place at which a node is inserted.
    public enum Spot: Hashable, Sendable {
        /// Behind that node: the new node leads to that node's destinations.
        case after(String)
        /// In front of bus 0 of that node, between it and the one node that leads there.
        case before(String)
        /// In front of the main mixer.
        case end
    }

    /// An unused name: the wish, or the wish with a number.
    public func freeName(_ wish: String) -> String {
        let taken = Set(nodes.map(\.id) + [Self.mainID, Self.outputID])
        let plain = String(PrintableText.cleaned(wish, limit: 40).replacing(":", with: " "))
        let name = plain.isEmpty ? "node" : plain
        return taken.contains(name) ? (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name : name
    }

    /// Inserts a node that has an input and an output.
    public mutating func insert(_ node: Node, at spot: Spot) throws(GraphEditError) {
        switch spot {
        case .after(let name):
            try check(name)
            guard name != Self.outputID else { throw .fixed(node: name) }
            for index in connections.indices
            where connections[index].from == End(name) || connections[index].from == End(name, bus: 0) {
                connections[index].from = End(node.id)
            }
            // The main mixer leads to the output unless another node does.
            if name == Self.mainID, !leadsOut {
                connections.append(Connection(from: End(node.id), to: End(Self.outputID)))
            }
            connections.append(Connection(from: End(name), to: End(node.id)))
        case .before(let name): try insert(node.id, before: name)
        case .end: try insert(node.id, before: Self.mainID)
        }
        nodes.append(node)
        handLevels(to: node.id)
    }

    /// True if a node leads to a mixer; only mixers have levels for their sources.
    private func feedsMixer(_ name: String) -> Bool {
        connections.contains { connection in
            guard connection.from.node == name else { return false }
            return connection.to.node == Self.mainID || nodes.first { $0.id == connection.to.node }?.kind.addsUp == true
        }
    }

    /// Hands levels of nodes that no longer lead to a mixer to the node between them and the mixer.
    private mutating func handLevels(to name: String) {
        for index in nodes.indices where nodes[index].id != name && (nodes[index].volume != nil || nodes[index].pan != nil) {
            guard !feedsMixer(nodes[index].id) else { continue }
            if let last = nodes.firstIndex(where: { $0.id == name }), feedsMixer(name) {
                nodes[last].volume = nodes[last].volume ?? nodes[index].volume
                nodes[last].pan = nodes[last].pan ?? nodes[index].pan
            }
            (nodes[index].volume, nodes[index].pan) = (nil, nil)
        }
    }

    private mutating func insert(_ id: String, before name: String) throws(GraphEditError) {
        try check(name)
        let leading = connections.indices.filter {
            connections[$0].to.node == name && connections[$0].to.bus ?? 0 == 0 || connections[$0].to == End(name)
        }
        switch leading.count {
        case 0:
            if name == Self.mainID, let idle = idleInput { connections.append(Connection(from: End(idle), to: End(id))) }
            let isOutput = name == Self.outputID
            if isOutput { connections.append(Connection(from: End(Self.mainID), to: End(id))) }
            connections.append(Connection(from: End(id), to: End(name)))
        case 1:
            let former = connections[leading[0]]
            connections[leading[0]].from = End(id)
            connections.append(Connection(from: former.from, to: End(id)))
        default:
            throw .unclearPlace(node: id, reason: "\(leading.count) nodes lead to \(GraphDocumentError.quoted(name))")
        }
    }

    /// The input, if it is not connected.
    private var idleInput: String? {
        nodes.first { node in node.kind == .input && !connections.contains { $0.from.node == node.id } }?.id
    }

    /// Removes a node; its sources then lead to its destinations.
    public mutating func remove(_ name: String) throws(GraphEditError) -> Node {
        guard let place = nodes.firstIndex(where: { $0.id == name }) else {
            try check(name)
            throw .fixed(node: name)
        }
        let (arriving, leaving) = (
            connections.filter { $0.to.node == name && $0.to.bus ?? 0 == 0 },
            connections.filter { $0.from.node == name && $0.from.bus ?? 0 == 0 }
        )
        connections.removeAll { $0.to.node == name || $0.from.node == name }
        midi?.routes.removeAll { $0.to == name }
        for leave in leaving {
            for arrive in arriving {
                var joined = leave
                joined.from = arrive.from
                if !connections.contains(where: { Ends($0) == Ends(joined) }) { connections.append(joined) }
            }
        }
        // The main mixer leads to the output by itself.
        connections.removeAll { $0.from.node == Self.mainID && $0.to.isMainOutput }
        return nodes.remove(at: place)
    }

    /// Moves a node with one input and one output to another place.
    public mutating func move(_ name: String, to spot: Spot) throws(GraphEditError) {
        var moved = self
        switch spot {
        case .after(let other), .before(let other):
            guard other != name else { throw .unclearPlace(node: name, reason: "a node cannot go beside itself") }
        case .end: break
        }
        let place = nodes.firstIndex { $0.id == name }
        var node = try moved.remove(name)
        // In its new place it leads elsewhere.
        let level = (node.volume, node.pan)
        (node.volume, node.pan) = (nil, nil)
        try moved.insert(node, at: spot)
        if moved.feedsMixer(name), let index = moved.nodes.firstIndex(where: { $0.id == name }) {
            moved.nodes[index].volume = moved.nodes[index].volume ?? level.0
            moved.nodes[index].pan = moved.nodes[index].pan ?? level.1
        }
        // The order of the nodes is the user's.
        if let place, let node = moved.nodes.popLast() { moved.nodes.insert(node, at: place) }
        self = moved
    }

    /// Connects two ends.
    public mutating func connect(_ connection: Connection) throws(GraphEditError) {
        try check(connection.from.node)
        try check(connection.to.node)
        guard !connections.contains(where: { Ends($0) == Ends(connection) }) else {
            throw .connectedAlready("\(connection)")
        }
        connections.append(connection)
    }

    /// Disconnects two ends.
    public mutating func disconnect(from: End, to: End) throws(GraphEditError) {
        guard let index = connections.firstIndex(where: { $0.from == from && $0.to == to }) else {
            try check(from.node)
            try check(to.node)
            throw .noSuchConnection("\(from) → \(to)")
        }
        connections.remove(at: index)
    }

    private func check(_ name: String) throws(GraphEditError) {
        let names = nodes.map(\.id) + [Self.mainID, Self.outputID]
        guard !names.contains(name) else { return }
        throw .noSuchNode(name, nearest: NearestNames.among(names, to: name))
    }
}
