// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the user decides about confinement, and what the machine offers, on the command line.

import Foundation
import Testing

extension Commands {
    @Suite struct ConfinementTests {
        private struct Row: Decodable {
            let id, confinement: String
            let granted: [String]
        }

        private struct Finding: Decodable {
            let name, verdict, sentence: String
            let advice: String?
        }

        private func gain(_ bench: Workbench) throws -> Row {
            let outcome = try bench.run("list", "--format", "native", "--json")
            outcome.expectSuccess()
            let rows = try JSONDecoder().decode([Row].self, from: Data(outcome.output.utf8))
            return try #require(rows.first { $0.id == "aufx:gain:blkh" })
        }

        @Test func aPlugInIsConfinedUntilTheUserSaysOtherwise() throws {
            let bench = try Workbench()
            #expect(try gain(bench).confinement == "strict")
            let outcome = try bench.run("unconfine", "Gain")
            outcome.expectSuccess()
            #expect(outcome.output.contains("bulkhead confine aufx:gain:blkh"))
            #expect(try gain(bench).confinement == "off")
            #expect(try bench.run("list", "--format", "native").output.contains("not confined"))
            #expect(try bench.run("info", "Gain").output.contains("Confined  not confined, by your decision"))
            try bench.run("confine", "Gain").expectSuccess()
            #expect(try gain(bench).confinement == "strict")
            #expect(try bench.run("info", "Gain").output.contains("Confined  strictly: it reads its own bundle\n"))
        }

        @Test func whatIsGrantedIsRememberedUntilItIsRevoked() throws {
            let bench = try Workbench()
            try FileManager.default.createDirectory(atPath: bench.path("samples"), withIntermediateDirectories: true)
            try bench.run("grant", "Gain", "--read", "samples").expectSuccess()
            let granted = try gain(bench).granted
            #expect(granted.count == 1 && granted[0].hasSuffix("/samples") && granted[0].hasPrefix("/"))
            #expect(try bench.run("info", "Gain").output.contains("you granted \(granted[0])"))
            try bench.run("revoke", "Gain", "--read", "samples").expectSuccess()
            #expect(try gain(bench).granted.isEmpty)
        }

        @Test(arguments: [
            (["grant", "Gain"], 2, "Say what it can read"), (["grant", "Gain", "--read", "nowhere"], 1, "no such file or folder"),
            (["grant", "Gain", "--read", "/"], 1, "which is everything"), (["revoke"], 2, "Say which plug-in"),
            (["unconfine"], 2, "Say which plug-in"), (["doctor", "--all"], 2, "--all"),
        ])
        func aDecisionThatCannotBeMadeIsExplained(arguments: [String], status: Int32, sentence: String) throws {
            let outcome = try Workbench().run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome.errors)")
        }

        private func findings() throws -> [Finding] {
            let outcome = try Workbench().run("doctor", "--json")
            outcome.expectSuccess()
            return try JSONDecoder().decode([Finding].self, from: Data(outcome.output.utf8))
        }

        @Test func playingSaysWhatTheDoctorFound() throws {
            let walls = try findings().filter { $0.name.hasSuffix("namespace") || ["Landlock", "seccomp"].contains($0.name) }
            let bench = try Workbench()
            try bench.writeTone()
            let outcome = try bench.run("play", "in.wav", "-e", "Gain", "--driver", "null", "--duration", "0.1")
            outcome.expectSuccess()
            #expect(outcome.deploresTheMachine == walls.contains { $0.verdict != "good" })
        }

        @Test func theDoctorNamesEverything() throws {
            let findings = try findings()
            let names = [
                "real-time rights", "locked memory", "steadiness", "hand-offs", "Landlock", "seccomp", "user namespace",
                "mount namespace", "pid namespace", "ipc namespace", "network namespace", "uts namespace", "trial", "PipeWire",
            ]
            #expect(findings.map(\.name) == names)
            // Whatever is not as it could be comes with what to do about it.
            #expect(findings.allSatisfy { $0.verdict == "good" || $0.advice != nil })
            // These tests confine processes, so the doctor can too.
            #expect(findings.first { $0.name == "trial" }?.verdict != "missing", "\(findings)")
        }
    }
}
