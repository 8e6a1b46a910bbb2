// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each example of README.md, typed as it stands in a fresh home.

import Foundation
import PipeWireIO
import TestSupport
import Testing

extension Commands {
    @Suite struct ReadmeTests {
        /// Those that do their work and end.
        private static let finite = [
            "list", "render in.wav", "render song.mid", "render --jobs", "chain save", "graph render", "doctor",
        ]

        @Test func everyExampleIsTyped() throws {
            let others = ["play", "live", "surround", "ctl", "listen", "measure"]
            #expect(ReadmeExamples.all.count == Self.finite.count + others.count)
            for beginning in Self.finite + others { _ = try ReadmeExamples.command(beginning) }
        }

        @Test(arguments: finite) func anExampleDoesItsWork(beginning: String) throws {
            let bench = try ReadmeExamples.bench()
            let before = Set(bench.names())
            let outcome = try bench.type(try ReadmeExamples.command(beginning)).wait()
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let made: [String: [String]] = [
                "render in.wav": ["out.flac", "report.json"], "render --jobs": ["out"], "graph render": ["song.wav"],
            ]
            for name in made[beginning] ?? [] { #expect(bench.exists(name), "\(name)") }
            if ["list", "doctor"].contains(beginning) { #expect(Set(bench.names()) == before && !outcome.output.isEmpty) }
        }

        @Test func aSongIsListenedTo() throws {
            let bench = try ReadmeExamples.bench()
            try bench.type(try ReadmeExamples.command("graph render")).wait().expectSuccess()
            try bench.type(try ReadmeExamples.command("listen")).wait().expectSuccess()
            #expect(bench.exists("song.png"))
        }

        @Test(.timed("measures hand-offs")) func whatIsolationCostsIsMeasuredAsFarAsItIsAllowed() throws {
            let bench = try ReadmeExamples.bench()
            let line = try ReadmeExamples.command("measure")
            let outcome = try bench.type(line).wait(seconds: 100)
            #expect(outcome.status == 1 && outcome.output.contains("out-of-process") && !outcome.output.contains("in-process"))
            let sentence = """
                bulkhead: What "Gain" costs in process was left out, because you have not trusted it with the host's process. \
                Run: bulkhead trust aufx:gain:blkh

                """
            #expect(outcome.errors == sentence)
            try bench.run("trust", "aufx:gain:blkh").expectSuccess()
            let all = try bench.type("\(line) --cycles 100").wait(seconds: 100)
            #expect(all.status == 0 && all.output.contains("in-process"), "\(all.errors)")
        }
    }
}

extension EndToEnd {
    @Suite struct ReadmeTests {
        @Test func aSongPlaysAndIsReachedInto() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try ReadmeExamples.bench(session)
            // Long enough to reach in.
            try bench.writeTone("in.wav", frames: 480_000)
            try bench.run("render", "in.wav", "song.flac").expectSuccess()
            let playing = try bench.type(try ReadmeExamples.command("play"))
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            let set = try bench.type(try ReadmeExamples.command("ctl")).wait()
            #expect(set.status == 0 && set.output == "Reverb.mix = 40 %\n", "\(set.errors)")
            playing.wait(seconds: 40).expectSuccess()
        }

        @Test func aVirtualSinkStandsUntilItIsStopped() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try ReadmeExamples.bench(session)
            let live = try bench.type(try ReadmeExamples.command("live"))
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            live.send(SIGINT)
            #expect(live.wait().status == 0)
        }
    }
}
