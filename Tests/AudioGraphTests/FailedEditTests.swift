// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits of a document's graph that fail before they are made, and files that fail afterwards. Test thread.

import HostingTestSupport
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph
@testable import GraphDocuments

@Suite(.timeLimit(.minutes(5))) struct FailedEditTests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
    private let folder = ScratchFolder()

    /// Refuses plans while it is on.
    private final class Fault: Sendable {
        let isOn = Atomic<Bool>(false)

        func engine() throws -> AudioEngine {
            var parts = EngineParts()
            parts.plan = { [self] graph throws(RenderGraphError) in
                guard !isOn.load(ordering: .relaxed) else { throw .cycle([0]) }
                return try RenderPlan(graph)
            }
            let engine = AudioEngine(driver: nil, parts: parts)
            try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 4096)
            return engine
        }
    }

    private func document(_ nodes: String, _ connections: String) throws -> GraphDocument {
        let text = "{\"bulkheadGraph\": 1, \"nodes\": [\(nodes)], \"connections\": [\(connections)]}"
        return try GraphDocument(json: Array(text.utf8), folder: folder.path)
    }

    @Test func anEditThatFailsLeavesTheLevelsOfConnectionsAndThePlacesOfSources() throws {
        let fault = Fault()
        let engine = try fault.engine()
        let nodes = """
            {"id": "a", "kind": "mixer"}, {"id": "b", "kind": "mixer", "volume": 0.8}, {"id": "room", "kind": "environment"}
            """
        let document = try document(
            nodes,
            """
            {"from": "a", "to": "b", "volume": 0.5, "pan": 0.25}, {"from": "a", "to": "room"}, {"from": "b", "to": "main"},
            {"from": "room", "to": "main"}
            """)
        let graph = try document.build(into: engine, from: Self.registry, allowing: Allowances(), name: "test")
        try engine.start()
        let (source, mixer) = (
            try #require(graph.nodes["a"] as? AudioMixerNode), try #require(graph.nodes["b"] as? AudioMixerNode)
        )
        let level = try #require(source.destination(forMixer: mixer, bus: 0))
        var next = document
        next.nodes[0].position = .init(x: 1, y: 0, z: 0)
        next.nodes[1].volume = 0.1
        next.connections[0].volume = nil
        next.connections[0].pan = -1
        next.nodes.append(.init(id: "late", .mixer(outputVolume: 1)))
        next.connections.append(.init(from: .init("late"), to: .init("main")))
        fault.isOn.store(true, ordering: .relaxed)
        #expect(throws: GraphDocumentError.self) {
            try graph.become(next, from: Self.registry, allowing: Allowances(), name: "test")
        }
        #expect(graph.document == document)
        #expect((level.volume, level.pan) == (0.5, 0.25) && source.sourceMode == .bypass && mixer.volume == 0.8)
        fault.isOn.store(false, ordering: .relaxed)
        try graph.become(next, from: Self.registry, allowing: Allowances(), name: "test")
        #expect((level.volume, level.pan) == (1, -1) && source.sourceMode == .pointSource && mixer.volume == 0.1)
    }

    @Test func aFileThatCannotBeScheduledIsAFailureOfTheNewGraph() throws {
        let file = try AudioFile(forWriting: folder.file("a.wav"), format: Sounds.format(2))
        try file.write(from: try Sounds.buffer(480, channelCount: 2) { _, _ in 0.5 })
        try file.close()
        let engine = try AudioEngine.offline()
        let document = try document(
            "{\"id\": \"a\", \"kind\": \"player\", \"files\": [{\"path\": \"a.wav\"}]}", "{\"from\": \"a\", \"to\": \"main\"}")
        let opened = try #require(try document.openedFiles()[0]?.first)
        let (player, ends) = (AudioPlayerNode(), GraphEnds.own(of: engine))
        let content = GraphContent(
            document: document, places: [player, ends.main, ends.output], units: [:],
            pieces: [0: [OpenedPiece(file: opened.file, start: 0, frameCount: 481, piece: opened.piece)]], listeners: [:],
            songs: [],
            wires: document.wires, engineOutput: engine.outputNode)
        let graph = BuiltGraph(content, in: engine, ends)
        try graph.connect()
        #expect(graph.failure != nil && graph.isOver && engine.attachedNodes.contains(player))
    }
}
