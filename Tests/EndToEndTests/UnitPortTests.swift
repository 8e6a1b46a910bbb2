// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live: side chains and further outputs are ports, which come and go with their units.

import Foundation
import PipeWireIO
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct UnitPortTests {
        private func bench(_ session: PrivatePipeWire) throws -> Workbench {
            let bench = try Workbench(session, adding: ["BULKHEAD_PATH": "\(Build.testPluginFolder):\(Build.folder)"])
            try FileManager.default.createDirectory(atPath: bench.path("ladspa"), withIntermediateDirectories: true)
            return bench
        }

        @discardableResult
        private func pwLink(_ arguments: [String], in session: PrivatePipeWire) throws -> (text: String, status: Int32) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["pw-link"] + arguments
            process.environment = session.environment
            let pipe = Pipe()
            (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (text, process.terminationStatus)
        }

        /// Links two ports, as soon as both are there.
        private func link(_ source: String, _ destination: String, in session: PrivatePipeWire) throws {
            let isLinked = try eventually(within: 10) { try pwLink([source, destination], in: session).status == 0 }
            #expect(isLinked, "\(source) to \(destination)")
        }

        /// The names of the live node's ports without those that each has.
        private func ports(in session: PrivatePipeWire) throws -> Set<String> {
            let lines = try pwLink(["-io"], in: session).text.split(separator: "\n")
            let own = lines.filter { $0.hasPrefix("bulkhead-live:") }.map { String($0.dropFirst("bulkhead-live:".count)) }
            return Set(own.filter { name in !["input_", "output_", "midi_"].contains { name.hasPrefix($0) } })
        }

        private func expectPorts(_ names: Set<String>, in session: PrivatePipeWire) throws {
            var present: Set<String> = []
            let isAsWanted = try eventually(within: 10) {
                present = try ports(in: session)
                return present == names
            }
            #expect(isAsWanted, "\(present)")
        }

        private func ctl(_ bench: Workbench, _ words: String...) throws {
            let outcome = try bench.run(["ctl"] + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }

        private func expectLevels(_ levels: [Int], at ear: LevelNode) {
            #expect(eventually(within: 10) { ear.heard == levels }, "\(ear.heard)")
        }

        @Test func aSideChainHearsItsPortWhileThatIsLinkedAndTheInputOtherwise() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try bench(session)
            // Its output is its input plus ten times its side chain.
            try FileManager.default.copyItem(
                atPath: "\(Build.testPluginFolder)/LADSPA/honest.so", toPath: bench.path("ladspa/honest.so"))
            let live = try bench.start("live", "-e", "ladspa:honest:keyed")
            let (source, ear) = (try LevelNode("source", in: session), try LevelNode("ear", in: session))
            try expectPorts(["Keyed_Side-chain"], in: session)
            for side in ["FL", "FR"] {
                try link("source:output_FL", "bulkhead-live:input_\(side)", in: session)
                try link("bulkhead-live:output_\(side)", "ear:input_\(side)", in: session)
            }
            expectLevels([110, 110], at: ear)
            #expect(try bench.run("ctl", "status").output.contains("port Keyed_Side-chain → Keyed:1, not linked"))
            try link("source:output_FR", "bulkhead-live:Keyed_Side-chain", in: session)
            expectLevels([210, 210], at: ear)
            #expect(try bench.run("ctl", "status").output.contains("port Keyed_Side-chain → Keyed:1, linked"))
            try pwLink(["-d", "source:output_FR", "bulkhead-live:Keyed_Side-chain"], in: session)
            expectLevels([110, 110], at: ear)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            withExtendedLifetime(source) {}
        }

        @Test func editsAndScenesBringPortsAndTakeThemAway() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try bench(session)
            let live = try bench.start("live", "-e", "Gain")
            #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Gain.gain").status) == 0 })
            try expectPorts([], in: session)
            try ctl(bench, "add", "Probe")
            try expectPorts(["Probe_Side-Chain_FL", "Probe_Side-Chain_FR"], in: session)
            // A unit of the same name has ports of another one.
            try ctl(bench, "save-scene", "one")
            try ctl(bench, "add", "Probe")
            let four: Set = ["Probe_Side-Chain_FL", "Probe_Side-Chain_FR", "Probe-2_Side-Chain_FL", "Probe-2_Side-Chain_FR"]
            try expectPorts(four, in: session)
            // What feeds a side chain in the graph takes its ports.
            try ctl(bench, "connect", "Gain", "Probe 2:1")
            try expectPorts(["Probe_Side-Chain_FL", "Probe_Side-Chain_FR"], in: session)
            try ctl(bench, "set", "main.volume=0.5")
            try ctl(bench, "save-scene", "two")
            try ctl(bench, "set", "main.volume=1")
            try ctl(bench, "remove", "Probe")
            try expectPorts([], in: session)
            // The ports stay through a change of scenes, and so do their links.
            try ctl(bench, "scene", "one")
            let (source, ear) = (try LevelNode("source", in: session), try LevelNode("ear", in: session))
            try link("source:output_FL", "bulkhead-live:Probe_Side-Chain_FL", in: session)
            try link("bulkhead-live:output_FL", "ear:input_FL", in: session)
            expectLevels([10, 0], at: ear)
            try ctl(bench, "scene", "two")
            try expectPorts(["Probe_Side-Chain_FL", "Probe_Side-Chain_FR"], in: session)
            #expect(try bench.run("ctl", "status").output.contains("port Probe_Side-Chain → Probe:1, linked"))
            expectLevels([5, 0], at: ear)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            withExtendedLifetime(source) {}
        }

        @Test func aGraphHearsAndPlaysByPortsOfItsOwn() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try bench(session)
            let graph = """
                {"bulkheadGraph": 1, "inputBuses": [{"name": "key", "channels": 1}], "outputBuses": [{"name": "wet"}],
                 "nodes": [{"id": "mic", "kind": "input"}],
                 "connections": [{"from": "mic", "to": "main"}, {"from": "mic:1", "to": "output:1"}]}
                """
            try bench.write("graph.json", Array(graph.utf8))
            let playing = try bench.start("graph", "play", "graph.json")
            let (source, ear) = (try LevelNode("source", in: session), try LevelNode("ear", in: session))
            try expectPorts(["key", "wet_FL", "wet_FR"], in: session)
            try link("source:output_FR", "bulkhead-live:key", in: session)
            try link("bulkhead-live:wet_FR", "ear:input_FL", in: session)
            expectLevels([20, 0], at: ear)
            playing.send(SIGINT)
            playing.wait(seconds: 5).expectSuccess()
            withExtendedLifetime(source) {}
        }

        @Test func portsComeBackAfterPipeWireWasAway() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try bench(session)
            let live = try bench.start("live", "-e", "Gain", "-e", "Probe")
            try expectPorts(["Probe_Side-Chain_FL", "Probe_Side-Chain_FR"], in: session)
            session.killDaemon()
            #expect(eventually(within: 10) { live.output.contains("PipeWire went away") })
            try session.reviveDaemon()
            try expectPorts(["Probe_Side-Chain_FL", "Probe_Side-Chain_FR"], in: session)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
        }

        @Test func aFurtherOutputIsPlayedToItsPort() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try bench(session)
            let live = try bench.start("live", "-e", "Splitter", "--channels", "1")
            let (source, ear) = (try LevelNode("source", in: session), try LevelNode("ear", in: session))
            let half = ["FL", "FR", "RL", "RR"].map { "Splitter_Half_\($0)" }
            try expectPorts(Set(half + ["Splitter_Negative"]), in: session)
            try link("source:output_FR", "bulkhead-live:input_MONO", in: session)
            try link("bulkhead-live:Splitter_Negative", "ear:input_FL", in: session)
            try link("bulkhead-live:Splitter_Half_RR", "ear:input_FR", in: session)
            expectLevels([-20, 10], at: ear)
            #expect(try bench.run("ctl", "status").output.contains("port Splitter:2 → Splitter_Half, linked"))
            // The main output is as before.
            try pwLink(["-d", "bulkhead-live:Splitter_Negative", "ear:input_FL"], in: session)
            try link("bulkhead-live:output_MONO", "ear:input_FL", in: session)
            expectLevels([20, 10], at: ear)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            withExtendedLifetime(source) {}
        }
    }
}
