// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live, patched by hand, and bulkhead demo.

import Foundation
import HostingTestSupport
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite struct LiveAndDemoTests {
        private func runTool(_ arguments: [String], in session: PrivatePipeWire) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.environment = session.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// Links two ports, as soon as both are there.
        private func link(_ source: String, _ destination: String, in session: PrivatePipeWire) throws {
            let isLinked = try eventually(within: 5) {
                let process = try runTool(["pw-link", source, destination], in: session)
                process.waitUntilExit()
                return process.terminationStatus == 0
            }
            #expect(isLinked, "\(source) to \(destination)")
        }

        @Test func whatIsPatchedIntoALiveNodeComesOutOfItsEffects() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 480_000)
            let live = try bench.start("live", "-e", "Gain", "--set", "gain=-6", "--report", "report.json")
            try expectPeak(0.1253, ofWhatComesOutOf: live, bench, session)
            #expect(try bench.report().cycles > 10)
        }

        @Test func aLiveInstrumentPlaysWhatComesInAtItsPortAlsoAfterACrash() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try writeNotes(bench)
            let live = try bench.start("live", "-e", "Sampler", "--set", "soundBank=sines.sf2")
            let keyboard = try runTool(["pw-midiplay", "--target", "0", bench.path("notes.mid")], in: session)
            defer { keyboard.terminate() }
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            for side in ["FL", "FR"] {
                try link("bulkhead-live:output_\(side)", "\(session.sinkName):playback_\(side)", in: session)
            }
            try linkKeyboard(to: "bulkhead-live:midi_in", in: session)
            #expect(try !listed("-i", in: session).contains { $0.hasPrefix("bulkhead-live:input") })
            usleep(3_000_000)
            kill(try live.process(ofEffect: "Sampler"), SIGKILL)
            usleep(2_500_000)
            live.send(SIGINT)
            let outcome = live.wait(seconds: 5)
            #expect(outcome.status == 0 && outcome.output.contains("Sampler was ended by SIGKILL"), "\(outcome.output)")
            recorder.stop()
            let heard = try bench.load("heard.wav").samples(ofChannel: 0)
            let (start, end) = (heard.prefix(heard.count - 96_000), heard.suffix(48_000))
            #expect(start.contains { abs($0) > 0.01 } && end.contains { abs($0) > 0.01 })
        }

        @Test func aPortOfAGraphPlaysItsInstrument() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try writeNotes(bench)
            let graph = """
                {"bulkheadGraph": 1, "nodes": [{"id": "piano", "kind": "unit", "unit": {"id": "Sampler"}}],
                 "connections": [{"from": "piano", "to": "main"}],
                 "midi": {"ports": [{"id": "pads"}, {"id": "keys", "name": "My Keys"}], "routes": [{"from": "keys", "to": "piano"}]}}
                """
            try bench.write("graph.json", Array(graph.utf8))
            let playing = try bench.start("graph", "play", "graph.json")
            let keyboard = try runTool(["pw-midiplay", "--target", "0", bench.path("notes.mid")], in: session)
            defer { keyboard.terminate() }
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            try linkKeyboard(to: "bulkhead:My Keys", in: session)
            #expect(try listed("-i", in: session).contains("bulkhead:pads"))
            usleep(2_000_000)
            playing.send(SIGINT)
            playing.wait(seconds: 5).expectSuccess()
            recorder.stop()
            #expect(try bench.load("heard.wav").peak(ofChannel: 0) > 0.01)
        }

        /// Writes a bank of sines, and two hundred notes of a quarter of a second each.
        private func writeNotes(_ bench: Workbench) throws {
            try bench.write("sines.sf2", SineBank.bytes)
            let notes: [UInt8] = (0..<200).flatMap { _ in [0, 0x90, 69, 100, 48, 0x80, 69, 64] as [UInt8] } + [0, 0xFF, 0x2F, 0]
            let size = [UInt8(notes.count >> 8), UInt8(notes.count & 255)]
            let header = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0] + size
            try bench.write("notes.mid", header + notes)
        }

        /// Links the first node that sends MIDI to a port.
        private func linkKeyboard(to port: String, in session: PrivatePipeWire) throws {
            var source: String?
            _ = try eventually(within: 5) {
                source = try listed("-o", in: session).first { $0.contains("midi") && !$0.hasPrefix("bulkhead") }
                return source != nil
            }
            try link(try #require(source), port, in: session)
        }

        /// The ports of one direction.
        private func listed(_ direction: String, in session: PrivatePipeWire) throws -> [String] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["pw-link", direction]
            process.environment = session.environment
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text.split(separator: "\n").map(String.init)
        }

        /// Plays the tone into the node and records what comes out, for a second; then the command ends in order.
        private func expectPeak(
            _ peak: Float, ofWhatComesOutOf live: RunningCommand, _ bench: Workbench, _ session: PrivatePipeWire
        ) throws {
            let player = try runTool(["pw-play", "--target", "0", bench.path("in.wav")], in: session)
            defer { player.terminate() }
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            for side in ["FL", "FR"] {
                try link("bulkhead-live:output_\(side)", "\(session.sinkName):playback_\(side)", in: session)
                try link("pw-play:output_\(side)", "bulkhead-live:input_\(side)", in: session)
            }
            // On a busy machine it takes a while until the player is heard.
            #expect(eventually(within: 8) { bench.bytes("heard.wav").suffix(4096).contains { $0 != 0 } })
            usleep(1_000_000)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            recorder.stop()
            let heard = try bench.load("heard.wav")
            for channel in 0..<2 { #expect(abs(heard.peak(ofChannel: channel) - peak) < 0.005) }
        }

        /// Six decibels less, and twelve more that are bypassed.
        @Test func aLiveChainIsBackAsItWasAfterItsHostWasKilled() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 480_000)
            let file = ".local/state/bulkhead/live.json"
            let live = try bench.start("live", "-e", "Gain", "--set", "gain=-6", "-e", "Gain", "--set", "gain=-12", "--bypass")
            #expect(eventually(within: 10) { bench.exists(file) })
            live.send(SIGKILL)
            let outcome = live.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            // The daemon may know the ports of the dead node a moment longer, and they have the same names.
            let isGone = try eventually(within: 5) {
                let process = try runTool(["bash", "-c", "! pw-link -o | grep -q bulkhead-live"], in: session)
                process.waitUntilExit()
                return process.terminationStatus == 0
            }
            #expect(isGone)
            let kept = bench.bytes(file)
            let resumed = try bench.start("live", "--resume", "--report", "report.json")
            try expectPeak(0.1253, ofWhatComesOutOf: resumed, bench, session)
            #expect(try bench.report().units.map(\.isBypassed) == [false, true])
            #expect(bench.bytes(file) == kept)
        }

        // The loop plays for four seconds, in a PipeWire that has to start; once more where the graph missed cycles.
        @Test func theDemonstrationKillsAnEffectAndRecordsWhatWasPlayed() throws {
            // Where the graph misses cycles some are heard twice or not at all, and not by this host's doing: then once more.
            for attempt in 1...3 {
                let bench = try Workbench()
                let outcome = try bench.run("demo", "heard.wav", "--duration", "4", "--report", "report.json", seconds: 40)
                outcome.expectSuccess()
                #expect(outcome.output.contains("Delay was ended by SIGKILL in cycle "))
                #expect(bench.names(except: [".local", ".config", ".cache"]) == ["heard.svg", "heard.wav", "report.json"])
                #expect(String(decoding: bench.bytes("heard.svg"), as: UTF8.self).contains("<svg"))
                #expect(try bench.load("heard.wav").peak(ofChannel: 0) > 0.05)
                let report = try bench.report()
                #expect(report.units.map(\.restarts) == [0, 1, 0])
                #expect(report.units[1].faults.contains { $0.kind == "signalled" && $0.recoveredAfterCycles != nil })
                guard report.driverXruns == 0 else {
                    print("The graph missed \(report.driverXruns) cycles in demonstration \(attempt).")
                    continue
                }
                #expect(outcome.output.contains(" frames, 0 of them different"), "\(outcome.output)")
                return
            }
            try Test.cancel("the graph missed cycles in three demonstrations: nothing can be said about the frames")
        }

        @Test func aDemonstrationWithoutAnEffectToKillIsRefused() throws {
            let bench = try Workbench()
            let settings = try #require(bench.environment["XDG_CONFIG_HOME"]) + "/bulkhead"
            try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
            let effects = ["filt", "dlay", "rvrb"].map { "\"aufx:\($0):blkh\": \"died\"" }.joined(separator: ", ")
            let decisions = "{\"version\": 3, \"blocked\": [], \"trusted\": {}, \"quarantined\": {\(effects)}}"
            try Data(decisions.utf8).write(to: URL(fileURLWithPath: "\(settings)/plugins.json"))
            try bench.run("demo").expectComplaint(status: 1, "quarantined, so there is none to kill", "bulkhead unblock")
        }

        @Test func aStoppedDemonstrationLeavesNoRecordingAndNoDaemons() throws {
            let bench = try Workbench()
            let demo = try bench.start("demo")
            #expect(eventually(within: 20) { demo.output.contains("A drum loop") })
            demo.send(SIGINT)
            demo.wait(seconds: 10).expectComplaint(status: 130, "Stopped; \"demo.wav\" was not written.")
            #expect(bench.names(except: [".local", ".config", ".cache"]).isEmpty)
        }
    }
}
