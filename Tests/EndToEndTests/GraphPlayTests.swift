// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead graph play through PipeWire, until the end and until Ctrl-C.

import Foundation
import PipeWireIO
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct GraphPlayTests {
        /// A block in which "quiet" is late is silent: on a busy machine its input would be heard in its place.
        private static let document = """
            {"bulkheadGraph": 1, "mainVolume": 0.5, "nodes": [
            {"id": "one", "kind": "player", "files": [{"path": "one.wav"}]},
            {"id": "two", "kind": "player", "files": [{"path": "two.wav"}]},
            {"id": "quiet", "kind": "unit", "unit": {"id": "Gain", "parameters": {"gain": -96}, "fallback": "silence"}}],
            "connections": [{"from": "one", "to": "main"}, {"from": "two", "to": "quiet"}, {"from": "quiet", "to": "main"}]}
            """

        private func bench(_ session: PrivatePipeWire? = nil, adding added: [String: String] = [:]) throws -> Workbench {
            let bench = try Workbench(session, adding: added)
            try bench.writeTone("one.wav", rate: 44_100, frames: 44_100)
            try bench.writeTone("two.wav", frames: 48_000)
            try bench.write("song.json", Array(Self.document.utf8))
            return bench
        }

        @Test func whatIsPlayedThroughPipeWireReachesTheSink() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try bench(session)
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            let outcome = try bench.run("graph", "play", "song.json", "--quantum", "512")
            recorder.stop()
            outcome.expectSuccess()
            let heard = try bench.load("heard.wav")
            for channel in 0..<2 { #expect(abs(heard.peak(ofChannel: channel) - 0.125) < 0.005) }
        }

        /// The real reads of a real file take their time; the graph plays on, and the command says what was silent.
        @Test(arguments: [(1, false), (400, true)])
        func aSlowDiskIsNamedAndStopsNothing(milliseconds: Int, isTooSlow: Bool) throws {
            let bench = try bench(adding: [
                "LD_PRELOAD": "\(Build.folder)/SlowDisk.so", "SLOW_DISK": "/one.wav:\(milliseconds)",
            ])
            try bench.writeTone("one.wav", frames: 2 * 48_000)
            let outcome = try bench.run("graph", "play", "song.json", "--driver", "null")
            #expect(outcome.status == (isTooSlow ? 1 : 0), "\(outcome.output)")
            #expect(outcome.errors.contains("\"one\"") == isTooSlow && !outcome.errors.contains("\"two\""), "\(outcome.errors)")
        }

        @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here"))
        func onATerminalAScreenOpensUnlessItIsToBePlain() throws {
            let bench = try bench()
            let endless = Self.document.replacing("\"mainVolume\"", with: "\"length\": 60, \"mainVolume\"")
            try bench.write("song.json", Array(endless.utf8))
            let line = "bulkhead graph play song.json --driver null"
            var terminal = try TmuxTerminal(bench, line)
            #expect(terminal.awaits("● 1 quiet") && terminal.awaits("one"))
            #expect(try bench.run("ctl", "status").output.contains("quiet"))
            try terminal.press("Tab", "End")
            #expect(try eventually(within: 5) { try bench.run("ctl", "get", "quiet.gain").output == "quiet.gain = 24 dB\n" })
            kill(try #require(ProcessTable.plugins(home: bench.folder).first), SIGKILL)
            #expect(terminal.awaits("restarts 1"))
            try terminal.type("q")
            #expect(terminal.awaits("End the host?"))
            try terminal.press("Enter")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])

            terminal = try TmuxTerminal(bench, "\(line) --plain --duration 3")
            #expect(terminal.awaits("Playing song.json") && terminal.awaits("%") && terminal.awaitEnd() == "0")
            // It ends with the graph, too.
            terminal = try TmuxTerminal(bench, "\(line) --duration 3")
            #expect(terminal.awaits("● 1 quiet") && terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])
        }

        @Test func aScreenOfAGraphThatIsKilledLeavesSentencesAndTheMusic() throws {
            let bench = try bench()
            let endless = Self.document.replacing("\"mainVolume\"", with: "\"length\": 60, \"mainVolume\"")
            try bench.write("song.json", Array(endless.utf8))
            let terminal = try TmuxTerminal(bench, "bulkhead graph play song.json --driver null")
            #expect(terminal.awaits("● 1 quiet"))
            kill(try #require(ProcessTable.identifier(ofCommand: "attach", home: bench.folder)), SIGKILL)
            #expect(terminal.awaits("The screen has ended by an error") && terminal.awaits("%"))
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0" && bench.bytes("before") == bench.bytes("after"))
            #expect(try terminal.modes() == TmuxTerminal.usualModes)
        }

        @Test func controlCEndsIt() throws {
            let bench = try bench()
            let command = try bench.start("graph", "play", "song.json", "--driver", "null")
            #expect(eventually(within: 10) { command.output.contains("Playing song.json") })
            command.send(SIGINT)
            command.wait(seconds: 5).expectSuccess()
        }
    }
}
