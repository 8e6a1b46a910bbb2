// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead play, on the null driver and through PipeWire.

import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite struct PlayTests {
        @Test func theNullDriverPlaysAFileToItsEnd() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 24_000)
            let outcome = try bench.run(
                "play", "in.wav", "--driver", "null", "--quantum", "256", "-e", "Gain", "--report", "report.json")
            outcome.expectSuccess()
            #expect(outcome.output == "Playing in.wav\n")
            let report = try bench.report()
            #expect(report.quantum == 256 && report.cycles >= 24_000 / 256)
            #expect(report.units.map(\.isolation) == ["out-of-process"])
        }

        @Test func aLoopEndsAfterItsDuration() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 4800)
            let arguments = ["play", "in.wav", "--driver", "null", "--loop", "--duration", "1", "--report", "report.json"]
            try bench.run(arguments).expectSuccess()
            let seconds = Double(try bench.report().cycles * 1024) / 48_000
            #expect((0.9..<1.6).contains(seconds), "\(seconds) s")
        }

        @Test(arguments: [(1, 8000.0, 4000), (3, 48_000, 9600), (6, 44_100, 9600), (2, 192_000, 40_000), (2, 48_000, 1)])
        func filesOfAnyShapeArePlayed(channels: Int, rate: Double, frames: Int) throws {
            let bench = try Workbench()
            try bench.writeTone(channels: channels, rate: rate, frames: frames)
            try bench.run("play", "in.wav", "--driver", "null", "-e", "Reverb", "--duration", "0.5").expectSuccess()
        }

        @Test func whatIsPlayedThroughPipeWireReachesTheSink() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(rate: 44_100, frames: 88_200)
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            // Where the effect is late on a busy machine, its input would be heard, which is louder.
            let effect = ["-e", "Gain", "--set", "gain=-6", "--fallback", "silence"]
            let arguments = ["play", "in.wav"] + effect + ["--quantum", "512"]
            let outcome = try bench.run(arguments + ["--duration", "1.5", "--report", "report.json"])
            recorder.stop()
            outcome.expectSuccess()
            #expect(try bench.report().quantum == 512)
            let heard = try bench.load("heard.wav")
            for channel in 0..<2 { #expect(abs(heard.peak(ofChannel: channel) - 0.1253) < 0.005) }
        }

        @Test func aRateThatChangesWhileItPlaysIsFollowedAndTheEffectsWithIt() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 48_000)
            let change = "(sleep 1; pw-metadata -n settings 0 clock.force-rate 44100) >/dev/null 2>&1 &"
            let arguments = ["play", "in.wav", "--loop", "-e", "Filter", "-e", "Delay", "--duration", "3"]
            try bench.run(arguments + ["--report", "report.json"], shell: "\(change) exec \"$@\"").expectSuccess()
            let report = try bench.report()
            #expect(report.sampleRate == 44_100)
            #expect(report.units.allSatisfy { $0.faults.allSatisfy { $0.kind == "late" } && $0.restarts == 0 })
        }

        @Test func aSinkThatIsNotThereIsAnsweredWithThoseThatAre() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone()
            try bench.run("play", "in.wav", "--output", "nowhere")
                .expectComplaint(status: 1, "\"nowhere\"", "there is \"\(session.sinkName)\"")
            try bench.run("live", "--input", "nowhere").expectComplaint(status: 1, "\"nowhere\"", "no source")
        }

        @Test(arguments: [["play", "in.wav"], ["live", "-e", "Gain"]])
        func withoutPipeWireItSaysHowToStartIt(arguments: [String]) throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run(arguments)
                .expectComplaint(status: 1, "Couldn't reach PipeWire", "systemctl --user start", "--driver null")
        }

        @Test func whenPipeWireDiesItSaysSoAndWaits() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone()
            let playing = try bench.start("play", "in.wav", "--loop", "-e", "Gain", "-e", "Reverb", "--report", "report.json")
            _ = try playing.process(ofEffect: "Reverb")
            #expect(eventually(within: 5) { playing.output.contains("Playing") })
            session.killDaemon()
            #expect(eventually(within: 10) { playing.output.contains("PipeWire went away") })
            playing.send(SIGINT)
            playing.wait(seconds: 10).expectSuccess()
            #expect(try bench.report().units.count == 2)
        }
    }
}
