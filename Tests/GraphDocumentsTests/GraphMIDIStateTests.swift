// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What MIDI has set and holds in a graph, when the graph is edited or gives way to another one. Test thread.

import AudioGraph
import GraphDocuments
import HostingTestSupport
import MIDIFiles
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct GraphMIDIStateTests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
    private let folder = ScratchFolder()

    private func document(_ units: [String], _ midi: String = "{\"ports\": [{\"id\": \"keys\"}]}") throws -> GraphDocument {
        let nodes = units.map { "{\"id\": \"\($0)\", \"kind\": \"unit\", \"unit\": {\"id\": \"Scribe\"}}" }
        let wires = units.map { "{\"from\": \"\($0)\", \"to\": \"main\"}" }
        let text = """
            {"bulkheadGraph": 1, "nodes": [\(nodes.joined(separator: ", "))], "connections": [\(wires.joined(separator: ", "))],
             "midi": \(midi)}
            """
        return try GraphDocument(json: Array(text.utf8), folder: folder.path)
    }

    private func build(_ document: GraphDocument) throws -> (engine: AudioEngine, graph: BuiltGraph) {
        let engine = try AudioEngine.offline(channelCount: 4)
        let graph = try document.build(
            into: engine, from: Self.registry, allowing: Allowances(), name: "test", at: .scene("first", format: Sounds.format(4)))
        graph.play()
        try engine.start()
        return (engine, graph)
    }

    private func become(_ graph: BuiltGraph, _ document: GraphDocument) throws {
        try graph.become(document, from: Self.registry, allowing: Allowances(), name: "test")
    }

    /// Program 5, modulation 3, the wheel at 6, and a held note and pedal.
    private func play(_ engine: AudioEngine) throws -> Float {
        for bytes: [UInt8] in [[0xC0, 5], [0xB0, 1, 3], [0xE0, 0, 70], [0x90, 60, 100], [0xB0, 64, 127]] {
            engine.midiInput.send(bytes)
        }
        let heard = HeardNotes(try engine.render(4800))
        let state = Float(5 + 128 * 3 + 16_384 * 6)
        #expect(heard.state.last == state + 0.5 && heard.sounding.last == 1)
        return state
    }

    @Test func aSceneBeginsWithWhatWasSetWhenItWasKept() throws {
        let (engine, graph) = try build(document(["one"]))
        defer { engine.stop() }
        let state = try play(engine)
        let (next, _) = try graph.handOver(
            to: graph.captured, from: Self.registry, allowing: Allowances(), name: "next")
        _ = try engine.render(4800)
        try graph.remove()
        let heard = HeardNotes(try engine.render(9600))
        // Neither the note nor the pedal: the foot is on nothing any more.
        #expect(heard.sounding.last == 0 && heard.state.last == state)
        #expect(next.units.map(\.name) == ["one"])
    }

    /// A program may be a parameter, too.
    @Test func aParameterThatWasSetLastWinsInASceneToo() throws {
        let (engine, graph) = try build(document(["one"]))
        defer { engine.stop() }
        engine.midiInput.send([0xC0, 5])
        #expect(try HeardNotes(engine.render(4800)).state.last == 5)
        try #require(graph.units.first).unit.setValue(9, of: "program")
        #expect(try HeardNotes(engine.render(4800)).state.last == 9)
        let (next, _) = try graph.handOver(to: graph.captured, from: Self.registry, allowing: Allowances(), name: "next")
        _ = try engine.render(4800)
        try graph.remove()
        #expect(try HeardNotes(engine.render(9600)).state.last == 9 && next.units.count == 1)
    }

    @Test func aUnitThatComesBackHasWhatWasSetWhenItWent() throws {
        let (engine, graph) = try build(document(["one"]))
        defer { engine.stop() }
        let state = try play(engine)
        let former = graph.captured
        try become(graph, document(["two"]))
        _ = try engine.render(9600)
        try become(graph, former)
        let heard = HeardNotes(try engine.render(9600))
        #expect(heard.state.last == state && heard.sounding.last == 0)
    }

    @Test func theNotesOfAnInstrumentGoOnWhenAnotherOneComesAndGoes() throws {
        let (engine, graph) = try build(document(["one"]))
        defer { engine.stop() }
        _ = try play(engine)
        try become(graph, document(["one", "two"]))
        #expect(try HeardNotes(engine.render(9600)).ends.isEmpty)
        try become(graph, document(["one"]))
        let heard = HeardNotes(try engine.render(9600))
        #expect(heard.ends.isEmpty && heard.sounding.last == 1)
        engine.midiInput.send([0x80, 60, 64])
        #expect(try HeardNotes(engine.render(4800)).sounding.last == 0)
    }

    @Test func aSongThatIsTakenAwayEndsItsNotesAndPedals() throws {
        let pedal = MIDIFileEvent(tick: 0, .controlChange, channel: 0, 64, 127)
        _ = folder.write("song.mid", Songs.file([Songs.Note(tick: 0, length: 48_000)], [pedal]))
        let song = try document(
            ["one"], "{\"files\": [{\"path\": \"song.mid\", \"id\": \"song\"}], \"ports\": [{\"id\": \"keys\"}]}")
        let (engine, graph) = try build(song)
        defer { engine.stop() }
        engine.midiInput.send([0x90, 72, 100])
        let before = HeardNotes(try engine.render(4800))
        #expect(before.sounding.last == 2 && before.state.last == 0.5)
        try become(graph, document(["one"]))
        let heard = HeardNotes(try engine.render(4800))
        #expect(heard.sounding.last == 1 && heard.state.last == 0)
    }

    @Test func aPortThatIsTakenAwayEndsItsNotesAlone() throws {
        let (ports, first) = (#"{"ports": [{"id": "a"}, {"id": "b"}], "routes": ["#, #"{"from": "a", "to": "one"}"#)
        let (one, two) = (ports + first + "]}", ports + first + #", {"from": "b", "to": "one"}]}"#)
        let (engine, graph) = try build(document(["one"], two))
        defer { engine.stop() }
        engine.midiInput.send([0x90, 60, 100], port: 0)
        engine.midiInput.send([0x90, 72, 100], port: 1)
        #expect(try HeardNotes(engine.render(4800)).sounding.last == 2)
        try become(graph, document(["one"], one))
        let heard = HeardNotes(try engine.render(4800))
        #expect(heard.ended == [0: 1] && heard.sounding.last == 1)
    }
}
