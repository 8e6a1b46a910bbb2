// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead validate.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ValidateTests {
        private struct Unit: Decodable {
            struct Case: Decodable {
                struct Finding: Decodable { let verdict, sentence: String }

                let caseName, verdict: String
                let findings: [Finding]
            }

            let id, verdict: String
            let cases: [Case]
        }

        private struct Summary: Decodable {
            let seed: Int
            let verdict: String
            let units: [Unit]
        }

        private static let testPlugins = Build.testPluginFolder
        private static let sentence = "It renders 257 frames when it has resources for 256."

        private func bench(path: String = testPlugins) throws -> Workbench { try Workbench(adding: ["BULKHEAD_PATH": path]) }

        @Test func aTraceShowsRequestsAndReplies() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 4800)
            let arguments = ["trace", "in.wav", "-e", "Gain", "--set", "gain=-3", "--block-size", "4800"]
            let text = try bench.run(arguments)
            text.expectSuccess()
            #expect(text.output.contains("allocate") && text.output.split(separator: "\n").count > 4, "\(text.output)")
            let json = try bench.run(arguments + ["--json"])
            json.expectSuccess()
            #expect(json.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        }

        @Test func aPlugInThatKeepsToTheRulesGetsALineAndStatusZero() throws {
            let outcome = try Workbench().run("validate", "Gain", "--reproduce", "5", seconds: 100)
            outcome.expectSuccess()
            #expect(outcome.output.hasPrefix("pass     aufx:gain:blkh  Gain  (45 pass; "))
            #expect(outcome.output.hasSuffix("\n1 unit: 1 pass. Seed 5.\n"))
        }

        @Test func aFailureIsNamedWithTheCommandThatBringsItAboutAgain() throws {
            let bench = try bench()
            let outcome = try bench.run("validate", "trem", "aufx:trms:test", "--case", "block-sizes")
            outcome.expectComplaint(status: 1, "\"trem\" could be any of")
            let first = try bench.run("validate", "aufx:trms:test", "aufx:trml:test", "--case", "block-sizes", "--reproduce", "3")
            first.expectComplaint(status: 1, "1 of 2 plug-ins did not pass")
            #expect(first.output.contains("fail     block-sizes: \(Self.sentence)"))
            #expect(first.output.contains("pass     aufx:trml:test"))
            let command = "bulkhead validate aufx:trms:test --case block-sizes --reproduce 3"
            #expect(first.output.contains(command))
            let again = try bench.run(command.split(separator: " ").dropFirst().map(String.init))
            #expect(again.status == 1 && again.output.contains(Self.sentence))
        }

        @Test func reportsAreWrittenForEachUnitAndForAll() throws {
            let bench = try bench()
            let outcome = try bench.run(
                "validate", "aufx:trms:test", "Gain", "--case", "block-sizes", "--case", "tail", "--report", "results")
            outcome.expectComplaint(status: 1, "1 of 2 plug-ins did not pass")
            let bad = try JSONDecoder().decode(Unit.self, from: bench.bytes("results/aufx,trms,test.json"))
            #expect(bad.id == "aufx:trms:test" && bad.verdict == "fail")
            #expect(bad.cases.map(\.caseName) == ["block-sizes", "tail"] && bad.cases.map(\.verdict) == ["fail", "pass"])
            #expect(bad.cases[0].findings.map(\.sentence) == [Self.sentence])
            let summary = try JSONDecoder().decode(Summary.self, from: bench.bytes("results/summary.json"))
            #expect(summary.verdict == "fail" && Set(summary.units.map(\.id)) == ["aufx:trms:test", "aufx:gain:blkh"])
            for name in ["aufx,trms,test.txt", "summary.txt"] {
                #expect(String(decoding: bench.bytes("results/\(name)"), as: UTF8.self).contains(Self.sentence))
            }
        }

        @Test func theJSONHoldsEverything() throws {
            let outcome = try Workbench().run("validate", "Gain", "--case", "metadata", "--json", "--reproduce", "9")
            outcome.expectSuccess()
            let summary = try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
            #expect(summary.seed == 9 && summary.verdict == "pass" && summary.units.map(\.id) == ["aufx:gain:blkh"])
        }

        @Test func onePlugInThatDiesAtItsStartIsACrashInEveryCase() throws {
            let bench = try Workbench()
            let bundle = URL(fileURLWithPath: bench.path("Dead.bulkhead"))
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            let manifest = """
                {"manifest": 1, "component": "aufx:dead:test", "name": "Dead", "manufacturerName": "Nobody", "version": "1.0.0",
                "tags": [], "executable": "run", "consentsToInProcess": false}
                """
            try Data(manifest.utf8).write(to: bundle.appendingPathComponent("manifest.json"))
            let program = bundle.appendingPathComponent("run")
            try Data("#!/bin/sh\necho Help me. >&2\nkill -SEGV $$\n".utf8).write(to: program)
            chmod(program.path, 0o755)
            let validating = try Workbench(adding: ["BULKHEAD_PATH": bench.folder])
            let outcome = try validating.run("validate", "Dead", "--case", "opening", "--case", "tail", "--report", "out")
            outcome.expectComplaint(status: 1, "1 of 1 plug-ins did not pass")
            #expect(outcome.output.hasPrefix("crash    aufx:dead:test  Dead  (2 crash; "))
            #expect(outcome.output.contains("was ended by SIGSEGV"))
            #expect(String(decoding: validating.bytes("out/aufx,dead,test.txt"), as: UTF8.self).contains("| Help me."))
        }

        @Test func oneCaseRunByHandPrintsALineOfJSON() throws {
            let outcome = try Workbench().run("validate-case", "Gain", "tail", "4")
            outcome.expectSuccess()
            let report = try JSONDecoder().decode(Unit.Case.self, from: Data(outcome.output.utf8))
            #expect(report.caseName == "tail" && report.verdict == "pass")
            #expect(outcome.output.count(where: { $0 == "\n" }) == 1)
        }

        @Test func oneCaseRunByHandSaysInItsStatusWhatItFound() throws {
            let bench = try bench()
            let found = try bench.run("validate-case", "aufx:trms:test", "block-sizes", "4")
            found.expectComplaint(status: 1, "The case \"block-sizes\" found what is wrong")
            #expect(found.output.contains(Self.sentence))
            let mistaken = try bench.run("validate-case", "aufx:trms:test", "taill", "4")
            mistaken.expectComplaint(status: 2, "There is no case \"taill\". Did you mean \"tail\"?")
            #expect(mistaken.output.isEmpty)
        }

        @Test(arguments: [SIGINT, SIGTERM]) func anInterruptedRunEndsAtOnceAndLeavesNobodyBehind(signal: Int32) throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "bundles", "BULKHEAD_BRIDGES": "bundles"])
            let name = try addStuckPlugIn(to: bench)
            let command = try bench.start("validate", name, "--case", "automation", "--time-out", "60")
            _ = try command.process(ofEffect: "Offender-automation")
            usleep(500_000)
            command.send(signal)
            let outcome = command.wait(seconds: 10)
            outcome.expectComplaint(status: 128 + signal, "Stopped after 0 of 1 units.")
            #expect(outcome.output.isEmpty)
        }

        @Test func theReaderOfTheOutputMayGo() throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "bundles", "BULKHEAD_BRIDGES": "bundles"])
            let arguments = [
                "validate", "Gain", try addStuckPlugIn(to: bench), "--case", "automation", "--time-out", "60", "--jobs", "1",
            ]
            let outcome = try bench.run(arguments, seconds: 50, shell: "{ \"$@\"; echo $? >status; } | true")
            #expect(outcome.output.isEmpty && outcome.errors.isEmpty && outcome.leftovers.isEmpty)
            #expect(String(decoding: bench.bytes("status"), as: UTF8.self) == "141\n")
        }

        /// Adds a plug-in that comes to no end when it follows automation; its name.
        private func addStuckPlugIn(to bench: Workbench) throws -> String {
            let library = bench.path("libOffender-automation.so")
            try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: "\(Build.folder)/libOffender.so")
            try FileManager.default.createDirectory(atPath: bench.path("bundles"), withIntermediateDirectories: true)
            try bench.run("bundle", library, "--folder", bench.path("bundles")).expectSuccess()
            return "Offender: automation"
        }
    }
}
