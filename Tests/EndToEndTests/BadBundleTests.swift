// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bundles that are broken, and plug-ins that end or say nothing.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct BadBundleTests {
        private static let gain =
            Build.folder + "/Gain.bulkhead"

        /// A workbench whose plug-ins hold a copy of Gain that is called Broken, changed by `change`.
        private func bench(_ change: (String) throws -> Void) throws -> Workbench {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "plugins"])
            try FileManager.default.createDirectory(atPath: bench.path("plugins"), withIntermediateDirectories: true)
            let bundle = bench.path("plugins/Broken.bulkhead")
            try FileManager.default.copyItem(atPath: Self.gain, toPath: bundle)
            try edit(bundle) {
                $0.replacing("aufx:gain:blkh", with: "aufx:brok:test")
                    .replacing(": \"Gain\",\n  \"tags", with: ": \"Broken\",\n  \"tags")
            }
            try change(bundle)
            try bench.writeTone()
            return bench
        }

        private func edit(_ bundle: String, _ body: (String) -> String) throws {
            let path = "\(bundle)/manifest.json"
            try body(try String(contentsOfFile: path, encoding: .utf8)).write(toFile: path, atomically: true, encoding: .utf8)
        }

        /// In place, so that the file stays executable.
        private func replaceProgram(of bundle: String, with script: String) throws {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(bundle)/Gain"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("\(script)\n".utf8))
            try file.close()
        }

        private func expectComplaint(_ bench: Workbench, _ parts: String..., arguments: [String] = []) throws {
            for command in [["render", "in.wav", "out.wav"], ["play", "in.wav", "--driver", "null"]] {
                let outcome = try bench.run(command + ["-e", "aufx:gain:blkh", "-e", "Broken"] + arguments, seconds: 15)
                for part in parts { outcome.expectComplaint(status: 1, part) }
                #expect(bench.names() == ["in.wav", "plugins"])
            }
        }

        private static let manifests: [(old: String, new: String, reason: String)] = [
            ("{", "", "it is not JSON"), ("\"version\"", "\"vision\"", "\"version\" is missing"),
            ("aufx:brok:test", "broken", "\"component\" is \"broken\""), (": 1,", ": 99,", "it has format 99"),
            ("\"executable\" : \"", "\"executable\" : \"../", "not the name of a file in the bundle"),
        ]

        @Test(arguments: manifests)
        func aMalformedManifestSaysWhichFieldIsWrong(old: String, new: String, reason: String) throws {
            let bench = try bench { bundle in try edit(bundle) { $0.replacing(old, with: new, maxReplacements: 1) } }
            try expectComplaint(bench, "plugins/Broken.bulkhead/manifest.json", reason, "bulkhead bundle LIBRARY")
        }

        @Test func theListShowsTheGoodOnesAndNamesTheBrokenOne() throws {
            let bench = try bench { try FileManager.default.removeItem(atPath: "\($0)/manifest.json") }
            let outcome = try bench.run("list")
            outcome.expectComplaint(status: 0, "Broken.bulkhead/manifest.json", "it is not there")
            #expect(outcome.output.contains("aufx:gain:blkh"))
        }

        @Test(arguments: [("Gain", "executable"), ("libGain.so", "library")])
        func aBundleThatLacksAFileSaysWhich(file: String, role: String) throws {
            let bench = try bench { try FileManager.default.removeItem(atPath: "\($0)/\(file)") }
            try expectComplaint(bench, "plugins/Broken.bulkhead", "its \(role) \"\(file)\" is not there")
        }

        /// Each stands in the place of the plug-in's program.
        private static let programs: [(script: String, reason: String)] = [
            ("#!/bin/sh\nexit 3", "the plug-in ended by itself with status 3"),
            ("#!/bin/sh\nkill -SEGV $$", "the plug-in was ended by SIGSEGV"),
            ("#!/bin/sh\nwhile :; do :; done", "did not answer the handshake within 3000 ms"),
            ("not a program", "could not be started"),
            ("#!/bin/sh\nexec '\(gain)/Gain'", "its manifest says aufx:brok:test and it says aufx:gain:blkh"),
        ]

        // One of them loops, and has three seconds for its handshake, twice.
        @Test(arguments: programs)
        func aPlugInThatEndsOrSaysNothingIsNamedWithWhatItDid(script: String, reason: String) throws {
            let bench = try bench { bundle in
                try replaceProgram(of: bundle, with: script)
            }
            // A confined script starts no program of another bundle.
            if script.contains("exec") { try bench.run("unconfine", "Broken").expectSuccess() }
            try expectComplaint(bench, "\"Broken\"", reason)
        }

        /// Answers the handshake as Gain, and is killed 0.3 s later, each time anew.
        private func mortalBench() throws -> Workbench {
            let bench = try bench { bundle in
                try edit(bundle) { $0.replacing("aufx:brok:test", with: "aufx:gain:blkh") }
                try replaceProgram(of: bundle, with: "#!/bin/sh\n(sleep 0.3; kill -KILL $$) &\nexec '\(Self.gain)/Gain'")
            }
            try bench.run("unconfine", "Broken").expectSuccess()
            return bench
        }

        // The pauses before five restarts take six seconds.
        @Test func aPlugInThatKeepsDyingIsQuarantinedAcrossRunsUntilItIsUnblocked() throws {
            let bench = try mortalBench()
            let arguments = [
                "play", "in.wav", "--driver", "null", "-e", "Broken", "--loop", "--report", "report.json", "--duration",
            ]
            let outcome = try bench.run(arguments + ["8"])
            outcome.expectSuccess()
            #expect(outcome.output.contains("Gain is quarantined after 5 restarts; its input is passed on. Bring it back"))
            #expect(try bench.report().units[0].faults.count { $0.kind == "signalled" } == 6)
            let next = try bench.run(arguments + ["1"])
            next.expectSuccess()
            #expect(next.output.contains("is quarantined: it was ended by SIGKILL, after 5 restarts."))
            #expect(try bench.report().units.isEmpty)
            try bench.run("render", "in.wav", "out.wav", "-e", "Broken")
                .expectComplaint(status: 1, "\"out.wav\"", "is quarantined", "bulkhead unblock aufx:gain:blkh")
            #expect(try bench.run("list").output.contains("quarantined"))
            // No command starts it for another purpose.
            for words in ["info Broken", "view Broken", "preset list Broken", "chain save one -e Broken"] {
                try bench.run(words.split(separator: " ").map(String.init)).expectComplaint(
                    status: 1, "it is in quarantine: it was ended by SIGKILL", "bulkhead unblock aufx:gain:blkh")
            }
            let unblocked = try bench.run("unblock", "aufx:gain:blkh")
            unblocked.expectSuccess()
            #expect(unblocked.output == "aufx:gain:blkh can be used again.\n")
            try bench.run(arguments + ["1"]).expectSuccess()
            #expect(try bench.report().units.count == 1)
        }

        // The pauses before five restarts take six seconds.
        @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here")) func aKeyBringsBackWhatIsQuarantined() throws {
            let bench = try mortalBench()
            let arguments = [
                "play", "in.wav", "--driver", "null", "-e", "Broken", "--loop", "--duration", "9", "--report", "report.json",
            ]
            // A terminal, on which somebody presses u once the effect is in quarantine.
            let shell = "(sleep 6; printf u; sleep 5) | script -qefc \"$* --plain\" typescript"
            try bench.run(arguments, seconds: 20, shell: shell).expectSuccess()
            let unit = try bench.report().units[0]
            #expect(unit.restarts > 6, "it was not started again")
            #expect(bench.exists("typescript"))
        }

        @Test(.timed("kills a plug-in again and again while it renders")) func aRenderingIsWholeThoughItsPlugInKeepsDying() throws {
            let bench = try mortalBench()
            let arguments = [
                "render", "in.wav", "out.wav", "--block-size", "512", "-e", "Broken", "--set", "gain=-3", "--tail", "100",
                "--report",
                "report.json",
            ]
            let outcome = try bench.run(arguments, seconds: 30)
            outcome.expectComplaint(status: 0, "\"out.wav\"", "was ended by SIGKILL", "rendered that block again")
            #expect(try bench.report().units[0].replacedBlocks == 0)
        }

        @Test func withoutItsConsentAPlugInIsNotLoadedIntoTheHost() throws {
            let bench = try bench { bundle in
                try edit(bundle) { $0.replacing("\"consentsToInProcess\" : true", with: "\"consentsToInProcess\" : false") }
            }
            try expectComplaint(bench, "\"Broken\"", "does not consent", "Leave --in-process out", arguments: ["--in-process"])
        }
    }
}
