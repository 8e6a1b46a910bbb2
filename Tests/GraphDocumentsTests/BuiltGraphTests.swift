// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Graphs that documents make: the same bits as those made in code, and nothing where a node cannot be made. Test thread.

import AudioGraph
import Glibc
import GraphDocuments
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltGraphTests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
    private let folder = ScratchFolder()

    private func write(_ name: String, _ frameCount: Int, channelCount: Int = 2) throws {
        let format = Sounds.format(channelCount)
        let file = try AudioFile(forWriting: folder.file(name), format: format)
        let step = name.utf8.reduce(0) { $0 + Int($1) }
        try file.write(
            from: try Sounds.buffer(frameCount, channelCount: channelCount) { channel, frame in
                Float((frame * step + channel * 77) % 1999) / 4000 - 0.25
            })
        try file.close()
    }

    private static let nodes = """
        {"id": "a", "kind": "player", "volume": 0.5, "files": [{"path": "a.wav", "repeats": 2}]},
        {"id": "b", "kind": "player", "pan": 0.5, "files": [{"path": "b.wav", "at": 0.05, "from": 0.01, "length": 0.1}]},
        {"id": "bus", "kind": "mixer", "outputVolume": 0.8},
        {"id": "room", "kind": "unit", "unit": {"id": "Reverb", "parameters": {"mix": 40}}}
        """
    private static let connections = """
        {"from": "a", "to": "bus"}, {"from": "b", "to": "bus", "volume": 0.7}, {"from": "bus", "to": "room"},
        {"from": "bus", "to": "main"}, {"from": "room", "to": "main"}
        """

    private func document(_ nodes: String = nodes, _ connections: String = connections) throws -> GraphDocument {
        let text = "{\"bulkheadGraph\": 1, \"nodes\": [\(nodes)], \"connections\": [\(connections)], \"mainVolume\": 0.9}"
        return try GraphDocument(json: Array(text.utf8), folder: folder.path)
    }

    private func build(_ document: GraphDocument, _ engine: AudioEngine) throws(GraphDocumentError) -> BuiltGraph {
        try document.build(into: engine, from: Self.registry, allowing: Allowances(), name: "test")
    }

    private func complaint(_ nodes: String, _ connections: String) throws -> String {
        let engine = try AudioEngine.offline()
        let document = try document(nodes, connections)
        let before = engine.attachedNodes.count
        do throws(GraphDocumentError) {
            _ = try build(document, engine)
            return ""
        } catch {
            // The main mixer and the output belong to every engine.
            #expect(engine.attachedNodes.count <= before + 2)
            return "\(error)"
        }
    }

    @Test func anEnvironmentPlacesItsPlayers() throws {
        try write("a.wav", 4800)
        let graph = try document(
            """
            {"id": "a", "kind": "player", "position": [-2, 0, 0], "files": [{"path": "a.wav"}]},
            {"id": "space", "kind": "environment", "yaw": 180, "outputVolume": 0.5}
            """,
            """
            {"from": "a", "to": "space"}, {"from": "space", "to": "main"}
            """)
        let engine = try AudioEngine.offline()
        let built = try build(graph, engine)
        built.play()
        try engine.start()
        let heard = try engine.render(4800)
        let file = try AudioPCMBuffer(contentsOf: folder.file("a.wav"))
        // Two metres away, halved by the environment, and the main mixer's 0.9.
        for frame in 0..<4800 {
            let mean = (file.samples[0][frame] + file.samples[1][frame]) / 2
            #expect(abs(heard[1][frame] - 0.225 * mean) < 1e-5 && abs(heard[0][frame]) < 1e-5)
        }
    }

    private static func player(_ files: String) -> String { #"{"id": "p", "kind": "player", "files": [\#(files)]}"# }
    private static let toMain = #"{"from": "p", "to": "main"}"#

    @Test(arguments: [
        (#"{"path": "a.wav"}, {"path": "a.wav", "at": 0.05}"#, "it begins at 0.05 s, and a part before it plays until 0.1 s"),
        (#"{"path": "a.wav", "at": 0.05}, {"path": "a.wav", "at": 0}"#, "it begins at 0.05 s"),
        (#"{"path": "a.wav", "at": 1}, {"path": "a.wav", "at": 1}"#, "it begins at 1.0 s, and a part before it plays until 1.1 s"),
        (#"{"path": "a.wav", "repeats": 3}, {"path": "a.wav", "at": 0.25}"#, "a part before it plays until 0.3 s"),
        (#"{"path": "a.wav", "at": 2}, {"path": "a.wav", "at": 1, "loops": true}"#, "a part before it is repeated for ever"),
        (#"{"path": "a.wav"}, {"path": "a.wav", "at": 0.1}"#, ""), (#"{"path": "a.wav"}, {"path": "a.wav", "at": 0.09999}"#, ""),
    ])
    func aPartThatBeginsWithinAnotherOneIsRefused(files: String, reason: String) throws {
        try write("a.wav", 4800)
        let sentence = try complaint(Self.player(files), Self.toMain)
        #expect(reason.isEmpty ? sentence.isEmpty : sentence.contains(reason), "\(sentence)")
    }

    @Test func partsArePlayedInTheOrderOfTheirTimes() throws {
        try write("a.wav", 4800)
        try write("b.wav", 2400)
        let parts = [#"{"path": "a.wav", "at": 0.2}, {"path": "b.wav"}"#, #"{"path": "b.wav", "at": 0.02}"#]
        let heard = try [parts, parts.reversed()].map { parts in
            let engine = try AudioEngine.offline()
            let built = try build(try document(Self.player(parts.joined(separator: ", ")), Self.toMain), engine)
            #expect(abs(built.seconds - 0.35) < 1e-9)
            built.play()
            try engine.start()
            return try engine.render(19_200)
        }
        #expect(heard[0] == heard[1])
        let audible = (0..<19_200).filter { heard[0][0][$0] != 0 }
        #expect((960..<975).contains(audible.first ?? 0) && (16_785..<16_800).contains(audible.last ?? 0))
        #expect(!audible.contains { (3360..<9600).contains($0) })
    }

    @Test func pathsThatLookAlikeAreTwoFiles() throws {
        try write("\u{e9}.wav", 4800)
        try write("e\u{301}.wav", 9600)
        let files = "{\"path\": \"\u{e9}.wav\"}, {\"path\": \"e\u{301}.wav\"}"
        let built = try build(try document(Self.player(files), Self.toMain), try AudioEngine.offline())
        #expect(abs(built.seconds - 0.3) < 1e-9)
    }

    /// Such a player does not stay when the graph becomes another one.
    @Test func aPlayerOfAnotherFileThatLooksAlikeIsAnotherPlayer() throws {
        try write("\u{e9}.wav", 4800)
        try write("e\u{301}.wav", 9600)
        let composed = try document(Self.player("{\"path\": \"\u{e9}.wav\"}"), Self.toMain)
        let decomposed = try document(Self.player("{\"path\": \"e\u{301}.wav\"}"), Self.toMain)
        #expect(composed == decomposed)
        let built = try build(composed, try AudioEngine.offline())
        #expect(abs(built.seconds - 0.1) < 1e-9)
        try built.become(decomposed, from: Self.registry, allowing: Allowances(), name: "test")
        #expect(abs(built.seconds - 0.2) < 1e-9)
        // The control: the same file stays.
        let players = built.nodes.values.map { ObjectIdentifier($0) }
        try built.become(decomposed, from: Self.registry, allowing: Allowances(), name: "test")
        #expect(Set(built.nodes.values.map { ObjectIdentifier($0) }) == Set(players))
    }

    @Test func aTimeEffectPlaysWhatLeadsToItAtItsRate() throws {
        try write("a.wav", 12_000)
        let player = #"{"id": "a", "kind": "player", "files": [{"path": "a.wav"}]}"#
        let half = #"{"id": "slow", "kind": "unit", "unit": {"id": "Varispeed", "parameters": {"rate": 0.5}}}"#
        let wires = #"{"from": "a", "to": "slow"}, {"from": "slow", "to": "main"}"#
        let engine = try AudioEngine.offline()
        let graph = try build(try document("\(player), \(half)", wires), engine)
        #expect(graph.seconds == 0.5)
        graph.play()
        try engine.start()
        let heard = try engine.render(26_000)
        #expect(heard[0][20_000..<23_000].contains { abs($0) > 0.05 } && heard[0][25_500...].allSatisfy { $0 == 0 })
        #expect(Patience.until(within: 5) { graph.isOver })

        let curve = #"[{"parameter": "rate", "points": [{"seconds": 0, "value": 1}]}]"#
        let automated = #"{"id": "slow", "kind": "unit", "unit": {"id": "Varispeed", "automation": \#(curve)}}"#
        let other = try AudioEngine.offline()
        _ = try build(try document("\(player), \(automated)", wires), other)
        let error = #expect(throws: AudioEngineError.self) { try other.start() }
        #expect("\(error as Any)".contains("rate cannot be automated"))
    }

    @Test func aPresetIsTakenByItsNameAndParametersComeOnTop() throws {
        let unit = #"{"id": "room", "kind": "unit", "unit": {"id": "Reverb", "preset": "Cathedral", "parameters": {"mix": 12}}}"#
        let graph = try build(try document(unit, #"{"from": "room", "to": "main"}"#), try AudioEngine.offline())
        let wanted = PluginUnit(try Build.unit("Reverb"))
        try wanted.selectPreset("Cathedral")
        try wanted.setValue(12, of: "mix")
        for (keyPath, _) in wanted.parameterTree.parameters {
            #expect(graph.units[0].unit.value(of: keyPath) == wanted.value(of: keyPath), "\(keyPath)")
        }
        #expect(String(decoding: try graph.document.json(), as: UTF8.self).contains(#""preset" : "Cathedral""#))
        let unknown = unit.replacing("Cathedral", with: "Garage")
        #expect(try complaint(unknown, #"{"from": "room", "to": "main"}"#).contains("it has no preset \"Garage\""))
    }

    @Test func aPartThatLoopsIsPlayedAgainAndAgain() throws {
        try write("a.wav", 700)
        let player = #"{"id": "a", "kind": "player", "files": [{"path": "a.wav", "loops": true}]}"#
        let engine = try AudioEngine.offline()
        let graph = try build(try document(player, #"{"from": "a", "to": "main"}"#), engine)
        #expect(graph.isEndless)
        graph.play()
        try engine.start()
        let heard = try engine.render(2_100_000, block: 4096)[0]
        let first = Array(heard[1400..<2100])
        #expect(first.contains { abs($0) > 0.1 })
        // Bytes, because comparing two million samples takes seconds in unoptimised code.
        let areAlike = heard.withUnsafeBytes { heard in
            first.withUnsafeBytes { first in
                (2...2998).allSatisfy { round in
                    memcmp(heard.baseAddress! + round * first.count, first.baseAddress!, first.count) == 0
                }
            }
        }
        #expect(areAlike)
        #expect(!graph.isOver)
    }

    @Test func aDocumentSoundsAsTheSameGraphMadeInCodeBitForBit() throws {
        try write("a.wav", 9000)
        try write("b.wav", 12_000, channelCount: 1)
        let engine = try AudioEngine.offline()
        let graph = try build(try document(), engine)
        graph.play()
        try engine.start()
        #expect(graph.seconds == 0.375 && graph.nodes.count == 4 && graph.tailFrameCount > 0)
        let heard = try engine.render(24_000)

        let code = try AudioEngine.offline()
        let (first, second, bus) = (AudioPlayerNode(), AudioPlayerNode(), AudioMixerNode())
        let room = AudioUnitEffect(PluginUnit(try Build.unit("Reverb")))
        try room.unit.setValue(40, of: "mix")
        for node in [first, second, bus, room] as [AudioNode] { _ = try code.attach(node).get() }
        (first.volume, second.pan, bus.outputVolume, code.mainMixerNode.outputVolume) = (0.5, 0.5, 0.8, 0.9)
        try code.connect(first, to: bus, format: Sounds.format())
        try code.connect(second, to: bus, format: Sounds.format(1))
        try code.connect(
            bus, to: [AudioConnectionPoint(node: room), AudioConnectionPoint(node: code.mainMixerNode)], fromBus: 0)
        try code.connect(room, to: code.mainMixerNode, fromBus: 0, toBus: 1)
        second.destination(forMixer: bus, bus: 1)?.volume = 0.7
        let files = (try AudioFile(forReading: folder.file("a.wav")), try AudioFile(forReading: folder.file("b.wav")))
        for _ in 0..<2 { try first.scheduleFile(files.0).get() }
        try second.scheduleSegment(
            files.1, startingFrame: 480, frameCount: 4800, at: AudioTime(sampleTime: 2400, atRate: Sounds.rate)
        ).get()
        first.play()
        second.play()
        try code.start()
        #expect(try code.render(24_000) == heard)
        #expect(heard[0].contains { abs($0) > 0.05 } && heard[0] != heard[1])
    }

    @Test func aNodeThatCannotBeMadeIsNamedAndNothingIsLeft() throws {
        try write("a.wav", 4800)
        folder.write("words.wav", Array("words".utf8))
        let player = "{\"id\": \"p\", \"kind\": \"player\", \"files\": [{\"path\": \"a.wav\"}]}"
        let wire = "{\"from\": \"p\", \"to\": \"main\"}"
        func unit(_ id: String, _ more: String = "") -> String {
            "\(player), {\"id\": \"u\", \"kind\": \"unit\", \"unit\": {\"id\": \"\(id)\"\(more)}}"
        }
        func file(_ path: String, _ more: String = "") -> String {
            "{\"id\": \"p\", \"kind\": \"player\", \"files\": [{\"path\": \"\(path)\"\(more)}]}"
        }
        let cases: [(nodes: String, connections: String, reason: String)] = [
            (unit("Nope"), wire, "The node \"u\" cannot be made: There is no plug-in \"Nope\"."),
            (unit("Gain", ", \"parameters\": {\"gian\": 3}"), wire, "did you mean gain?"),
            (unit("Gain", ", \"parameters\": {\"gain\": 99}"), wire, "The node \"u\" cannot be made: "),
            (
                unit("Gain", ", \"automation\": [{\"parameter\": \"gain\", \"points\": [{\"seconds\": 0, \"value\": 99}]}]"), wire,
                "range"
            ),
            (unit("Gain"), "\(wire), {\"from\": \"u:3\", \"to\": \"main\"}", "\"u\" has no output bus 3"),
            (unit("Gain"), "{\"from\": \"p\", \"to\": \"u:3\"}", "\"u\" has no input bus 3"),
            (unit("Gain", ", \"isolation\": \"in-process\""), wire, "wants to be loaded into the host's process"),
            (unit("Gain", ", \"isolation\": \"together\""), wire, "wants to share a process"),
            (file("gone.wav"), wire, "The node \"p\" cannot play: Couldn't read"), (file("words.wav"), wire, "\"p\" cannot play"),
            (file("/dev/zero"), wire, "\"p\" cannot play"), (file("."), wire, "it is a folder"),
            (file("a.wav", ", \"from\": 5"), wire, "it has 0.1 seconds, and the part goes from 5.0"),
            (file("a.wav", ", \"length\": 0.2"), wire, "from 0.0 to 0.2"),
        ]
        for (nodes, connections, reason) in cases {
            let sentence = try complaint(nodes, connections)
            #expect(sentence.contains(reason), "\(sentence)")
        }
    }

    @Test(arguments: ["aufx:gain:blkh", "Gain"]) func aChainWithoutASealAsksForItsRights(id: String) throws {
        let unit = """
            {"id": "\(id)", "name": "Gain", "version": "1.0.0", "isolation": "in-process", "parameters": {}}
            """
        let document = try GraphDocument(json: Array("{\"chain\": 1, \"units\": [\(unit)]}".utf8))
        let engine = try AudioEngine.offline()
        #expect(throws: GraphDocumentError.self) { try build(document, engine) }
        do throws(GraphDocumentError) {
            _ = try build(document, engine)
        } catch {
            #expect("\(error)".contains("\"Gain\" wants to be loaded into the host's process"), "\(error)")
        }
    }

    @Test func theUsersWordLetsUnitsShareAProcess() throws {
        try write("a.wav", 4800)
        let unit = { (id: String) in
            "{\"id\": \"\(id)\", \"kind\": \"unit\", \"unit\": {\"id\": \"Gain\", \"isolation\": \"together\"}}"
        }
        let document = try document(
            "\(unit("u")), \(unit("v"))", "{\"from\": \"u\", \"to\": \"v\"}, {\"from\": \"v\", \"to\": \"main\"}")
        var allowances = Allowances()
        allowances.sharing = true
        let engine = try AudioEngine.offline()
        let graph = try document.build(into: engine, from: Self.registry, allowing: allowances, name: "test")
        #expect(Set(graph.units.compactMap(\.unit.hosted.processIdentifier)).count == 1)
    }
}
