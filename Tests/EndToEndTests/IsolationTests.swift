// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// --isolation: who shares a process, said on the command line, kept in chains, told in reports.

import Foundation
import Testing

extension Commands {
    @Suite struct IsolationTests {
        private static let effects = [
            "-e", "Gain", "--set", "gain=-3", "-e", "Delay", "--set", "mix=30", "-e", "Gain", "--set", "gain=2", "-e", "Filter",
        ]

        private func bench() throws -> Workbench {
            let plugins = URL(fileURLWithPath: RunningCommand.executable).deletingLastPathComponent().appendingPathComponent(
                "TestPlugins"
            ).path
            let bench = try Workbench(adding: ["BULKHEAD_PATH": plugins])
            try bench.trust("Gain", "Delay", "Filter")
            try bench.writeTone(frames: 9600)
            return bench
        }

        /// For each effect the first one that has its process.
        private func households(_ bench: Workbench) throws -> [Int?] {
            let processes = try bench.report().units.map(\.pid)
            return processes.map { process in process.flatMap { process in processes.firstIndex { $0 == process } } }
        }

        private func render(_ bench: Workbench, _ arguments: [String], into file: String = "out.wav") throws -> Outcome {
            try bench.run(["render", "in.wav", file, "--report", "report.json"] + arguments)
        }

        @Test func everyPolicySoundsAlikeAndPutsTheEffectsWhereItSays() throws {
            let bench = try bench()
            try render(bench, Self.effects, into: "apart.wav").expectSuccess()
            let expected = bench.bytes("apart.wav")
            #expect(expected.count > 9600 * 2)
            let places: [(String, [Int?])] = [
                ("individually", [0, 1, 2, 3]), ("by-plugin", [0, 1, 0, 3]), ("by-manufacturer", [0, 0, 0, 0]),
                ("together", [0, 0, 0, 0]), ("in-process", [nil, nil, nil, nil]),
            ]
            for (policy, places) in places {
                try render(bench, ["--isolation", policy] + Self.effects).expectSuccess()
                #expect(bench.bytes("out.wav") == expected, "\(policy)")
                #expect(try households(bench) == places, "\(policy)")
            }
        }

        @Test func anEffectMayHaveItsOwnPolicyAndAChainKeepsIt() throws {
            let bench = try bench()
            let arguments = [
                "--isolation", "together", "-e", "Gain", "--set", "gain=-3", "-e", "Delay", "--isolation", "individually", "-e",
                "Filter",
            ]
            try render(bench, arguments).expectSuccess()
            #expect(try households(bench) == [0, 1, 0])
            try bench.run(["chain", "save", "Mine"] + arguments).expectSuccess()
            let page = try bench.run("chain", "show", "Mine").output
            #expect(page.contains("aufx:gain:blkh, in a process together with others"))
            #expect(page.contains("aufx:dlay:blkh, in its own process"))
            try render(bench, ["--chain", "Mine", "-e", "Gain", "--set", "gain=-3", "--isolation", "together"]).expectSuccess()
            #expect(try households(bench) == [0, 1, 0, 0])
            // What the chain says of its effects stays; what it says nothing of is the command's.
            try bench.run("chain", "save", "Plain", "-e", "Gain", "--set", "gain=-3", "-e", "Delay").expectSuccess()
            try render(bench, ["--chain", "Plain", "--isolation", "together"]).expectSuccess()
            #expect(try households(bench) == [0, 0])
            try render(bench, ["--isolation", "individually", "--chain", "Mine"]).expectSuccess()
            #expect(try households(bench) == [0, 1, 0])
        }

        @Test func whoWentDownWithWhomIsInTheReport() throws {
            let bench = try bench()
            let arguments = [
                "--isolation", "together", "-e", "Gain", "-e", "Misbehaver", "--set", "fault=exit", "--set", "block=3", "-e",
                "Delay",
                "-e", "Filter", "--isolation", "individually",
            ]
            // One after the other: of several that are inside a block when their process ends nobody can tell who ended it.
            let outcome = try render(bench, arguments + ["--block-size", "480", "--tail", "0", "--serial"])
            #expect(outcome.status == 0 && outcome.leftovers.isEmpty)
            let sentences = ["\"Misbehaver\" ended by itself", "\"Gain\" went down with Misbehaver", "it was restarted."]
            for sentence in sentences { #expect(outcome.errors.contains(sentence), "\(outcome.errors)") }
            let units = try bench.report().units
            #expect(units[1].faults.first?.kind == "exited")
            #expect(units[1].faults.first?.wentDownTogetherWith == ["Gain", "Delay"])
            for index in [0, 2] {
                #expect(units[index].faults.first?.kind == "wentDown")
                #expect(units[index].faults.first?.wentDownTogetherWith.contains("Misbehaver") == true)
                #expect(units[index].restarts == units[1].restarts && units[index].replacedBlocks == 0)
            }
            #expect(units[3].faults.isEmpty && units[3].restarts == 0)
        }

        @Test func itIsPlayedLive() throws {
            let bench = try bench()
            let arguments = ["play", "in.wav", "--driver", "null", "--isolation", "by-manufacturer"] + Self.effects
            let outcome = try bench.run(arguments + ["--report", "report.json"])
            #expect(outcome.status == 0)
            #expect(try households(bench) == [0, 0, 0, 0])
            #expect(try bench.report().units.allSatisfy { $0.restarts == 0 })
        }

        @Test func whatIsNoPolicyIsRefusedWithAllThatAre() throws {
            let bench = try bench()
            try render(bench, ["--isolation", "apart", "-e", "Gain"])
                .expectComplaint(status: 2, "individually, by-plugin, by-manufacturer, together or in-process")
            try render(bench, ["-e", "Gain", "--isolation"]).expectComplaint(status: 2, "--isolation")
        }
    }
}
