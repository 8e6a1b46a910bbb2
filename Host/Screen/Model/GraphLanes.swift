// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph as rows: each node has its own row, with the signals as lanes beside it. Any thread.

import Cells

/// A graph as lanes, from the sources down to the main mixer.
package struct GraphLanes: Equatable, Sendable {
    /// A row: the lanes, and the node on one of them; a row between two nodes has no node.
    package struct Row: Equatable, Sendable {
        package var lanes: [Unicode.Scalar]
        package var node: String?
        /// The column of the node's mark among the lanes.
        package var mark = 0
    }

    package private(set) var rows: [Row] = []
    /// The signals in transit: each lane has its destination.
    private var lanes: [String?] = []

    /// The most drawn lanes; further lanes on the right are omitted.
    private static let mostLanes = 8

    package init(nodes: [String], connections: [(from: String, to: String)]) {
        for node in Self.ordered(nodes, connections) {
            add(node, outgoing: connections.filter { $0.from == node }.map(\.to))
        }
    }

    /// The width of all lanes in columns.
    package var width: Int { min(2 * Self.mostLanes, (rows.map(\.lanes.count).max() ?? 0) + 1) }

    /// The nodes from the sources on; of several ready nodes the first in the document comes first, so that the order is
    /// stable.
    ///
    /// A node on a cycle comes at its position in the document.
    private static func ordered(_ nodes: [String], _ connections: [(from: String, to: String)]) -> [String] {
        var waiting = nodes
        var ordered: [String] = []
        var missing: [String: Int] = [:]
        let known = Set(nodes)
        for connection in connections where known.contains(connection.from) { missing[connection.to, default: 0] += 1 }
        while !waiting.isEmpty {
            // A branch is drawn to its end before the next one begins.
            let ready = waiting.indices.filter { missing[waiting[$0], default: 0] == 0 }
            let next =
                ready.first { index in connections.contains { $0.to == waiting[index] && $0.from == ordered.last } } ?? ready.first
                ?? 0
            let node = waiting.remove(at: next)
            ordered.append(node)
            for connection in connections where connection.from == node { missing[connection.to, default: 0] -= 1 }
        }
        return ordered
    }

    private mutating func add(_ node: String, outgoing: [String]) {
        let arriving = lanes.indices.filter { lanes[$0] == node }
        let own = arriving.first ?? freeLane()
        rows.append(row(of: node, at: own, merging: Array(arriving.dropFirst())))
        for lane in arriving { lanes[lane] = nil }
        lanes[own] = outgoing.first
        if outgoing.count > 1 { fork(own, outgoing.dropFirst()) }
        while let last = lanes.last, last == nil { lanes.removeLast() }
    }

    private mutating func freeLane() -> Int {
        if let free = lanes.firstIndex(where: { $0 == nil }) { return free }
        lanes.append(nil)
        return lanes.count - 1
    }

    /// The passing lanes, each two columns wide.
    private var passing: [Unicode.Scalar] {
        lanes.enumerated().flatMap { [$1 == nil ? " " : "│", " "] as [Unicode.Scalar] }
    }

    private func row(of node: String, at own: Int, merging: [Int]) -> Row {
        var line = passing
        if let last = merging.last {
            for column in 2 * own + 1..<2 * last {
                line[column] = line[column] == "│" ? "┼" : "─"
            }
            for lane in merging { line[2 * lane] = lane == last ? "┘" : "┴" }
        }
        return Row(lanes: trimmed(line), node: node, mark: 2 * own)
    }

    /// Adds a row in which further signals branch off to their own lanes.
    private mutating func fork(_ own: Int, _ targets: ArraySlice<String>) {
        var new: [Int] = []
        for target in targets {
            let lane = lanes[(own + 1)...].firstIndex { $0 == nil } ?? lanes.count
            if lane == lanes.count { lanes.append(nil) }
            lanes[lane] = target
            new.append(lane)
        }
        guard let last = new.max() else { return }
        var line = passing
        line[2 * own] = "├"
        for column in 2 * own + 1..<2 * last { line[column] = line[column] == "│" ? "┼" : "─" }
        for lane in new { line[2 * lane] = lane == last ? "┐" : "┬" }
        rows.append(Row(lanes: trimmed(line)))
    }

    private func trimmed(_ line: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var line = Array(line.prefix(2 * Self.mostLanes))
        while line.last == " " { line.removeLast() }
        return line
    }
}
