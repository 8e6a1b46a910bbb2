// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Joins successive units of a graph into one node of its plan; they hand over without the host. Any thread but the render thread.

import PluginHosting
import Rendering

/// A row of units.
///
/// Each unit reads only the one before, and only the next unit reads it. A row sounds as its units would one by one, and takes one hand-off
/// a unit instead of two. The units keep their memory: an edit takes a row apart and makes another one at any time.
final class GraphRow: PlannedOwner {
    let units: [AudioNode]
    let rendered: UnitRow
    /// The render times of the row; the last unit by itself takes less.
    let times = NodeHistory()

    init(_ units: [AudioNode], _ resources: [UnitResources]) throws(HostingError) {
        self.units = units
        rendered = try UnitRow(resources)
    }

    var members: [AudioNode] { units }
    var plannedRow: UnitRow? { rendered }
    var latencyFrameCount: Int { rendered.latencyFrameCount }
    var hasChangingLatency: Bool { true }

    /// True if the row renders these resources; other resources make another row.
    func consists(of resources: [UnitResources]) -> Bool { rendered.members.elementsEqual(resources) { $0 === $1 } }
}

/// Owns a node of a plan that stands for nodes of the program.
protocol PlannedOwner: AnyObject, Sendable {
    /// The program's nodes that the node stands for.
    var members: [AudioNode] { get }
    /// The row of the units that the node stands for; nil if it stands for no unit.
    var plannedRow: UnitRow? { get }
    /// The frames by which the outputs lag behind the inputs at present.
    var latencyFrameCount: Int { get }
    /// True if that latency may change while a plan holds the node.
    var hasChangingLatency: Bool { get }
}

extension AudioNode: PlannedOwner {
    var members: [AudioNode] { [self] }
    var plannedRow: UnitRow? { body.row }
    var hasChangingLatency: Bool { body.hasChangingLatency }
}

/// The units of one node of a plan: a single unit, or several in a row.
struct RenderedUnits {
    let owner: ObjectIdentifier
    let rendered: UnitRow

    /// Returns nil for a node that is no unit.
    init?(_ node: RenderGraph.Node) {
        guard let owner = node.plannedOwner, let rendered = owner.plannedRow else { return nil }
        (self.owner, self.rendered) = (ObjectIdentifier(owner), rendered)
    }
}

extension RenderGraph.Node {
    /// The owner that stands for the program's nodes; nil for a converter or a tap.
    var plannedOwner: (any PlannedOwner)? { owner as? any PlannedOwner }

    /// The program's nodes that the node stands for.
    var members: [AudioNode] { plannedOwner?.members ?? [] }
}

/// Joins units that follow each other into rows.
struct RowJoiner {
    private(set) var graph: RenderGraph
    private(set) var rows: [GraphRow] = []
    /// The connections that could be inside a row, and still fade in.
    private(set) var fading: [ConnectionState] = []
    /// For each node, its successor in a row and the connection to it.
    private var next: [(node: Int, connection: Int)?]
    private var hasFormer: [Bool]
    private let leaving: Set<ObjectIdentifier>

    /// Finds the rows of a graph.
    ///
    /// `known` holds the rows of the plan before, which stay unchanged. The connections in `leaving` may still fade out in a rendered plan,
    /// so they stay outside of rows.
    init(_ graph: RenderGraph, keeping known: [GraphRow], leaving: Set<ObjectIdentifier>) {
        self.graph = graph
        self.leaving = leaving
        next = Array(repeating: nil, count: graph.nodes.count)
        hasFormer = Array(repeating: false, count: graph.nodes.count)
        findNeighbours()
        join(known)
    }

    private mutating func findNeighbours() {
        var (ins, outs) = ([Int](repeating: 0, count: graph.nodes.count), [Int](repeating: 0, count: graph.nodes.count))
        for connection in graph.connections {
            outs[connection.source.node] += 1
            ins[connection.destination.node] += 1
        }
        for (index, connection) in graph.connections.enumerated() {
            let (source, destination) = (connection.source.node, connection.destination.node)
            guard outs[source] == 1, ins[destination] == 1, source != destination, connection.source.bus == 0,
                connection.destination.bus == 0,
                !connection.isLeaving, connection.state.mixing == nil, connection.state.processor == nil,
                fits(source, before: destination)
            else { continue }
            // A first plan needs no fades.
            let isPlain = connection.state.isPlain && !leaving.contains(ObjectIdentifier(connection.state))
            guard isPlain || graph.fadeFrameCount == 0 else {
                fading.append(connection.state)
                continue
            }
            next[source] = (destination, index)
            hasFormer[destination] = true
        }
    }

    private func fits(_ source: Int, before destination: Int) -> Bool {
        guard let first = graph.nodes[source].plannedOwner?.plannedRow?.members.last,
            let second = graph.nodes[destination].plannedOwner?.plannedRow?.members.first
        else { return false }
        // All units of a row render the same number of frames.
        guard graph.nodes[source].inputClock == nil, graph.nodes[destination].inputClock == nil else { return false }
        return first.canLead(to: second)
    }

    private mutating func join(_ known: [GraphRow]) {
        var standsFor: [Int] = Array(graph.nodes.indices)
        var gone: Set<Int> = []
        var inner: Set<Int> = []
        let knownByFirst = Dictionary(known.map { (ObjectIdentifier($0.units[0]), $0) }) { first, _ in first }
        for first in graph.nodes.indices where next[first] != nil && !hasFormer[first] {
            var (indices, connections) = ([first], [Int]())
            while let (node, connection) = next[indices[indices.count - 1]] {
                // Nodes that feed each other are no row: the plan refuses them.
                guard !indices.contains(node) else { break }
                indices.append(node)
                connections.append(connection)
            }
            let units = indices.flatMap { graph.nodes[$0].members }
            let resources = units.compactMap(\.body.resources)
            let former = knownByFirst[ObjectIdentifier(units[0])].flatMap { $0.consists(of: resources) ? $0 : nil }
            // Without memory for a row its units stay single.
            guard let row = former ?? (try? GraphRow(units, resources)) else { continue }
            rows.append(row)
            graph.nodes[first] = node(for: row, indices, connections)
            for index in indices.dropFirst() {
                standsFor[index] = first
                gone.insert(index)
            }
            inner.formUnion(connections)
        }
        if !gone.isEmpty { remove(gone, standsFor, inner) }
    }

    private func node(for row: GraphRow, _ indices: [Int], _ connections: [Int]) -> RenderGraph.Node {
        let (first, last) = (graph.nodes[indices[0]], graph.nodes[indices[indices.count - 1]])
        var node = RenderGraph.Node(
            .render(row.rendered), inputChannelCounts: first.inputChannelCounts, outputChannelCounts: last.outputChannelCounts,
            latencyFrameCount: row.rendered.latencyFrameCount, history: last.history, owner: row, isSink: last.isSink)
        node.times = row.times
        // Units keep their rate when the device changes its own: their clock is not the first one then.
        node.clock = last.clock
        (node.inputLayouts, node.outputLayouts) = (first.inputLayouts, last.outputLayouts)
        node.interior.connections = connections.map { graph.connections[$0].state }
        node.interior.histories = indices.dropLast().map { graph.nodes[$0].history }
        return node
    }

    private mutating func remove(_ gone: Set<Int>, _ standsFor: [Int], _ inner: Set<Int>) {
        var places = [Int](repeating: 0, count: graph.nodes.count)
        var kept: [RenderGraph.Node] = []
        for (index, node) in graph.nodes.enumerated() where !gone.contains(index) {
            places[index] = kept.count
            kept.append(node)
        }
        graph.nodes = kept
        graph.output = graph.output.map { places[standsFor[$0]] }
        graph.connections = graph.connections.enumerated().filter { !inner.contains($0.offset) }.map { _, connection in
            var connection = connection
            connection.source.node = places[standsFor[connection.source.node]]
            connection.destination.node = places[standsFor[connection.destination.node]]
            return connection
        }
    }
}
