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

        @Test func theDoctorSaysWhatAPlugInMayDoAndSinceWhen() throws {
            struct Permission: Decodable {
                let isAllowed: Bool
                let act, reason: String
                let since: String?
            }
            let bench = try Workbench()
            let samples = "\(bench.folder)/samples"
            try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
            // A copy, so that its files can be changed.
            let bundles = "\(bench.folder)/.local/lib/bulkhead"
            try FileManager.default.createDirectory(atPath: bundles, withIntermediateDirectories: true)
            let plugins = URL(fileURLWithPath: RunningCommand.executable).deletingLastPathComponent().path + "/TestPlugins"
            try FileManager.default.copyItem(atPath: "\(plugins)/Probe.bulkhead", toPath: "\(bundles)/Probe.bulkhead")
            func permissions() throws -> [Permission] {
                let outcome = try bench.run("doctor", "--plugin", "Probe", "--json")
                outcome.expectSuccess()
                return try JSONDecoder().decode([Permission].self, from: Data(outcome.output.utf8))
            }
            func isAllowed(_ act: String) throws -> Bool? {
                let all = try permissions()
                return all.first { $0.act.contains(act) }?.isAllowed
            }
            #expect(try isAllowed("be loaded into the host") == false && isAllowed(samples) == nil)
            #expect(try isAllowed("reach the network") == false && isAllowed("Probe.bulkhead") == true)
            try bench.trust("Probe")
            try bench.run("grant", "Probe", "--read", samples).expectSuccess()
            #expect(try isAllowed("be loaded into the host") == true)
            let grant = try #require(try permissions().first { $0.act == "read \(samples)" })
            #expect(grant.isAllowed && grant.reason == "you granted it" && grant.since?.count == 10)

            try Data("more".utf8).write(to: URL(fileURLWithPath: "\(bundles)/Probe.bulkhead/more"))
            let lapsed = try permissions().filter { $0.reason == "you allowed that before its files changed" }
            #expect(lapsed.map(\.act) == ["be loaded into the host", "read \"\(samples)\""])
            #expect(lapsed.allSatisfy { !$0.isAllowed })
            try bench.writeTone()
            let rendered = try bench.run("render", "in.wav", "out.wav", "-e", "Probe", "--set", "level.gain=0.5")
            let sentence = "\"Probe\" may no longer be loaded into the host, read \"\(samples)\""
            #expect(rendered.status == 0 && rendered.errors.contains(sentence), "\(rendered.errors)")
            #expect(rendered.errors.contains("has changed since you allowed that"))
            let page = try bench.run("doctor", "--plugin", "Probe")
            #expect(page.output.contains("\nmay not reach the network\n        no plug-in may\n"))
        }

        @Test func theDoctorNamesEverything() throws {
            let findings = try findings()
            let names = [
                "real-time rights", "locked memory", "steadiness", "hand-offs", "Landlock", "seccomp", "user namespace",
                "mount namespace", "pid namespace", "ipc namespace", "network namespace", "uts namespace", "control group", "trial",
                "PipeWire",
            ]
            #expect(findings.map(\.name) == names)
            // Whatever is not as it could be comes with what to do about it.
            #expect(findings.allSatisfy { $0.verdict == "good" || $0.advice != nil })
            // These tests confine processes, so the doctor can too.
            #expect(findings.first { $0.name == "trial" }?.verdict != "missing", "\(findings)")
        }
    }
}
