// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What MIDI has set on an instrument: scenes, undo and the file of a session carry it. Test thread.

import AudioGraph
import GraphDocuments
import HostingTestSupport
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(5))) struct MIDIStateTests {
    /// A tuning, the volume, the program, the pan, and the range of the pitch wheel.
    private static let set: [[UInt8]] = [
        [0xF0, 0x7E, 0x7F, 8, 8, 3, 127, 127, 70, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 0xF7], [0xC0, 5], [0xB0, 101, 0],
        [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 101, 127], [0xB0, 100, 127], [0xB0, 7, 40],
        [0xB0, 10, 90],
    ]

    /// A session with an instrument that has received the messages, and a pedal that is down.
    private func bench() throws -> ControlBench {
        let bench = try ControlBench()
        _ = try bench.client().call("add", ["plugin": "Synth", "id": "keys"])
        for message in Self.set + [[0xB0, 64, 127]] { bench.engine.midiInput.send(message) }
        #expect(becomes { state(bench) == Self.set })
        return bench
    }

    private func state(_ bench: ControlBench) -> [[UInt8]] {
        (bench.session.graph.unit(of: "keys")?.hosted.port.stateMessages ?? []).map(\.bytes)
    }

    private func volume(_ value: UInt8) -> [[UInt8]] { Self.set.map { $0[1] == 7 ? [0xB0, 7, value] : $0 } }

    @Test func aSceneHasWhatWasSetWhenItWasSaved() throws {
        let bench = try bench()
        let client = try bench.client()
        let former = bench.session.graph.unit(of: "keys")
        _ = try client.call("saveScene", ["name": "A"])
        bench.engine.midiInput.send([0xB0, 7, 90])
        #expect(becomes { state(bench) == volume(90) })
        _ = try client.call("saveScene", ["name": "B"])
        _ = try client.call("scene", ["name": "A"])
        #expect(bench.session.graph.unit(of: "keys") !== former && state(bench) == Self.set)
        _ = try client.call("scene", ["name": "B"])
        #expect(state(bench) == volume(90))
    }

    @Test func anInstrumentThatComesBackByUndoHasWhatWasSetWhenItWent() throws {
        let bench = try bench()
        let client = try bench.client()
        _ = try client.call("remove", ["node": "keys"])
        #expect(state(bench).isEmpty)
        _ = try client.call("undo")
        #expect(state(bench) == Self.set)
    }

    @Test func anInstrumentThatStaysKeepsWhatThePlayerHasSetSince() throws {
        let bench = try bench()
        let client = try bench.client()
        let unit = bench.session.graph.unit(of: "keys")
        _ = try client.call("add", ["plugin": "Filter", "after": "Gain"])
        bench.engine.midiInput.send([0xB0, 7, 90])
        #expect(becomes { state(bench) == volume(90) })
        _ = try client.call("undo")
        #expect(bench.session.graph.unit(of: "keys") === unit && state(bench) == volume(90))
        _ = try client.call("redo")
        #expect(state(bench) == volume(90))
    }

    @Test func aDocumentSetsItOnAnInstrumentThatPlays() throws {
        let bench = try bench()
        let client = try bench.client()
        let text = String(decoding: try client.call("graph").json, as: UTF8.self)
        #expect(text.contains("\"B0 07 28\""))
        let former = bench.session.graph.captured
        let document = try GraphDocument(json: Array(text.replacing("B0 07 28", with: "B0 07 5A").utf8), folder: former.folder)
        try bench.session.become(document, since: former, bench.session.graph)
        #expect(becomes { state(bench) == volume(90) })
    }

    @Test func theFileOfASessionHasIt() throws {
        let bench = try bench()
        let folder = ScratchFolder()
        let change = bench.session.change
        bench.engine.midiInput.send([0xB0, 7, 90])
        #expect(becomes { bench.session.change != change })
        try bench.session.keep(at: "\(folder.path)/session.json")
        let file = try SessionFile(contentsOfFile: "\(folder.path)/session.json")
        #expect(file.isOwn)
        let kept = file.graph.savedUnits.compactMap(\.midi)
        #expect(kept.count == 1 && kept == bench.session.graph.captured.savedUnits.compactMap(\.midi))
    }

    @Test(arguments: [
        "B0 07", "B0 07 80", "90 3C 64", "F0 01 F7", "F0 7E 7F 06 01 F7", "F0 7D 01 02 03", "B0 07 2", "C0 05 05", "256:B0 07 28",
        "", "B0 07 28 00",
    ])
    func whatSetsNothingIsRefused(text: String) throws {
        let unit = "{\"id\": \"Synth\", \"midi\": [\"\(text)\"]}"
        let json = """
            {"bulkheadGraph": 1, "nodes": [{"id": "keys", "kind": "unit", "unit": \(unit)}],
             "connections": [{"from": "keys", "to": "main"}]}
            """
        #expect(throws: GraphDocumentError.self) { _ = try GraphDocument(json: Array(json.utf8)) }
        let right = json.replacing("[\"\(text)\"]", with: "[\"3:b0 07 28\", \"C0 05\"]")
        let written = try ReadableJSON.encode(try GraphDocument(json: Array(right.utf8)))
        #expect(String(decoding: written, as: UTF8.self).contains("\"3:B0 07 28\""))
    }
}
