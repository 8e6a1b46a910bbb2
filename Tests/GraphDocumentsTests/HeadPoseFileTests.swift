// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The poses of a head in a text file: angles, quaternions, and rows that are refused. Test thread.

import AudioGraph
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@testable import GraphDocuments

@Suite struct HeadPoseFileTests {
    private let folder = ScratchFolder()

    private func read(_ text: String) throws(HeadPoseFile.Defect) -> HeadPoseFile { try HeadPoseFile(text: Array(text.utf8)) }

    @Test func rowsAreAnglesBetweenCommentsAndSeparators() throws {
        let file = try read("# seconds yaw pitch roll\r\n\r\n0 0 0 0\r\n0.5,\t45, -10,5 # a nod\n1.25;-90;0;0")
        #expect(file.rows.map(\.seconds) == [0, 0.5, 1.25])
        #expect(file.rows[1].orientation == Audio3DAngularOrientation(yaw: 45, pitch: -10, roll: 5))
        let motion = try #require(file.motion(from: 100, sampleRate: 48_000, shape: .spline))
        #expect(motion.poses.map(\.sampleTime) == [100, 24_100, 60_100] && motion.shape == .spline)
    }

    @Test func rowsMayBeQuaternions() throws {
        // A quarter turn to the right is one to the left around the axis that points upwards, so its part is negative.
        let half = 0.5.squareRoot()
        let file = try read("0 1 0 0 0\n1 \(half) 0 -\(half) 0\n2 7 0 0 0\n")
        #expect(abs(file.rows[1].orientation.yaw - 90) < 1e-4 && abs(file.rows[1].orientation.pitch) < 1e-4)
        #expect(file.rows[2].orientation == Audio3DAngularOrientation())
    }

    @Test(
        arguments: [
            ("", nil, "it has no row of numbers"), ("# nothing\n\n", nil, "it has no row of numbers"),
            ("0 0 0 0\n1 0 0\n", 2, "it has 3 numbers, and the rows before have 4"),
            ("0 0 0\n", 1, "a row has a time and three angles"), ("0 0 x 0\n", 1, "\"x\" is not a number"),
            ("0 nan 0 0\n", 1, "\"nan\" is not a number"), ("0 0 0 0\n\n-1 0 0 0\n", 3, "its time has to be from 0"),
            ("0 0 0 0\n0 1 0 0\n", 2, "its time has to be 0.001 s later than that of the row before"),
            ("0 400 0 0\n", 1, "its angles have to be from -360 to 360 degrees"),
            ("0 0 0 0 0\n", 1, "its quaternion has no length"),
            ("0 \u{1b}[2J 0 0\n", 1, "is not a number"),
        ] as [(String, Int?, String)])
    func aFileIsRefusedByItsLine(text: String, line: Int?, reason: String) {
        do throws(HeadPoseFile.Defect) {
            _ = try read(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.line == line && error.reason.contains(reason), "\(error)")
        }
    }

    /// A graph with a tone in front of a listener with these keys.
    private func document(_ environment: String) throws -> GraphDocument {
        let file = try AudioFile(forWriting: folder.file("a.wav"), format: Sounds.format(1))
        try file.write(from: try Sounds.buffer(48_000, channelCount: 1) { _, _ in 0.5 })
        try file.close()
        let json = """
            {"bulkheadGraph": 1, "nodes": [{"id": "a", "kind": "player", "files": [{"path": "a.wav"}], "position": [0, 0, -1]},
            {"id": "space", "kind": "environment"\(environment)}],
            "connections": [{"from": "a", "to": "space"}, {"from": "space", "to": "main"}]}
            """
        return try GraphDocument(json: Array(json.utf8), folder: folder.path)
    }

    private func build(_ document: GraphDocument, _ engine: AudioEngine) throws -> BuiltGraph {
        let registry = ComponentRegistry(searchPath: [Build.folder])
        return try document.build(into: engine, from: registry, allowing: Allowances(), name: "test")
    }

    @Test func aDocumentTurnsTheHeadAsTheFileSays() throws {
        _ = folder.write("turn.txt", Array("0 0 0 0\n0.5 90 0 0\n".utf8))
        let document = try document(#", "headPoses": {"path": "turn.txt"}"#)
        #expect(try GraphDocument(json: try document.json(), folder: folder.path) == document)
        #expect(document.namedFiles.contains { $0.hasSuffix("/turn.txt") })
        let engine = try AudioEngine.offline()
        let graph = try build(document, engine)
        graph.play()
        try engine.start()
        let heard = try engine.render(28_800)
        // It looks to the right in the end, and has the sound at its left.
        #expect(abs(heard[0][480] - heard[1][480]) < 0.02 && heard[0][28_000] > 0.49 && abs(heard[1][28_000]) < 0.01)
        let environment = try #require(graph.nodes["space"] as? AudioEnvironmentNode)
        let motion = environment.listenerMotion
        #expect(motion?.poses.count == 2)
        // An edit of something else lets the head turn on.
        var louder = document
        louder.nodes[0].volume = 2
        _ = try graph.become(louder, from: ComponentRegistry(searchPath: [Build.folder]), allowing: Allowances(), name: "louder")
        #expect(environment.listenerMotion == motion)
    }

    @Test func aDocumentNamesTheLineThatIsWrong() throws {
        _ = folder.write("turn.txt", Array("0 0 0 0\n0.5 90 0\n".utf8))
        let document = try document(#", "headPoses": {"path": "turn.txt"}"#)
        do {
            _ = try build(document, try AudioEngine.offline())
            Issue.record("it is taken")
        } catch {
            let text = "\(error)"
            #expect(
                text.contains("The listener of \"space\" cannot turn as")
                    && text.contains("turn.txt\" says: line 2: it has 3 numbers"))
        }
        #expect(throws: GraphDocumentError.self) { try build(try self.document(#", "headPoses": {"path": "no"}"#), .offline()) }
        #expect(
            throws: GraphDocumentError.malformed(
                node: "space", reason: "it has \"headPoses\" and \"yaw\", and can have one of them")
        ) { try self.document(#", "yaw": 3, "headPoses": {"path": "turn.txt"}"#) }
        #expect(throws: GraphDocumentError.malformed(node: "space", reason: "\"headPoses.path\" is not a path")) {
            try self.document(#", "headPoses": {"path": ""}"#)
        }
    }
}
