// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render for many files: the same bits for every number of jobs, a line each, and nothing is rendered twice.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct JobsTests {
        /// Names that a careless command line would take for something else.
        private static let names = [
            "plain.wav", "two words.wav", "it's.wav", "\"quoted\".wav", "--dashes.wav", "-e.wav", "Grüße 音.wav", "a=b;$HOME.wav",
        ]
        private static let effect = ["-e", "Filter", "--set", "cutoff=500", "-e", "Reverb"]

        /// A line on standard output, as a script reads it.
        struct Line: Decodable {
            struct Finding: Decodable { let kind, description: String }
            struct Fault: Decodable { let unit, kind, description: String }

            let input, output, status: String
            let seconds: Double?
            let wallSeconds: Double
            let findings: [Finding]
            let faults: [Fault]
            let replacedBlocks: Int
            let error: String?
            let exitStatus: Int
        }

        private func bench(_ names: [String] = Self.names, frames: Int = 12_000) throws -> Workbench {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "\(Build.folder)/TestPlugins"])
            for (index, name) in names.enumerated() { try bench.writeTone(name, frames: frames + 100 * index) }
            return bench
        }

        private func arguments(_ names: [String], into folder: String = "out", _ options: [String] = effect) -> [String] {
            ["render", "--output-folder", folder] + options + ["--"] + names
        }

        private func lines(_ outcome: Outcome) throws -> [String: Line] {
            let texts = outcome.output.split(separator: "\n")
            let lines = try texts.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            return Dictionary(lines.map { ($0.input, $0) }) { $1 }
        }

        private func statuses(_ outcome: Outcome) throws -> [String: String] { try lines(outcome).mapValues(\.status) }

        private func all(_ status: String, _ names: [String] = names) -> [String: String] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, status) })
        }

        @Test func theBitsAreThoseOfSingleRendersForEveryNumberOfJobs() throws {
            let bench = try bench()
            try FileManager.default.createDirectory(atPath: bench.path("single"), withIntermediateDirectories: true)
            for name in Self.names {
                try bench.run(["render"] + Self.effect + ["--", name, "single/\(name)"]).expectSuccess()
            }
            for count in ["1", "3", "8"] {
                let outcome = try bench.run(arguments(Self.names, into: "deep/\(count)", ["--jobs", count] + Self.effect))
                outcome.expectSuccess()
                let lines = try lines(outcome)
                #expect(lines.mapValues(\.status) == all("rendered"))
                for name in Self.names {
                    let line = try #require(lines[name])
                    #expect(line.output == "deep/\(count)/\(name)" && line.exitStatus == 0 && line.error == nil)
                    #expect(try #require(line.seconds) > 0.25 && line.findings.isEmpty && line.faults.isEmpty)
                    #expect(bench.bytes("deep/\(count)/\(name)") == bench.bytes("single/\(name)"), "\(name)")
                }
            }
        }

        @Test func whatIsDoneAndUnchangedIsSkipped() throws {
            let names = Array(Self.names.prefix(3))
            let bench = try bench(names)
            #expect(try statuses(try bench.run(arguments(names))) == all("rendered", names))
            #expect(try statuses(try bench.run(arguments(names))) == all("skipped", names))
            // How many are rendered at once, and how that is told, does not matter.
            #expect(
                try statuses(try bench.run(arguments(names, ["--jobs", "1", "--json"] + Self.effect))) == all("skipped", names))
            try bench.writeTone(names[1], frames: 9000)
            #expect(try statuses(try bench.run(arguments(names))) == all("skipped", names).merging([names[1]: "rendered"]) { $1 })
            try Data("other".utf8).write(to: URL(fileURLWithPath: bench.path("out/\(names[2])")))
            try FileManager.default.removeItem(atPath: bench.path("out/\(names[0])"))
            let third = all("rendered", names).merging([names[1]: "skipped"]) { $1 }
            #expect(try statuses(try bench.run(arguments(names))) == third)
            #expect(try bench.load("out/\(names[2])").frameCount > 12_000)
            let others = ["-e", "Filter", "--set", "cutoff=600", "-e", "Reverb"]
            #expect(try statuses(try bench.run(arguments(names, others))) == all("rendered", names))
            #expect(try statuses(try bench.run(arguments(names))) == all("rendered", names))
            #expect(try bench.load("out/\(names[1])").frameCount > 9000)
        }

        @Test func filesThatTheArgumentsNameCountAsArguments() throws {
            let bench = try bench(["in.wav"])
            try bench.run("preset", "save", "Gain", "--set", "gain=-6", "--", "Mine").expectSuccess()
            try bench.run("chain", "save", "Soft", "-e", "Gain", "--set", "gain=-3").expectSuccess()
            let options = ["--chain", "Soft", "-e", "Gain", "--preset", "Mine"]
            #expect(try statuses(try bench.run(arguments(["in.wav"], options))) == ["in.wav": "rendered"])
            #expect(try statuses(try bench.run(arguments(["in.wav"], options))) == ["in.wav": "skipped"])
            try bench.run("preset", "save", "Gain", "--set", "gain=-9", "--", "Mine").expectSuccess()
            #expect(try statuses(try bench.run(arguments(["in.wav"], options))) == ["in.wav": "rendered"])
            try bench.run("chain", "save", "Soft", "-e", "Gain", "--set", "gain=-4").expectSuccess()
            #expect(try statuses(try bench.run(arguments(["in.wav"], options))) == ["in.wav": "rendered"])
        }

        @Test func aDamagedMemoryIsSaidAndForgotten() throws {
            let bench = try bench(["in.wav"])
            try bench.run(arguments(["in.wav"])).expectSuccess()
            try bench.write("out/.bulkhead-render.json", Array("{\"version\":1,".utf8))
            let outcome = try bench.run(arguments(["in.wav"]))
            outcome.expectComplaint(
                status: 0, "\"out/.bulkhead-render.json\"", "not JSON, or cut short. All files are rendered again")
            #expect(try statuses(outcome) == ["in.wav": "rendered"])
            #expect(try statuses(try bench.run(arguments(["in.wav"]))) == ["in.wav": "skipped"])
        }

        @Test func namesThatLookAlikeAreRememberedApart() throws {
            let names = ["\u{e9}.wav", "e\u{301}.wav"]
            let bench = try bench(names)
            func count(_ status: String, _ outcome: Outcome) -> Int {
                outcome.output.components(separatedBy: "\"\(status)\"").count - 1
            }
            #expect(count("rendered", try bench.run(arguments(names))) == 2)
            #expect(count("skipped", try bench.run(arguments(names))) == 2)
        }

        /// One line more for each file, and a line that was cut off costs its file alone.
        @Test func theMemoryGrowsByALineAndALineWithoutAnEndIsPassedOver() throws {
            let names = Array(Self.names.prefix(3))
            let bench = try bench(names)
            func lines() -> Int { bench.bytes("out/.bulkhead-render.json").split(separator: UInt8(ascii: "\n")).count }
            try bench.run(arguments(names)).expectSuccess()
            #expect(lines() == 3)
            try bench.write("out/.bulkhead-render.json", Array(bench.bytes("out/.bulkhead-render.json").dropLast(20)))
            let second = try statuses(try bench.run(arguments(names)))
            #expect(second.values.sorted() == ["rendered", "skipped", "skipped"] && lines() == 1)
            #expect(try statuses(try bench.run(arguments(names))) == all("skipped", names))
        }

        @Test func aBrokenFileCostsItselfAlone() throws {
            let names = Array(Self.names.prefix(3))
            let bench = try bench(names)
            try bench.write("broken.wav", Array("no audio at all, and never was".utf8))
            let outcome = try bench.run(arguments(["broken.wav", "gone.wav"] + names))
            #expect(outcome.status == 1 && outcome.errors.contains("2 of 5 files failed; see above."), "\(outcome.errors)")
            let lines = try lines(outcome)
            #expect(lines.mapValues(\.status).filter { $0.value == "rendered" } == all("rendered", names))
            let broken = try #require(lines["broken.wav"])
            #expect(broken.status == "failed" && broken.exitStatus == 1 && broken.seconds == nil)
            #expect(broken.error?.hasPrefix("Couldn't read \"broken.wav\"") == true && !bench.exists("out/broken.wav"))
            #expect(lines["gone.wav"]?.error?.contains("there is no such file") == true)
            // Only they are tried again.
            #expect(try statuses(try bench.run(arguments(["broken.wav"] + names)))["broken.wav"] == "failed")
        }

        @Test func whatASingleRenderSaysIsSaidOfEachFile() throws {
            let names = ["loud.wav", "soft.wav"]
            let bench = try bench(names)
            try bench.writeSamples("soft.wav", [Float](repeating: 0.01, count: 4800))
            let options = ["--extension", "flac", "-e", "Gain", "--set", "gain=18"]
            let outcome = try bench.run(arguments(names, options))
            #expect(
                outcome.status == 0 && outcome.errors.contains("samples of \"out/loud.flac\" were clipped"), "\(outcome.errors)")
            #expect(try lines(outcome).mapValues { $0.findings.map(\.kind) } == ["loud.wav": ["clipped"], "soft.wav": []])
            // What was odd then is still odd.
            #expect(try lines(try bench.run(arguments(names, options)))["loud.wav"]?.findings.map(\.kind) == ["clipped"])
            let strict = try bench.run(arguments(names, options + ["--strict"]))
            #expect(strict.status == 1)
            #expect(try statuses(strict) == ["loud.wav": "failed", "soft.wav": "rendered"])
            #expect(try bench.load("out/soft.flac").frameCount >= 4800)
        }

        /// The other file ends before the block in which the plug-in crashes.
        @Test func aPlugInThatCrashesTheProcessOfAFileCostsThatFileAlone() throws {
            let bench = try bench(["a.wav"], frames: 48_000)
            try bench.writeTone("b.wav", frames: 100)
            try bench.trust("Misbehaver")
            let crash = ["-e", "Misbehaver", "--in-process", "--set", "gain=-0.9", "--set", "fault=crash", "--set", "block=3"]
            let outcome = try bench.run(arguments(["a.wav", "b.wav"], crash + ["--block-size", "480", "--tail", "0"]))
            #expect(outcome.status == 1 && outcome.errors.contains("was ended by SIGSEGV"), "\(outcome.errors)")
            #expect(try statuses(outcome) == ["a.wav": "failed", "b.wav": "rendered"])
            #expect(!bench.exists("out/a.wav") && outcome.leftovers.isEmpty)
        }

        @Test func anEffectThatDiesIsReportedWithItsFile() throws {
            let bench = try bench(["a.wav", "b.wav"], frames: 48_000)
            let fault = [
                "-e", "Misbehaver", "--set", "gain=-0.9", "--set", "fault=exit", "--set", "block=3", "--block-size", "480",
            ]
            let outcome = try bench.run(arguments(["a.wav", "b.wav"], fault + ["--on-fault", "bypass"]))
            #expect(outcome.status == 0, "\(outcome.errors)")
            for line in try lines(outcome).values {
                #expect(line.status == "rendered" && line.replacedBlocks > 0 && line.faults.first?.unit == "Misbehaver")
            }
            let stopped = try bench.run(arguments(["a.wav", "b.wav"], fault + ["--on-fault", "stop"]))
            #expect(stopped.status == 1)
            #expect(try statuses(stopped) == ["a.wav": "failed", "b.wav": "failed"])
        }
    }
}
