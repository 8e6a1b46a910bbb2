// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes to render and their order, chosen so that units in other processes render at the same time. Control thread.

/// One call of a node.
struct NodePart: Hashable {
    enum Kind {
        /// All of the node.
        case whole
        /// The three parts of a `ConcurrentNode`.
        case beginning, waiting, completion
    }

    let node: Int
    let kind: Kind
}

/// The calls of a plan, in groups.
///
/// Every node comes after the nodes whose outputs it reads. A group holds nodes of the host that follow each other, or one part
/// of a concurrent node: the clock is read between groups. The time to find the order is linear in nodes and connections.
struct GraphOrder {
    struct Group: Equatable {
        /// The calls, as indices in `parts`.
        var parts: Range<Int>
        /// For groups that begin together, the index after the last one's completion; for others the index after this one.
        var end: Int
    }

    private(set) var parts: [NodePart] = []
    private(set) var groups: [Group] = []
    /// True, for each node, if a path leads from it to a sink.
    let isActive: [Bool]
    /// For each node, the indices of the connections that lead to it, in their order.
    let incoming: [ArraySlice<Int>]

    /// For each node, the indices of the connections that lead from it.
    private let outgoing: [ArraySlice<Int>]
    private let graph: RenderGraph
    /// For each node, the number of connections from nodes that are not complete.
    private var missing: [Int]
    /// The host's nodes and the concurrent ones that can begin, in the order in which they became ready.
    private var readyHostNodes: [Int] = []
    private var readyConcurrentNodes: [Int] = []
    /// The concurrent nodes that have begun, each with the group of its beginning.
    private var open: [(node: Int, group: Int)] = []

    init(_ graph: RenderGraph) throws(RenderGraphError) {
        self.graph = graph
        incoming = Self.lists(graph.connections.map(\.destination.node), count: graph.nodes.count)
        outgoing = Self.lists(graph.connections.map(\.source.node), count: graph.nodes.count)
        isActive = Self.activeNodes(graph, incoming)
        missing = incoming.map(\.count)
        // A driver may have one memory for its input and output: its input is read before anything is written.
        let first = graph.nodes.indices.filter { isActive[$0] && missing[$0] == 0 }
        for node in first where isSource(node) { becomeReady(node) }
        for node in first where !isSource(node) { becomeReady(node) }
        order()
        let placed = parts.count { $0.kind == .whole || $0.kind == .completion }
        guard placed == isActive.count(where: { $0 }) else { throw .cycle(aCycle()) }
    }

    /// For each key, the indices at which it occurs: a counting sort.
    private static func lists(_ keys: [Int], count: Int) -> [ArraySlice<Int>] {
        var starts = [Int](repeating: 0, count: count + 1)
        for key in keys { starts[key + 1] += 1 }
        for key in 0..<count { starts[key + 1] += starts[key] }
        var next = starts
        var sorted = [Int](repeating: 0, count: keys.count)
        for (index, key) in keys.enumerated() {
            sorted[next[key]] = index
            next[key] += 1
        }
        return (0..<count).map { sorted[starts[$0]..<starts[$0 + 1]] }
    }

    private static func activeNodes(_ graph: RenderGraph, _ incoming: [ArraySlice<Int>]) -> [Bool] {
        var isActive = graph.nodes.map(\.isSink)
        var rest = graph.nodes.indices.filter { isActive[$0] }
        while let node = rest.popLast() {
            for connection in incoming[node] {
                let source = graph.connections[connection].source.node
                guard !isActive[source] else { continue }
                isActive[source] = true
                rest.append(source)
            }
        }
        return isActive
    }

    /// True for a node that can read nothing but the driver's input.
    private func isSource(_ node: Int) -> Bool {
        guard case .render(let work) = graph.nodes[node].work else { return false }
        return graph.nodes[node].inputChannelCounts.isEmpty && !work.isDriverOutput
    }

    private func isConcurrent(_ node: Int) -> Bool {
        guard case .render(let node) = graph.nodes[node].work else { return false }
        return node is any ConcurrentNode
    }

    private mutating func becomeReady(_ node: Int) {
        if isConcurrent(node) { readyConcurrentNodes.append(node) } else { readyHostNodes.append(node) }
    }

    /// Begins concurrent nodes as early as possible, and waits for them when nothing else is left to do.
    private mutating func order() {
        var nextHost = 0
        var nextConcurrent = 0
        while true {
            if nextConcurrent < readyConcurrentNodes.count {
                let node = readyConcurrentNodes[nextConcurrent]
                nextConcurrent += 1
                add(node, .beginning, joins: false)
                open.append((node, groups.count - 1))
            } else if nextHost < readyHostNodes.count {
                let node = readyHostNodes[nextHost]
                nextHost += 1
                add(node, .whole, joins: true)
                complete(node)
            } else if !open.isEmpty {
                completeOpenNodes()
            } else {
                return
            }
        }
    }

    /// Waits for the nodes that have begun and completes them.
    ///
    /// If nothing else is to be done meanwhile, a single node is called once, as a whole.
    private mutating func completeOpenNodes() {
        let begun = open
        open = []
        if begun.count == 1, begun[0].group == groups.count - 1 {
            parts[parts.count - 1] = NodePart(node: begun[0].node, kind: .whole)
            groups[groups.count - 1].end = groups.count
        } else {
            for (node, _) in begun.reversed() { add(node, .waiting, joins: false) }
            for (node, _) in begun { add(node, .completion, joins: false) }
            for (_, group) in begun { groups[group].end = groups.count }
        }
        for (node, _) in begun { complete(node) }
    }

    private mutating func add(_ node: Int, _ kind: NodePart.Kind, joins: Bool) {
        parts.append(NodePart(node: node, kind: kind))
        if joins, let last = groups.last, let part = parts[last.parts].last, part.kind == .whole, !isConcurrent(part.node) {
            groups[groups.count - 1].parts = last.parts.lowerBound..<parts.count
        } else {
            // For groups that begin together, the end is known after their completion.
            groups.append(Group(parts: parts.count - 1..<parts.count, end: groups.count + 1))
        }
    }

    private mutating func complete(_ node: Int) {
        for connection in outgoing[node] {
            let reader = graph.connections[connection].destination.node
            missing[reader] -= 1
            if missing[reader] == 0, isActive[reader] { becomeReady(reader) }
        }
    }

    /// Nodes that feed each other; call it only if there are some.
    private func aCycle() -> [Int] {
        guard var node = missing.indices.first(where: { isActive[$0] && missing[$0] > 0 }) else { return [] }
        // From every node that cannot begin, a connection leads back to another such node. So the path must return to a visited
        // one.
        var visited: [Int: Int] = [:]
        var path: [Int] = []
        while visited[node] == nil {
            visited[node] = path.count
            path.append(node)
            let source = incoming[node].lazy.map { graph.connections[$0].source.node }.first { missing[$0] > 0 }
            guard let source else { return [] }
            node = source
        }
        return Array(path[(visited[node] ?? 0)...].reversed())
    }
}
