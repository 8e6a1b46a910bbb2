// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits of a graph's document by names: nodes put in, taken out and moved, and what is refused. Test thread.

import GraphDocuments
import Testing

@Suite struct DocumentEditTests {
    private typealias Node = GraphDocument.Node

    private func chain(_ names: String...) -> GraphDocument {
        let nodes = [Node(id: "input", .input)] + names.map { Node(id: $0, .mixer(outputVolume: 1)) }
        let ids = nodes.map(\.id) + ["main"]
        return GraphDocument(
            nodes: nodes, connections: zip(ids, ids.dropFirst()).map { .init(from: .init($0), to: .init($1)) })
    }

    private func flow(_ document: GraphDocument) -> Set<String> { Set(document.connections.map { "\($0)" }) }

    private let unit = GraphDocument.Node(id: "new", .unit(.init("Gain")))

    @Test func aNodeGoesBehindAnother() throws {
        var document = chain("a", "b")
        try document.insert(unit, at: .after("a"))
        #expect(flow(document) == ["input → a", "a → new", "new → b", "b → main"] && document.defects.isEmpty)
        try document.insert(Node(id: "last", .mixer(outputVolume: 1)), at: .after("main"))
        #expect(flow(document).isSuperset(of: ["main → last", "last → output"]) && document.defects.isEmpty)
    }

    @Test func aNodeGoesInFrontOfAnotherAndToTheEnd() throws {
        var document = chain("a", "b")
        try document.insert(unit, at: .before("a"))
        #expect(flow(document) == ["input → new", "new → a", "a → b", "b → main"])
        document = chain("a")
        try document.insert(unit, at: .end)
        #expect(flow(document) == ["input → a", "a → new", "new → main"])
    }

    @Test func theFirstNodeIsConnectedToTheInput() throws {
        var document = GraphDocument(nodes: [Node(id: "input", .input)], connections: [])
        try document.insert(unit, at: .end)
        #expect(flow(document) == ["input → new", "new → main"])
    }

    @Test func neighboursOfANodeThatGoesAreJoined() throws {
        var document = chain("a", "b", "c")
        _ = try document.remove("b")
        #expect(flow(document) == ["input → a", "a → c", "c → main"] && document.nodes.map(\.id) == ["input", "a", "c"])
        // Two sources of a mixer go on to what it led to, each as it was.
        document = chain("a")
        document.nodes.append(Node(id: "other", .mixer(outputVolume: 1)))
        document.connections.append(.init(from: .init("other"), to: .init("a")))
        _ = try document.remove("a")
        #expect(flow(document) == ["input → main", "other → main"])
    }

    @Test func aNodeThatMovesKeepsItsSettings() throws {
        var document = chain("a", "b")
        document.nodes[1].kind = .mixer(outputVolume: 0.3)
        try document.move("a", to: .after("b"))
        #expect(flow(document) == ["input → b", "b → a", "a → main"])
        #expect(document.nodes.map(\.id) == ["input", "a", "b"] && document.nodes[1].kind == .mixer(outputVolume: 0.3))
        try document.move("a", to: .before("b"))
        #expect(flow(document) == ["input → a", "a → b", "b → main"])
    }

    @Test func theLevelAtTheMixerStaysWhereTheSoundReachesIt() throws {
        var document = chain("a", "b")
        document.nodes[2].volume = 0.5
        try document.insert(unit, at: .end)
        #expect(document.nodes[2].volume == nil && document.nodes[3].volume == 0.5 && document.defects.isEmpty)
        try document.move("new", to: .before("a"))
        // The first node is a mixer, too.
        #expect(document.nodes[3].volume == 0.5 && document.defects.isEmpty)
    }

    @Test func anEditThatCannotBeMadeChangesNothingAndSaysWhy() {
        let original = chain("delay", "reverb")
        func complaint(_ body: (inout GraphDocument) throws(GraphEditError) -> Void) -> String {
            var document = original
            do throws(GraphEditError) { try body(&document) } catch { return "\(error)" }
            return ""
        }
        #expect(complaint { d throws(GraphEditError) in _ = try d.remove("reverv") }.contains("did you mean \"reverb\"?"))
        #expect(complaint { d throws(GraphEditError) in _ = try d.remove("main") }.contains("stays where it is"))
        #expect(complaint { d throws(GraphEditError) in try d.move("delay", to: .after("delay")) }.contains("beside itself"))
        let known = GraphDocument.Connection(from: .init("delay"), to: .init("reverb"))
        #expect(complaint { d throws(GraphEditError) in try d.connect(known) }.contains("already"))
        #expect(
            complaint { d throws(GraphEditError) in try d.disconnect(from: .init("reverb"), to: .init("delay")) }
                .contains("no connection"))
        var many = original
        many.connections.append(.init(from: .init("delay"), to: .init("main")))
        #expect(throws: GraphEditError.self) { try many.insert(unit, at: .end) }
    }

    @Test func aFreeNameIsTheWishOrHasANumber() {
        let document = chain("Reverb", "Reverb 2")
        #expect(document.freeName("Delay") == "Delay" && document.freeName("Reverb") == "Reverb 3")
        #expect(document.freeName("main") == "main 2" && document.freeName("a:b") == "a b" && document.freeName("") == "node")
    }
}
