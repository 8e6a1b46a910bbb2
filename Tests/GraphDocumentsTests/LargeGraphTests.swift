// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A large graph is made in as many steps as a small one, however its nodes are connected. Test thread.

import GraphDocuments
import HostingTestSupport
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite struct LargeGraphTests {
    /// The mixers of a graph, and the connections among them.
    enum Shape: CaseIterable {
        case row, fanOut, fanIn, ladder

        func connections(_ count: Int) -> [GraphDocument.Connection] {
            func connection(_ from: String, _ to: String) -> GraphDocument.Connection { .init(from: .init(from), to: .init(to)) }
            let row = (1..<count).map { connection("\($0 - 1)", "\($0)") } + [connection("\(count - 1)", "main")]
            let fan = (1..<count).map { connection("0", "\($0)") }
            return switch self {
            case .row: row
            case .fanOut: fan + [connection("0", "main")]
            case .fanIn: (0..<count).map { connection("\($0)", "main") }
            // The first row's connection would be there twice.
            case .ladder: fan + row.dropFirst()
            }
        }
    }

    /// Makes a graph of so many mixers, and returns the number of edits that it took.
    private func editCount(_ shape: Shape, _ count: Int) throws -> Int {
        let nodes = (0..<count).map { GraphDocument.Node(id: "\($0)", .mixer(outputVolume: 1)) }
        let document = GraphDocument(nodes: nodes, connections: shape.connections(count))
        let engine = try AudioEngine.offline()
        let before = engine.state.withLock { $0.progress.waiting.count }
        _ = try document.build(into: engine, from: ComponentRegistry(searchPath: []), allowing: Allowances(), name: "large")
        let edits = engine.state.withLock { $0.progress.waiting.count } - before
        #expect(engine.attachedNodes.count == count + 2)
        try engine.start()
        engine.stop()
        return edits
    }

    /// Each edit keeps the graph before it: with one for each connection, the time would grow with the square of the size.
    @Test(arguments: Shape.allCases) func theNumberOfEditsDoesNotGrowWithTheGraph(shape: Shape) throws {
        let small = try editCount(shape, 10)
        #expect(small > 0 && small < 10)
        #expect(try editCount(shape, 400) == small)
    }

    @Test(.timed("10,000 nodes are made in a time that grows with their number"), arguments: [Shape.row, .ladder])
    func tenThousandNodesAreMade(shape: Shape) throws {
        let clock = ContinuousClock()
        let short = try clock.measure { _ = try editCount(shape, 1250) }
        let long = try clock.measure { _ = try editCount(shape, 10_000) }
        // Eight times as many; with the square it would be 64 times as long.
        #expect(long < short * 24, "\(short), \(long)")
    }
}
