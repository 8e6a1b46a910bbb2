// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Panic: a client, OSC and a controller end all notes of all instruments. Test thread.

import AudioGraph
import HostingTestSupport
import OpenSoundControl
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(5))) struct PanicTests {
    /// A session with two instruments and an effect, whose events are logged.
    private func bench() throws -> ControlBench {
        let bench = try ControlBench()
        let client = try bench.client()
        for id in ["one", "two"] { _ = try client.call("add", ["plugin": "Synth", "id": .text(id)]) }
        bench.engine.eventLog.begin()
        return bench
    }

    /// The instruments that have ended their notes since the last call.
    private func panicked(_ bench: ControlBench) -> Int {
        Set(bench.engine.eventLog.take().filter { $0.kind == .panic }.map(\.source)).count
    }

    private func expectPanic(_ bench: ControlBench, _ body: () throws -> Void) rethrows {
        _ = panicked(bench)
        try body()
        var count = 0
        #expect(
            becomes {
                count += panicked(bench)
                return count == 2
            })
    }

    @Test func aClientEndsAllNotes() throws {
        let bench = try bench()
        let client = try bench.client()
        try expectPanic(bench) {
            let answer = try client.call("panic")
            #expect(answer["instruments"] == .number(2))
        }
        // It is no edit.
        #expect(try client.call("status")["undo"] == "add two")
    }

    @Test func aSceneThatRingsOutIsSilencedToo() throws {
        let bench = try bench()
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "A"])
        _ = try client.call("scene", ["name": "A"])
        #expect(try client.call("panic")["instruments"] == .number(4))
    }

    @Test func aMessageOfOSCEndsAllNotes() throws {
        let bench = try bench()
        let sockets = try OSCSockets(port: 0)
        try bench.session.serveOSC(at: sockets)
        let sender = try OSCSender(to: sockets.port)
        expectPanic(bench) { sender.send("/panic") }
        expectPanic(bench) { sender.send("/panic", .integer(1)) }
        // A button that comes up does nothing.
        sender.send("/panic", .integer(0))
        sender.send("/Gain/gain")
        #expect(try sender.hear()?.address == "/Gain/gain" && panicked(bench) == 0)
    }

    @Test func aControllerEndsAllNotesEachTimeItGoesDown() throws {
        let bench = try bench()
        let client = try bench.client()
        let mapping = try client.call("map", ["source": "cc:1:20", "path": "panic"])
        #expect(mapping["curve"] == "switch" && mapping["path"] == "panic")
        #expect(try client.call("mappings").list?.first?["isPresent"] == true)
        for _ in 0..<2 {
            expectPanic(bench) { bench.engine.midiInput.send([0xB0, 20, 127]) }
            bench.engine.midiInput.send([0xB0, 20, 0])
        }
        _ = try client.call("map", ["source": "note:1:3", "path": "panic"])
        expectPanic(bench) { bench.engine.midiInput.send([0x90, 3, 1]) }
        #expect(panicked(bench) == 0)
    }
}
