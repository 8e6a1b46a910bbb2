// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead preset: saved, listed, used and deleted, in a data folder of the test's own.

import Foundation
import Testing

extension Commands {
    @Suite struct PresetTests {
        private func bench() throws -> Workbench {
            let bench = try Workbench(adding: ["XDG_DATA_HOME": "/tmp/bulkhead-presets-\(UUID().uuidString)"])
            try bench.writeTone(frames: 4800)
            return bench
        }

        private func close(_ bench: Workbench) {
            try? FileManager.default.removeItem(atPath: bench.environment["XDG_DATA_HOME"]!)
        }

        @Test func aSavedPresetSoundsAsItWasSet() throws {
            let bench = try bench()
            defer { close(bench) }
            let saved = try bench.run("preset", "save", "Gain", "Half as loud", "--set", "gain=-6")
            saved.expectSuccess()
            let data = try #require(bench.environment["XDG_DATA_HOME"])
            #expect(saved.output == "\(data)/bulkhead/presets/aufx:gain:blkh/Half as loud.preset\n")
            try bench.run("render", "in.wav", "a.wav", "-e", "Gain", "--preset", "Half as loud").expectSuccess()
            try bench.run("render", "in.wav", "b.wav", "-e", "Gain", "--set", "gain=-6").expectSuccess()
            #expect(bench.bytes("a.wav") == bench.bytes("b.wav") && bench.bytes("a.wav").count > 4800)
        }

        @Test func aPresetIsListedUntilItIsDeleted() throws {
            let bench = try bench()
            defer { close(bench) }
            try bench.run("preset", "save", "Reverb", "Mine", "--preset", "Large Hall", "--set", "mix=45").expectSuccess()
            let listed = try bench.run("preset", "list", "Reverb")
            #expect(listed.output.contains("Large Hall") && listed.output.contains("\nMine "))
            #expect(try bench.run("info", "Reverb").output.contains("Yours     Mine"))
            try bench.run("preset", "delete", "Reverb", "Mine").expectSuccess()
            #expect(try !bench.run("preset", "list", "Reverb").output.contains("Mine"))
        }

        @Test func savingAgainReplaces() throws {
            let bench = try bench()
            defer { close(bench) }
            for gain in ["-6", "-60"] { try bench.run("preset", "save", "Gain", "Mine", "--set", "gain=\(gain)").expectSuccess() }
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "--preset", "Mine").expectSuccess()
            #expect(try bench.load("out.wav").peak(ofChannel: 0) < 0.001)
        }

        private static let mistakes: [(arguments: [String], status: Int32, reason: String)] = [
            ([], 2, "save, list or delete"), (["make"], 2, "not \"make\""), (["save"], 2, "Say which plug-in"),
            (["save", "Gain"], 2, "Say the name"), (["save", "Gain", "a", "b"], 2, "one argument too many"),
            (["save", "Gain", "../a"], 1, "no slash"), (["save", "Gain", ""], 1, "cannot be that of a file"),
            (["save", "Reverb", "large hall"], 1, "factory preset of that name"), (["list", "Nope"], 1, "\"Nope\""),
            (["save", "Gain", "a", "--set", "gain=99"], 1, "its range is"), (["list", "Gain", "a"], 2, "too many"),
            (["delete", "Gain", "Mime"], 1, "Did you mean \"Mine\"?"), (["delete", "Delay", "a"], 1, "You have saved none."),
            (["delete", "Gain", "Mine", "--set", "gain=1"], 2, "no option --set"),
        ]

        /// None of them changes a preset, so all are made beside one.
        @Test func mistakesAreNamed() throws {
            let bench = try bench()
            defer { close(bench) }
            try bench.run("preset", "save", "Gain", "Mine").expectSuccess()
            let listed = try bench.run("preset", "list", "Gain").output
            #expect(listed.contains("Mine "))
            for (arguments, status, reason) in Self.mistakes {
                try bench.run(["preset"] + arguments).expectComplaint(status: status, reason)
            }
            #expect(try bench.run("preset", "list", "Gain").output == listed)
        }

        @Test func aDamagedPresetIsNamed() throws {
            let bench = try bench()
            defer { close(bench) }
            let path = try bench.run("preset", "save", "Gain", "Mine").output.split(separator: "\n").joined()
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "--preset", "Mine")
                .expectComplaint(status: 1, path, "it is not a preset of Bulkhead")
        }
    }
}
