// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Standard output: what is written there is the command's own, and all of it, or the status says so.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct OutputTests {
        private static let toFullDevice = "exec \"$@\" >/dev/full"

        @Test(arguments: [
            ["list"], ["list", "--json"], ["info", "Gain", "--json"], ["scan"], ["chain", "list"],
            ["chain", "show", "one", "--json"],
            ["--help"], ["--version"], ["validate", "Gain", "--case", "metadata"], ["validate-case", "Gain", "tail", "1"],
        ])
        func whatFindsNoRoomIsAFailure(arguments: [String]) throws {
            let bench = try Workbench()
            if arguments.contains("one") { try bench.run("chain", "save", "one", "-e", "Gain").expectSuccess() }
            try bench.run(arguments, shell: Self.toFullDevice)
                .expectComplaint(status: 75, "Couldn't write to standard output: no space left on device.")
        }

        /// The reader has gone before the command begins: it ends before it opens the pipe that the command waits for.
        private static let toNobody = "mkfifo gone && { { true <gone; } & exec 5>gone; wait; \"$@\" >&5; echo $? >status; }"

        @Test(arguments: [
            ["list", "--json"], ["info", "Gain"], ["listen", "in.wav"], ["listen", "in.wav", "--json"],
            ["render", "in.wav", "-", "-e", "Gain", "--set", "gain=-3"],
            ["render", "in.wav", "-", "-e", "Gain", "--rate", "44100"],
            ["graph", "render", "graph.json", "-"], ["graph", "show", "graph.json"], ["graph", "check", "graph.json"],
            ["trace", "in.wav", "-e", "Gain", "--set", "gain=-3"], ["measure", "--startup", "1"], ["--help"],
            ["chain", "list"], ["validate-case", "Gain", "metadata", "1"],
        ])
        func aReaderWhoHasReadEnoughHearsNoComplaint(arguments: [String]) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let nodes = #"[{"id": "a", "kind": "player", "files": [{"path": "in.wav"}]}]"#
            let graph = #"{"bulkheadGraph": 1, "nodes": \#(nodes), "connections": [{"from": "a", "to": "main"}]}"#
            try Data(graph.utf8).write(to: URL(fileURLWithPath: bench.path("graph.json")))
            let outcome = try bench.run(arguments, shell: Self.toNobody)
            #expect(outcome.errors.isEmpty && outcome.leftovers.isEmpty, "\(outcome.errors)")
            #expect(String(decoding: bench.bytes("status"), as: UTF8.self) == "141\n")
        }

        @Test func whatAPlugInPrintsDoesNotSpoilTheOutput() throws {
            struct Info: Decodable { let id, name: String }
            let bench = try Workbench()
            try FileManager.default.createDirectory(atPath: bench.path("ladspa"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "\(Build.folder)/TestPlugins/LADSPA/talkative/talkative.so", toPath: bench.path("ladspa/talkative.so"))
            let outcome = try bench.run("info", "ladspa:talkative:gain", "--json")
            #expect(outcome.status == 0)
            // A scan is silent, and the unit's own process is heard.
            #expect(outcome.errors.hasSuffix(": Here I am, and I talk.\n") && outcome.errors.hasPrefix("bulkhead: "))
            #expect(outcome.errors.count { $0.isNewline } == 1)
            #expect(try JSONDecoder().decode(Info.self, from: Data(outcome.output.utf8)).id == "ladspa:talkative:gain")
        }

        @Test func aPlugInIsToldWhereTemporaryFilesBelong() throws {
            let bench = try Workbench(adding: ["TMPDIR": "/tmp/of-their-own", "BULKHEAD_PATH": "bundles"])
            _ = try bench.makeTeller("echo \"Files in $TMPDIR.\"")
            // Strictly confined it has no folder for temporary files.
            #expect(try bench.run("info", "Teller").errors.hasPrefix("bulkhead: Teller: Files in .\nbulkhead: "))
            try bench.run("unconfine", "Teller").expectSuccess()
            let outcome = try bench.run("info", "Teller")
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("bulkhead: Teller: Files in /tmp/of-their-own.\nbulkhead: "))
        }
    }
}
