// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a rendering says of its sound: nothing goes silently wrong, and what is right draws no word.

import AudioFiles
import Foundation
import Testing

extension Commands {
    @Suite struct RenderFindingTests {
        private func bench() throws -> Workbench {
            let program = URL(fileURLWithPath: RunningCommand.executable)
            let plugins = program.deletingLastPathComponent().appendingPathComponent("TestPlugins").path
            let bench = try Workbench(adding: ["BULKHEAD_PATH": plugins])
            try bench.writeTone(frames: 48_000)
            return bench
        }

        /// The kinds of findings, and the one line on standard error; the status is 0, and 1 with --strict.
        private func findings(_ bench: Workbench, _ output: String, _ arguments: [String]) throws -> (
            kinds: [String], words: String
        ) {
            let all = ["render", "in.wav", output, "--report", "report.json"] + arguments
            let outcome = try bench.run(all)
            let report = try bench.report()
            #expect(outcome.status == 0, "\(outcome.errors)")
            let strict = try bench.run(all + ["--strict"])
            #expect(strict.status == (report.findings.isEmpty ? 0 : 1), "\(strict.errors)")
            for finding in report.findings { #expect(outcome.errors.contains(finding.description)) }
            return (report.findings.map(\.kind), outcome.errors)
        }

        @Test func aRenderingWithoutAFlawDrawsNoWord() throws {
            let bench = try bench()
            for effect in ["Distortion", "Delay"] {
                let (kinds, words) = try findings(bench, "out.flac", ["-e", effect])
                #expect(kinds.isEmpty && words.isEmpty, "\(words)")
            }
        }

        @Test func anEffectThatDoesNothingIsNamed() throws {
            let bench = try bench()
            let chain = ["-e", "Gain", "-e", "Distortion"]
            #expect(
                try findings(bench, "out.wav", chain) == (
                    ["changedNothing"], "bulkhead: \"Gain\" changed nothing: it put out what came in.\n"
                ))
            #expect(try findings(bench, "out.wav", ["-e", "Gain", "--set", "gain=-1"]).kinds.isEmpty)
            // The user wants no change here.
            #expect(try findings(bench, "out.wav", ["-e", "Gain", "--bypass"]).kinds.isEmpty)
        }

        @Test func silenceIsSaidWithTheEffectThatMadeIt() throws {
            let bench = try bench()
            let (kinds, words) = try findings(bench, "out.wav", ["-e", "Distortion", "-e", "Misbehaver", "--set", "gain=0"])
            #expect(kinds == ["silent"] && words.contains("\"Misbehaver\" put out no sound"), "\(words)")
            // Silence that comes out of silence is right.
            try bench.writeSamples("in.wav", [Float](repeating: 0, count: 4800))
            #expect(try findings(bench, "out.wav", ["-e", "Distortion"]).kinds.isEmpty)
        }

        @Test func clippedSamplesAreCountedInFormatsThatClip() throws {
            let bench = try bench()
            let louder = ["-e", "Gain", "--set", "gain=18"]
            let (kinds, words) = try findings(bench, "out.flac", louder)
            #expect(
                kinds == ["clipped"] && words.contains("\"out.flac\" were clipped") && words.contains("6.0 dB quieter"), "\(words)")
            #expect(try findings(bench, "out.wav", louder).kinds.isEmpty)
        }

        @Test func nanInTheInputIsCounted() throws {
            let bench = try bench()
            try bench.writeSamples("in.wav", [0.5, .nan, 0.25, .infinity, 0.5])
            let (kinds, words) = try findings(bench, "out.wav", ["-e", "Gain", "--set", "gain=-6"])
            #expect(kinds == ["invalidInput"] && words.contains("4 samples of the input are NaN or infinite"), "\(words)")
            let loaded = try bench.load("out.wav")
            #expect(withExtendedLifetime(loaded) { loaded[0].allSatisfy(\.isFinite) })
        }

        /// However short the rendering is, what the render thread replaced is said, and the status is 1.
        @Test(arguments: ["notANumber", "infinite", "tooLoud"], [256, 8192])
        func whatWasReplacedIsSaidHoweverShortTheRenderingIs(fault: String, blockSize: Int) throws {
            let bench = try bench()
            try bench.writeTone(frames: 6000)
            let effect = ["-e", "Misbehaver", "--set", "fault=\(fault)", "--set", "block=1", "--block-size", "\(blockSize)"]
            let outcome = try bench.run(["render", "in.wav", "out.wav", "--report", "report.json"] + effect)
            let unit = try bench.report().units[0]
            #expect(outcome.status == 1 && outcome.errors.contains("it holds a replacement in "), "\(outcome.errors)")
            #expect(unit.replacedBlocks == 1)
            #expect(!unit.faults.isEmpty)
            let stopped = try bench.run(["render", "in.wav", "none.wav", "--on-fault", "stop"] + effect)
            #expect(stopped.status == 1 && stopped.errors.contains("nothing was written"), "\(stopped.errors)")
            #expect(!bench.exists("none.wav"))
        }

        @Test func theTailEndsWhereTheSoundDoesForBlocksOfEverySize() throws {
            let bench = try bench()
            try bench.writeSamples("in.wav", [0.5] + [Float](repeating: 0, count: 999))
            // Echoes of 5 Hz, each 6 dB below the one before: the last one above −90 dBFS is the fourteenth.
            let echo = ["-e", "Delay", "--set", "time=0.2", "--set", "feedback=50", "--set", "mix=50"]
            var lengths: Set<Int> = []
            for size in ["64", "1000", "8192"] {
                try bench.run(["render", "in.wav", "out.wav", "--block-size", size] + echo).expectSuccess()
                lengths.insert(try bench.load("out.wav").frameCount)
            }
            let length = try #require(lengths.first)
            #expect(lengths.count == 1 && length > 96_000 && length < 192_000, "\(lengths)")
            let tail = try bench.load("out.wav")
            #expect(withExtendedLifetime(tail) { abs(tail[0][length - 1]) } >= 3.16e-5)
            try bench.run(["render", "in.wav", "out.wav", "--tail", "6"] + echo).expectSuccess()
            #expect(try bench.load("out.wav").frameCount == 1000 + 6 * 48_000)
        }
    }
}
