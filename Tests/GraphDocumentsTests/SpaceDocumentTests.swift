// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Graphs that place their sources in space: ways, algorithms, walls, air and heads. Test thread.

import AudioGraph
import Glibc
import GraphDocuments
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct SpaceDocumentTests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
    private let folder = ScratchFolder()

    init() throws {
        let file = try AudioFile(forWriting: folder.file("a.wav"), format: Sounds.format(1))
        try file.write(from: try Sounds.buffer(48_000, channelCount: 1) { _, frame in Float(sin(Double(frame) * 0.1)) * 0.5 })
        try file.close()
    }

    private func document(_ source: String, _ environment: String = "") throws(GraphDocumentError) -> GraphDocument {
        let json = """
            {"bulkheadGraph": 1, "nodes": [
            {"id": "a", "kind": "player", "files": [{"path": "a.wav"}]\(source)}, {"id": "space", "kind": "environment"\(environment)}],
            "connections": [{"from": "a", "to": "space"}, {"from": "space", "to": "main"}]}
            """
        return try GraphDocument(json: Array(json.utf8), folder: folder.path)
    }

    private func build(_ document: GraphDocument, _ engine: AudioEngine) throws(GraphDocumentError) -> BuiltGraph {
        try document.build(into: engine, from: Self.registry, allowing: Allowances(), name: "test")
    }

    private func complaint(_ source: String, _ environment: String = "") throws -> String {
        let engine = try AudioEngine.offline()
        do throws(GraphDocumentError) {
            _ = try build(try document(source, environment), engine)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private static let wholeSource = #"""
        , "algorithm": "HRTF", "sourceMode": "pointSource", "inHeadMode": "bypass", "obstruction": -6, "occlusion": -3, "reverbBlend": 0.25,
        "path": {"shape": "spline", "repeats": 3, "points": [
        {"at": 0, "position": [1, 0, 0]}, {"at": 0.5, "position": [0, 0, 1]}, {"at": 1, "position": [1, 0, 0]}]}
        """#
    private static let wholeEnvironment = #"""
        , "outputType": "headphones", "distance": {"model": "linear", "maximum": 20, "rolloff": 0.5},
        "air": {"humidity": 30}, "doppler": true,
        "reverb": {"preset": "plate", "level": -6, "filter": {"type": "highPass", "frequency": 300}},
        "listenerPath": {"points": [{"at": 0, "position": [0, 0, 0]}, {"at": 2, "position": [0, 1, 0]}]}
        """#

    @Test func theSpaceIsWrittenAndReadAgain() throws {
        let document = try document(Self.wholeSource, Self.wholeEnvironment)
        #expect(try GraphDocument(json: try document.json(), folder: folder.path) == document)
        #expect(document.nodes[0].placement.path?.repeats == 3 && document.nodes[0].placement.algorithm == .HRTF)
    }

    @Test func theNodesHaveTheSpaceOfTheDocument() throws {
        let engine = try AudioEngine.offline()
        let graph = try build(try document(Self.wholeSource, Self.wholeEnvironment), engine)
        let player = try #require(graph.nodes["a"] as? AudioPlayerNode)
        let environment = try #require(graph.nodes["space"] as? AudioEnvironmentNode)
        #expect(player.renderingAlgorithm == .HRTF && player.sourceMode == .pointSource)
        #expect(player.pointSourceInHeadMode == .bypass && player.obstruction == -6 && player.occlusion == -3)
        #expect(player.reverbBlend == 0.25)
        let room = environment.reverbParameters
        #expect(room.enable && room.level == -6 && room.factoryPreset == .plate)
        let filter = room.filterParameters
        #expect(filter.filterType == .highPass && filter.frequency == 300 && filter.bandwidth == 0.5 && !filter.bypass)
        let path = try #require(player.path)
        // Three rounds, each from where the one before has ended.
        #expect(path.shape == .spline && path.points.map(\.sampleTime) == [0, 24_000, 48_000, 72_000, 96_000, 120_000, 144_000])
        #expect(path.points[5].position == Audio3DPoint(x: 0, y: 0, z: 1))
        #expect(environment.outputType == .headphones && environment.hasDopplerEffect && environment.absorbsTreble)
        #expect(environment.airHumidity == 30 && environment.airTemperature == 20)
        let law = environment.distanceAttenuationParameters
        #expect(law.distanceAttenuationModel == .linear && law.maximumDistance == 20 && law.rolloffFactor == 0.5)
        #expect(law.referenceDistance == 1 && environment.listenerPath?.points.count == 2)
    }

    /// The level of both channels in the middle of a time, in seconds.
    private func levels(_ heard: [[Float]], _ seconds: Double) -> (left: Float, right: Float) {
        let frames = Int(seconds * 48_000)..<Int(seconds * 48_000) + 2400
        func level(_ channel: Int) -> Float { heard[channel][frames].reduce(0) { $0 + $1 * $1 }.squareRoot() }
        return (level(0), level(1))
    }

    @Test func aSourceGoesItsWay() throws {
        let engine = try AudioEngine.offline()
        let way = #", "path": {"points": [{"at": 0, "position": [-1, 0, 0]}, {"at": 0.9, "position": [1, 0, 0]}]}"#
        let graph = try build(try document(way), engine)
        graph.play()
        try engine.start()
        let heard = try engine.render(48_000)
        let (first, last) = (levels(heard, 0.05), levels(heard, 0.92))
        #expect(first.left > 10 * first.right && last.right > 10 * last.left && last.right > 1)
    }

    private static let inRoom = #", "position": [0, 0, -1], "reverbBlend": 1"#

    @Test func theRoomIsHeardBehindItsSource() throws {
        let engine = try AudioEngine.offline()
        let graph = try build(try document(Self.inRoom, #", "reverb": {"preset": "cathedral"}"#), engine)
        graph.play()
        try engine.start()
        // A render goes on for as long as the room sounds.
        #expect(graph.tailFrameCount > 48_000)
        _ = try engine.render(60_000)
        #expect(try engine.render(4800)[0].contains { abs($0) > 1e-3 })
    }

    @Test func aRoomComesChangesAndGoesWhileItPlays() throws {
        let engine = try AudioEngine.offline()
        let graph = try build(try document(#", "position": [0, 0, -1]"#), engine)
        graph.play()
        try engine.start()
        _ = try engine.render(4800)
        let room = try #require(graph.nodes["space"] as? AudioEnvironmentNode).reverbParameters
        func become(_ source: String, _ environment: String) throws(GraphDocumentError) {
            try graph.become(try document(source, environment), from: Self.registry, allowing: Allowances(), name: "next")
        }
        try become(Self.inRoom, #", "reverb": {"preset": "cathedral", "filter": {"frequency": 500, "gain": -6}}"#)
        #expect(room.enable && room.factoryPreset == .cathedral && !room.filterParameters.bypass)
        _ = try engine.render(4800)
        try become(Self.inRoom, #", "reverb": {"preset": "smallRoom", "level": 3}"#)
        #expect(room.enable && room.factoryPreset == .smallRoom && room.level == 3 && room.filterParameters.bypass)
        _ = try engine.render(4800)
        // An edit that fails leaves the room as it was.
        #expect(throws: GraphDocumentError.self) { try become("", #", "head": "missing.sofa""#) }
        #expect(room.enable && room.factoryPreset == .smallRoom && room.level == 3)
        try become(#", "position": [0, 0, -1]"#, "")
        #expect(!room.enable)
        _ = try engine.render(4800)
    }

    /// A tone of 100 Hz that passes at 100 m/s.
    @Test(arguments: AudioRenderingAlgorithm.allCases)
    func aHundredMetresASecondClickNowhereFromAFileOrFromAProgram(algorithm: AudioRenderingAlgorithm) throws {
        let file = try AudioFile(forWriting: folder.file("a.wav"), format: Sounds.format(1))
        try file.write(
            from: try Sounds.buffer(48_000, channelCount: 1) { _, frame in Float(sin(Double(frame % 480) / 480 * 2 * .pi)) * 0.5 })
        try file.close()
        func heard(_ source: String, _ path: AudioPath?) throws -> [[Float]] {
            let engine = try AudioEngine.offline()
            let graph = try build(try document(", \"algorithm\": \"\(algorithm.word)\"" + source), engine)
            let player = try #require(graph.nodes["a"] as? AudioPlayerNode)
            player.sourceMode = .pointSource
            if let path { player.path = path }
            graph.play()
            try engine.start()
            return try engine.render(28_800)
        }
        let way = #", "path": {"points": [{"at": 0.1, "position": [-20, 0, -1]}, {"at": 0.5, "position": [20, 0, -1]}]}"#
        let fromFile = try heard(way, nil)
        let places = [(4800, -20), (24_000, 20)] as [(Int64, Float)]
        let points = places.map { AudioPath.Point(sampleTime: $0.0, position: Audio3DPoint(x: $0.1, y: 0, z: -1)) }
        #expect(try heard("", AudioPath(points)) == fromFile)
        for side in fromFile {
            // The tone itself has steps of 0.007, and a gain that jumps from 0 to 1 would be one of up to 0.5.
            let steps = zip(side.dropFirst(4000), side.dropFirst(4001)).map { abs($1 - $0) }
            #expect((steps.max() ?? 1) < 0.03 && side.contains { abs($0) > 0.02 }, "\(steps.max() ?? 1)")
        }
    }

    @Test func aWayThatComesWhileItPlaysBeginsThen() throws {
        let engine = try AudioEngine.offline()
        let graph = try build(try document(#", "position": [-1, 0, 0]"#), engine)
        graph.play()
        try engine.start()
        _ = try engine.render(24_000)
        let way = #", "path": {"points": [{"at": 0, "position": [0, 0, -1]}, {"at": 0.25, "position": [1, 0, 0]}]}"#
        _ = try graph.become(try document(way), from: Self.registry, allowing: Allowances(), name: "next")
        let player = try #require(graph.nodes["a"] as? AudioPlayerNode)
        let times = try #require(player.path).points.map(\.sampleTime)
        #expect(times[0] > 12_000 && times[0] <= 24_000 && times[1] - times[0] == 12_000)
        // An edit of something else leaves it on its way.
        _ = try engine.render(4800)
        _ = try graph.become(try document(way + #", "volume": 0.5"#), from: Self.registry, allowing: Allowances(), name: "quieter")
        #expect(player.path?.points.map(\.sampleTime) == times)
        // Back at a place, with the usual algorithm.
        _ = try graph.become(
            try document(#", "position": [0, 0, -1]"#), from: Self.registry, allowing: Allowances(), name: "still")
        #expect(player.path == nil && player.position == Audio3DPoint(x: 0, y: 0, z: -1))
    }

    @Test func anEditThatFailsLeavesTheSpaceAsItWas() throws {
        let engine = try AudioEngine.offline()
        let graph = try build(try document(Self.wholeSource, Self.wholeEnvironment), engine)
        let missing = #", "head": "missing.sofa""#
        #expect(throws: GraphDocumentError.self) {
            try graph.become(
                try document(#", "position": [1, 0, 0]"#, missing), from: Self.registry, allowing: Allowances(), name: "no")
        }
        let player = try #require(graph.nodes["a"] as? AudioPlayerNode)
        let environment = try #require(graph.nodes["space"] as? AudioEnvironmentNode)
        #expect(player.renderingAlgorithm == .HRTF && player.path != nil && environment.hasDopplerEffect)
    }

    @Test(arguments: [
        (#", "algorithm": "magic""#, "", "\"algorithm\" is \"magic\", and has to be one of equalPower, sphericalHead, HRTF"),
        (#", "sourceMode": 3"#, "", "\"sourceMode\" has the wrong type"),
        (#", "obstruction": 3"#, "", "\"obstruction\" is 3.0, and has to be from -100.0 to 0.0"),
        (#", "path": {"points": []}"#, "", "\"path\" has no points"),
        (#", "path": {"points": [{"at": 0, "position": [0, 0, 0]}], "repeats": 2}"#, "", "one point, which cannot be repeated"),
        (
            #", "path": {"points": [{"at": 1, "position": [0, 0, 0]}, {"at": 1, "position": [1, 0, 0]}]}"#, "",
            "each point of \"path\" has to be 0.001 s later"
        ),
        (
            #", "path": {"points": [{"at": 0, "position": [0, 0, 0]}, {"at": 1, "position": [1, 0, 0]}], "repeats": 99999}"#, "",
            "more than 100000 points"
        ),
        (#", "path": {"points": [{"at": 0, "position": [0, 0, 1e9]}]}"#, "", "\"path.points.position\" is 1000000000.0"),
        (#", "path": {"shape": "loop", "points": [{"at": 0, "position": [0, 0, 1]}]}"#, "", "\"shape\" is \"loop\""),
        (#", "position": [0, 0, 0], "path": {"points": [{"at": 0, "position": [0, 0, 1]}]}"#, "", "can have one of them"),
        (#", "doppler": true"#, "", "has the key \"doppler\", which there is not"),
        ("", #", "head": "missing.sofa""#, "The listener of \"space\" cannot be made"),
        ("", #", "head": """#, "\"head\" is not a path"),
        ("", #", "outputType": "radio""#, "has to be one of auto, headphones"),
        ("", #", "distance": {"reference": 0}"#, "\"distance.reference\" is 0.0"),
        ("", #", "air": {"temperature": 99}"#, "\"air.temperature\" is 99.0"),
        (Self.inRoom, "", "leads to no environment with a \"reverb\"; give one to its environment"),
        (
            #", "position": [0, 0, -1], "reverbBlend": 2"#, #", "reverb": {}"#,
            "\"reverbBlend\" is 2.0, and has to be from 0.0 to 1.0"
        ),
        (Self.inRoom, #", "reverb": {"preset": "cave"}"#, "\"preset\" is \"cave\", and has to be one of smallRoom, mediumRoom"),
        (Self.inRoom, #", "reverb": {"level": 60}"#, "\"reverb.level\" is 60.0, and has to be from -40.0 to 40.0"),
        (Self.inRoom, #", "reverb": {"filter": {"frequency": 5}}"#, "\"reverb.filter.frequency\" is 5.0"),
        (Self.inRoom, #", "reverb": {"filter": {"frequency": 500, "type": "wah"}}"#, "\"type\" is \"wah\""),
        (Self.inRoom, #", "reverb": {"filter": {}}"#, "frequency"),
        (Self.inRoom, #", "reverb": {"wet": 1}"#, "has the key \"wet\", which there is not"),
        (Self.inRoom, #", "reverb": {}"#, ""),
        ("", "", ""),
    ])
    func aSpaceThatCannotBeIsRefused(source: String, environment: String, reason: String) throws {
        let text = try complaint(source, environment)
        #expect(reason.isEmpty ? text.isEmpty : text.contains(reason), "\(text)")
    }

    @Test func aPlacementThatNoEnvironmentHearsIsRefused() {
        let json = #"""
            {"bulkheadGraph": 1, "nodes": [{"id": "a", "kind": "player", "files": [{"path": "a.wav"}], "algorithm": "HRTF"}],
            "connections": [{"from": "a", "to": "main"}]}
            """#
        #expect(
            throws: GraphDocumentError.malformed(
                node: "a", reason: "it says how it is heard in a space, and leads to no environment; connect it to one")
        ) { try GraphDocument(json: Array(json.utf8)) }
    }
}
