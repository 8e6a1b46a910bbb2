// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a rendering makes of an effect that dies, as the command line says.

import Foundation
import Testing

extension Commands {
    @Suite struct FaultAnswerTests {
        private func bench() throws -> Workbench {
            let plugins = URL(fileURLWithPath: RunningCommand.executable).deletingLastPathComponent().appendingPathComponent(
                "TestPlugins"
            ).path
            let bench = try Workbench(adding: ["BULKHEAD_PATH": plugins])
            try bench.writeTone(frames: 4800)
            return bench
        }

        private func render(_ bench: Workbench, block: Int?, _ arguments: String...) throws -> Outcome {
            let fault = block.map { ["--set", "fault=exit", "--set", "block=\($0)"] } ?? []
            let effect = ["-e", "Misbehaver", "--set", "gain=-0.9"] + fault
            return try bench.run(
                ["render", "in.wav", "out.wav", "--report", "report.json", "--block-size", "480"] + effect + arguments)
        }

        @Test func aDyingEffectCostsNothingAndIsSaid() throws {
            let bench = try bench()
            try render(bench, block: nil).expectSuccess()
            let expected = bench.bytes("out.wav")
            try render(bench, block: 3).expectComplaint(status: 0, "\"Misbehaver\" ended by itself", "rendered that block again")
            #expect(bench.bytes("out.wav") == expected && expected.count > 9600)
            let unit = try bench.report().units[0]
            #expect(unit.restarts > 2 && unit.replacedBlocks == 0)
        }

        @Test func aFileWithoutAnEffectDoesNotPassForOneWithIt() throws {
            let bench = try bench()
            try render(bench, block: 1).expectComplaint(status: 1, "\"out.wav\"", "a replacement in 10 blocks")
            #expect(try bench.load("out.wav").frameCount == 4800)
            #expect(try bench.report().units[0].replacedBlocks == 10)
        }

        @Test func withBypassWhatStandsInIsNoFailure() throws {
            let bench = try bench()
            try render(bench, block: 3, "--on-fault", "bypass").expectComplaint(status: 0, "holds its replacement in ")
            #expect(try bench.report().units[0].replacedBlocks > 0)
        }

        @Test func withStopNothingIsWritten() throws {
            let bench = try bench()
            try render(bench, block: 3, "--on-fault", "stop").expectComplaint(status: 1, "nothing was written")
            #expect(!bench.exists("out.wav"))
            try render(bench, block: 3, "--on-fault", "pray").expectComplaint(status: 2, "takes retry, bypass or stop")
        }
    }
}
