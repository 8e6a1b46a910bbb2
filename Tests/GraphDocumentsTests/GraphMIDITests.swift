// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The MIDI of graph documents: files and ports play instruments by routes, and what is wrong is said. Test thread.

import AudioGraph
import GraphDocuments
import HostingTestSupport
import MIDIFiles
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct GraphMIDITests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
    private let folder = ScratchFolder()

    private static let nodes = """
        {"id": "low", "kind": "unit", "unit": {"id": "Scribe"}}, {"id": "high", "kind": "unit", "unit": {"id": "Scribe"}},
        {"id": "room", "kind": "unit", "unit": {"id": "Gain"}}
        """

    private func document(_ midi: String, more: String = "", only: String? = nil) throws -> GraphDocument {
        let wires = (only.map { [$0] } ?? ["low", "high"]).map { "{\"from\": \"\($0)\", \"to\": \"main\"}" }
        let text = """
            {"bulkheadGraph": 1, "nodes": [\(Self.nodes)], "connections": [\(wires.joined(separator: ", "))], "midi": \(midi)\(more)}
            """
        return try GraphDocument(json: Array(text.utf8), folder: folder.path)
    }

    private func build(_ document: GraphDocument) throws -> (engine: AudioEngine, graph: BuiltGraph) {
        let engine = try AudioEngine.offline(channelCount: 4)
        let graph = try document.build(into: engine, from: Self.registry, allowing: Allowances(), name: "test")
        graph.play()
        try engine.start()
        return (engine, graph)
    }

    private func complaint(_ midi: String) -> String {
        do {
            _ = try build(document(midi))
            return ""
        } catch {
            return "\(error)"
        }
    }

    private func writeSong() {
        let tracks = [
            Songs.track([Songs.Note(tick: 0, length: 240, key: 40), Songs.Note(tick: 480, length: 240, key: 80)]),
            Songs.track([Songs.Note(tick: 720, length: 240, key: 50, channel: 3)], endTick: 1920),
        ]
        _ = folder.write("song.mid", MIDIFile(tracks: tracks).encoded())
    }

    @Test func withoutRoutesEverythingReachesEveryInstrument() throws {
        writeSong()
        let made = try build(document("{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}]}"))
        defer { made.engine.stop() }
        #expect(made.graph.seconds == 2)
        let heard = HeardNotes(try made.engine.render(48_000))
        // Two instruments, each with the velocity and 128 times the key.
        let expected: [Int: Float] = [0: 2 * 5220, 24_000: 2 * 10_340, 36_000: 2 * 6500]
        #expect(heard.begun == expected)
        #expect(heard.ends == [12_000, 36_000] && made.graph.nodes["low"] is AudioUnitMIDIInstrument)
    }

    @Test func routesChooseKeysChannelsAndTracks() throws {
        writeSong()
        let routes = """
            {"files": [{"path": "song.mid", "id": "song"}], "routes": [
              {"from": "song", "keys": [0, 59], "channels": [1], "transpose": -12, "to": "low"},
              {"from": "song", "track": 2, "toChannel": 1, "to": "high"}]}
            """
        for (name, expected) in [("low", [0: Float(100 + 128 * 28)]), ("high", [36_000: Float(100 + 128 * 50)])] {
            let made = try build(document(routes, only: name))
            defer { made.engine.stop() }
            #expect(HeardNotes(try made.engine.render(48_000)).begun == expected, "\(name)")
        }
    }

    @Test func routesChoosePortsAndWhatMixesThemIsSaid() throws {
        let notes = [
            MIDIFileEvent(tick: 0, .noteOn, channel: 0, 40, 100, port: 0),
            MIDIFileEvent(tick: 0, .noteOn, channel: 0, 50, 100, port: 1),
        ]
        _ = folder.write("song.mid", MIDIFile(tracks: [MIDITrack(events: notes, endTick: 480)]).encoded())
        func graph(_ routes: String) throws -> (engine: AudioEngine, graph: BuiltGraph) {
            try build(document("{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}], \"routes\": [\(routes)]}"))
        }
        for (port, key) in [(1, 40), (2, 50)] {
            let made = try graph("{\"to\": \"low\", \"port\": \(port)}")
            defer { made.engine.stop() }
            #expect(HeardNotes(try made.engine.render(4800)).begun == [0: Float(100 + 128 * key)])
            #expect(made.graph.mixedPorts.isEmpty)
        }
        let mixed = try graph("{\"to\": \"low\"}")
        defer { mixed.engine.stop() }
        #expect(mixed.graph.mixedPorts.count == 1 && mixed.graph.mixedPorts[0].contains("has 2 ports"))
        #expect(
            complaint("{\"files\": [{\"path\": \"song.mid\", \"id\": \"s\"}], \"routes\": [{\"to\": \"low\", \"port\": 0}]}")
                .contains("1 to 256"))
    }

    @Test func damageAndRestsOfMIDIFilesAreKnown() throws {
        _ = folder.write("song.mid", Array(Songs.file([Songs.Note(tick: 0, length: 240)], endTick: 4_000_000).dropLast(4)))
        let made = try build(document("{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}]}"))
        defer { made.engine.stop() }
        #expect(made.graph.midiDamage.count == 1 && made.graph.midiDamage[0].contains("is damaged"))
        _ = folder.write("song.mid", Songs.file([Songs.Note(tick: 0, length: 480)], endTick: 480 + 960 * 5000))
        let long = try build(document("{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}]}"))
        defer { long.engine.stop() }
        #expect(long.graph.midiDamage.isEmpty && long.graph.longestRest?.seconds == 5000)
    }

    @Test func aSongOfTheDocumentsOwnSetsTheTempo() throws {
        writeSong()
        let tempo = ", \"transport\": {\"tempos\": [{\"beat\": 0, \"beatsPerMinute\": 240}]}"
        let made = try build(document("{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}]}", more: tempo, only: "low"))
        defer { made.engine.stop() }
        #expect(made.graph.seconds == 1)
        #expect(HeardNotes(try made.engine.render(48_000)).beginnings == [0, 12_000, 18_000])
    }

    @Test func aPortPlaysTheInstrumentsOfItsRoutes() throws {
        let midi = """
            {"ports": [{"id": "pads"}, {"id": "keys", "name": "My Keys"}], "routes": [{"from": "keys", "to": "low"}]}
            """
        let made = try build(document(midi))
        defer { made.engine.stop() }
        #expect(made.engine.midiInput.portNames == ["pads", "My Keys"] && made.graph.awaitsMIDI)
        made.engine.midiInput.send([0x90, 60, 100], port: 0, at: 10)
        made.engine.midiInput.send([0x90, 60, 100], port: 1, at: 20)
        #expect(HeardNotes(try made.engine.render(100)).begun == [20: Float(100 + 128 * 60)])
    }

    @Test func aDocumentIsWrittenAsItWasRead() throws {
        let midi = """
            {"files": [{"path": "a.mid", "id": "a"}], "ports": [{"id": "k", "name": "Keys"}],
             "routes": [{"from": "a", "channels": [1, 2], "keys": [0, 9], "track": 1, "transpose": -1, "toChannel": 3, "to": "low"},
                        {"to": "high"}]}
            """
        let document = try document(midi)
        #expect(try GraphDocument(json: try document.json(), folder: folder.path) == document)
        #expect(document.midi?.routes.first?.keys == [0, 9] && document.midi?.routes.last?.from == nil)
    }

    @Test func whatIsWrongIsSaid() throws {
        writeSong()
        _ = folder.write("bad.mid", Array("MThd".utf8))
        let song = "\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}]"
        let cases = [
            ("{\(song), \"routes\": [{\"from\": \"x\", \"to\": \"low\"}]}", "from \"x\", which is neither a file nor a port"),
            ("{\(song), \"routes\": [{\"to\": \"nowhere\"}]}", "leads to \"nowhere\", which is not a node"),
            ("{\(song), \"routes\": [{\"to\": \"room\"}]}", "\"room\" is an effect, which hears no MIDI"),
            ("{\(song), \"routes\": [{\"channels\": [0], \"to\": \"low\"}]}", "\"channels\" are numbers from 1 to 16"),
            ("{\(song), \"routes\": [{\"keys\": [9, 3], \"to\": \"low\"}]}", "the lowest and the highest key"),
            ("{\(song), \"routes\": [{\"keys\": [9], \"to\": \"low\"}]}", "the lowest and the highest key"),
            ("{\(song), \"routes\": [{\"transpose\": 200, \"to\": \"low\"}]}", "\"transpose\" is 200"),
            ("{\(song), \"routes\": [{\"toChannel\": 17, \"to\": \"low\"}]}", "\"toChannel\" is 17"),
            ("{\(song), \"routes\": [{\"cable\": 1, \"to\": \"low\"}]}", "it names a cable, which only what comes from a port"),
            (
                "{\"ports\": [{\"id\": \"k\"}], \"routes\": [{\"from\": \"k\", \"cable\": 256, \"to\": \"low\"}]}",
                "\"cable\" is 256"
            ),
            ("{\(song), \"routes\": [{\"track\": 0, \"to\": \"low\"}]}", "the first track is 1"),
            ("{\(song), \"routes\": [{\"track\": 3, \"to\": \"low\"}]}", "it names track 3, and the file has 2"),
            ("{\"ports\": [{\"id\": \"k\"}], \"routes\": [{\"from\": \"k\", \"track\": 1, \"to\": \"low\"}]}", "comes from a port"),
            ("{\"ports\": [{\"id\": \"k\"}, {\"id\": \"k\"}]}", "are called \"k\""),
            ("{\"files\": [{\"path\": \"none.mid\", \"id\": \"s\"}]}", "The MIDI file \"s\" cannot be played"),
            ("{\"files\": [{\"path\": \"bad.mid\", \"id\": \"s\"}]}", "The MIDI file \"s\" cannot be played"),
            ("{\"files\": 3}", "midi"),
        ]
        for (midi, words) in cases { #expect(complaint(midi).contains(words), "\(midi): \(complaint(midi))") }
    }
}
