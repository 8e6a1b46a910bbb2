// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render.

import AudioFiles
import AudioFormats
import Foundation
import LinuxSystem
import TestSupport
import Testing

extension Commands {
    @Suite struct RenderTests {
        @Test(arguments: [
            ("Delay", "mix=40"), ("Distortion", "mix=40"), ("Equalizer", "gain=-3"), ("Filter", "cutoff=500"), ("Gain", "gain=-3"),
            ("Reverb", "mix=40"),
        ])
        func everyEffectRendersAlikeOnBothSidesOfTheWall(effect: String, setting: String) throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.trust(effect)
            try bench.run("render", "in.wav", "out.wav", "-e", effect, "--set", setting).expectSuccess()
            try bench.run("render", "in.wav", "inside.wav", "-e", effect, "--set", setting, "--in-process").expectSuccess()
            #expect(bench.bytes("out.wav").count > 44)
            #expect(bench.bytes("out.wav") == bench.bytes("inside.wav"))
        }

        /// Its second input is not connected here, which is said.
        @Test func theVoiceProcessorRendersAlikeOnBothSidesOfTheWall() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.trust("Voice Processor")
            let render = ["-e", "Voice Processor"]
            let word = "Nothing is connected to \"Far End\" of \"Voice Processor\""
            try bench.run(["render", "in.wav", "out.wav"] + render).expectComplaint(status: 0, word)
            try bench.run(["render", "in.wav", "inside.wav"] + render + ["--in-process"]).expectComplaint(status: 0, word)
            #expect(bench.bytes("out.wav").count > 44 && bench.bytes("out.wav") == bench.bytes("inside.wav"))
        }

        /// Automation and tails included; the last block is a short one.
        @Test(.enabled(if: Scheduling.ownProcessors.count > 1, "there is one processor here"))
        func effectsThatWorkAtTheSameTimeWriteTheSameFile() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 48_123)
            let arguments = [
                "-e", "Filter", "--automate", "cutoff=0:200,1:8000", "-e", "Distortion", "-e", "Reverb", "-e", "Delay",
            ]
            let more = ["--tail", "0.5", "--report", "report.json"]
            try bench.run(["render", "in.wav", "serial.wav"] + arguments + more + ["--serial"]).expectSuccess()
            let serial = try bench.report()
            try bench.run(["render", "in.wav", "out.wav"] + arguments + more).expectSuccess()
            let report = try bench.report()
            #expect(bench.bytes("out.wav") == bench.bytes("serial.wav"))
            #expect(try bench.load("out.wav").frameCount == 48_123 + 24_000)
            // A block of latency for each, as they render ahead of what is read, and as many cycles more.
            #expect(report.latencyFrames == serial.latencyFrames + 4 * 8192 && report.cycles == serial.cycles + 4)
        }

        @Test func theReportSaysWhereTheUnitsRan() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 5000)
            try bench.trust("Filter")
            let arguments = ["render", "in.wav", "out.flac", "-e", "Gain", "--set", "gain=-3", "-e", "Filter", "--in-process"]
            try bench.run(arguments + ["--serial", "--block-size", "64", "--tail", "0", "--report", "report.json"]).expectSuccess()
            let report = try bench.report()
            #expect(report.cycles == (5000 + 63) / 64 && report.quantum == 64 && report.missedDeadlines == 0)
            #expect(report.units.map(\.id) == ["aufx:gain:blkh", "aufx:filt:blkh"])
            #expect(report.units.map(\.isolation) == ["out-of-process", "in-process"])
            #expect(report.units[0].pid != nil && report.units[1].pid == nil)
            #expect(report.units.allSatisfy { $0.restarts == 0 && $0.faults.isEmpty })
            #expect(bench.bytes("out.flac").prefix(4) == Data("fLaC".utf8))
            #expect(try bench.load("out.flac").frameCount == 5000)
        }

        @Test func theBlockSizeChangesNothingThatIsHeard() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 9000)
            for size in ["1000", "37"] {
                try bench.run("render", "in.wav", "\(size).wav", "-e", "Gain", "--set", "gain=-6", "--block-size", size)
                    .expectSuccess()
            }
            #expect(bench.bytes("1000.wav") == bench.bytes("37.wav"))
            #expect(abs(try bench.load("37.wav").peak(ofChannel: 0) - 0.1253) < 0.001)
        }

        @Test func automationMovesAParameterAlongItsLine() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 48_000)
            let automation = "gain=0:-60,0.5:-60,0.6:0"
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "--automate", automation).expectSuccess()
            let audio = try bench.load("out.wav")
            #expect(audio[0][4800..<23_000].allSatisfy { abs($0) < 0.001 })
            #expect(audio[0][30_000...].contains { abs($0) > 0.24 })
        }

        @Test func aPresetSoundsOtherThanTheDefaults() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 4800)
            try bench.run("render", "in.wav", "a.wav", "-e", "Reverb", "--preset", "large hall").expectSuccess()
            try bench.run("render", "in.wav", "b.wav", "-e", "Reverb").expectSuccess()
            #expect(bench.bytes("a.wav") != bench.bytes("b.wav"))
        }

        @Test(arguments: [(3, 48_000.0), (6, 48_000), (1, 8000), (2, 192_000), (1, 384_000)])
        func channelsAndRateOfTheInputAreThoseOfTheOutput(channels: Int, rate: Double) throws {
            let bench = try Workbench()
            try bench.writeTone(channels: channels, rate: rate, frames: 2000)
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "--set", "gain=-3", "-e", "Delay", "--tail", "0")
                .expectSuccess()
            let audio = try bench.load("out.wav")
            #expect(audio.channelCount == channels && audio.sampleRate == rate && audio.frameCount == 2000)
        }

        @Test(arguments: [0x60F, 0x107, 0x63F] as [UInt32]) func theSpeakersOfTheInputAreThoseOfTheOutput(mask: UInt32) throws {
            let bench = try Workbench()
            let layout = try #require(ChannelLayout(mask: mask))
            let writer = try AudioFileWriter(
                path: bench.path("in.wav"), sampleRate: 48_000, channelCount: layout.channelCount, layout: layout)
            let audio = try #require(LoadedAudio(channelCount: layout.channelCount, frameCount: 480, sampleRate: 48_000))
            for channel in 0..<layout.channelCount { audio[channel].update(repeating: 0.1) }
            try writer.write(audio)
            try writer.finish()
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "--set", "gain=-3").expectSuccess()
            #expect(try AudioFileReader(path: bench.path("out.wav")).format.channelLayout == layout)
        }

        /// Tracks that belong to no speaker: through a chain, through a graph with a mixer, and through stereo instances.
        @Test(arguments: [4, 6]) func tracksOfNoSpeakerStayThat(count: Int) throws {
            let bench = try Workbench(adding: ["LADSPA_PATH": "\(Build.testPluginFolder)/LADSPA"])
            let writer = try AudioFileWriter(
                path: bench.path("in.wav"), sampleRate: 48_000, channelCount: count, layout: .discrete(count))
            let audio = try #require(LoadedAudio(channelCount: count, frameCount: 4800, sampleRate: 48_000))
            for channel in 0..<count { audio[channel].update(repeating: Float(channel + 1) / 16) }
            try writer.write(audio)
            try writer.finish()
            let graph = """
                {"bulkheadGraph": 1, "nodes": [{"id": "player", "kind": "player", "files": [{"path": "in.wav"}]},
                {"id": "bus", "kind": "mixer"}], "connections": [{"from": "player", "to": "bus"}, {"from": "bus", "to": "main"}],
                "channels": \(count)}
                """
            try bench.write("graph.json", Array(graph.utf8))
            try bench.run("render", "in.wav", "chain.wav", "-e", "Gain", "--set", "gain=-6").expectSuccess()
            try bench.run("render", "in.wav", "pairs.wav", "-e", "ladspa:honest:sums", "--tail", "0").expectSuccess()
            try bench.run("graph", "render", "graph.json", "graph.wav").expectSuccess()
            for name in ["in.wav", "chain.wav", "pairs.wav", "graph.wav"] {
                let bytes = bench.bytes(name)
                let format = try #require(bytes.firstRange(of: Data("fmt ".utf8))).upperBound + 4
                #expect(
                    bytes[format] == 0xFE && bytes[format + 1] == 0xFF && Array(bytes[format + 20..<format + 24]) == [0, 0, 0, 0])
                let read = try bench.load(name)
                let last = withExtendedLifetime(read) { read[count - 1][2400] }
                #expect(last != 0 && (name != "graph.wav" || last == Float(count) / 16), "\(name): \(last)")
            }
        }

        @Test func anEffectThatDoesNotTakeSoManyChannelsSaysHowManyItTakes() throws {
            let bench = try Workbench()
            try bench.writeTone(channels: 6, frames: 2000)
            let outcome = try bench.run("render", "in.wav", "out.wav", "-e", "Reverb")
            outcome.expectComplaint(status: 1, "\"Reverb\"", "6 channels", "it takes 1 or 2")
            #expect(bench.names() == ["in.wav"])
        }

        @Test func aFileOfOneFrameIsRendered() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 1)
            try bench.run("render", "in.wav", "out.wav", "-e", "Gain", "-e", "Equalizer", "--tail", "0").expectSuccess()
            #expect(try bench.load("out.wav").frameCount == 1)
        }
    }
}
