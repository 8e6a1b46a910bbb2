// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead listen: numbers, JSON and pictures of files, and of what a sink plays.

import AudioFiles
import Foundation
import PipeWireIO
import TestSupport
import Testing

private struct Numbers: Decodable {
    struct Channel: Decodable {
        let peakDBFS, truePeakDBTP, rmsDBFS: Double?
        let clippedSamples: Int
    }

    struct Place: Decodable { let seconds: Double }

    let sampleRate, seconds: Double
    let channels: [Channel]
    let whole: Channel
    let integratedLUFS: Double?
    let silences, clicks: [Place]
}

extension Commands {
    @Suite struct ListenTests {
        /// A tone of 0.25 with a gap of 20 ms at 1.5 s.
        private func bench() throws -> Workbench {
            let bench = try Workbench()
            let samples = (0..<144_000).map { frame in
                (72_000..<72_960).contains(frame) ? 0 : 0.25 * Float(sin(2 * .pi * 440 * Double(frame) / 48_000))
            }
            try bench.writeSamples("in.wav", samples)
            return bench
        }

        @Test func theNumbersOfAFileArePrinted() throws {
            let outcome = try bench().run("listen", "in.wav")
            outcome.expectSuccess()
            for part in [
                "Length      3.000 s (144000 frames)", "48000 Hz, 2 channels", "Silences    1: 1.500 s for 20", "-12.0", "-15.1",
            ] {
                #expect(outcome.output.contains(part), "\(part): \(outcome.output)")
            }
            #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("⠀"))
        }

        @Test func scriptsGetJSON() throws {
            let bench = try bench()
            let outcome = try bench.run("listen", "in.wav", "--json")
            outcome.expectSuccess()
            let numbers = try JSONDecoder().decode(Numbers.self, from: Data(outcome.output.utf8))
            #expect(numbers.channels.count == 2 && numbers.seconds == 3 && numbers.sampleRate == 48_000)
            #expect(abs((numbers.whole.peakDBFS ?? 0) + 12.04) < 0.01 && numbers.silences.count == 1)
            // The first second alone has no gap.
            let first = try bench.run("listen", "in.wav", "--json", "--duration", "1")
            let short = try JSONDecoder().decode(Numbers.self, from: Data(first.output.utf8))
            #expect(short.seconds == 1 && short.silences.isEmpty && short.clicks.isEmpty)
        }

        /// Tracks, and more channels than any layout has speakers.
        @Test(arguments: [3, 7, 24, 32]) func channelsWithoutSpeakersAreHeard(count: Int) throws {
            let bench = try Workbench()
            let writer = try AudioFileWriter(
                path: bench.path("in.wav"), sampleRate: 48_000, channelCount: count, layout: .discrete(count))
            let audio = try #require(LoadedAudio(channelCount: count, frameCount: 24_000, sampleRate: 48_000))
            for channel in 0..<count { audio[channel].update(repeating: 0.25) }
            try writer.write(audio)
            try writer.finish()
            let outcome = try bench.run("listen", "in.wav", "--picture", "out.png")
            outcome.expectSuccess()
            #expect(outcome.output.contains("48000 Hz, \(count) channels") && outcome.output.contains("\n\(count) "))
            let numbers = try JSONDecoder().decode(
                Numbers.self, from: Data(try bench.run("listen", "in.wav", "--json").output.utf8))
            #expect(numbers.channels.count == count)
        }

        @Test func thePictureHasItsSize() throws {
            let bench = try bench()
            try bench.run("listen", "in.wav", "--picture", "out.png", "--show", "spectrogram").expectSuccess()
            let png = [UInt8](bench.bytes("out.png"))
            #expect(png.count > 5000 && png.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
            #expect([16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } } == [1200, 56 + 320 + 48])
            try bench.run("listen", "in.wav", "--picture", "out.svg").expectSuccess()
            #expect(String(decoding: bench.bytes("out.svg"), as: UTF8.self).hasSuffix("</svg>\n"))
        }

        @Test func whatCannotBeHeardIsNamed() throws {
            let bench = try bench()
            try bench.write("text.wav", Array("no sound at all, but some text".utf8))
            try bench.run("listen", "text.wav").expectComplaint(status: 1, "\"text.wav\"")
            try bench.run("listen", "nowhere.wav").expectComplaint(status: 1, "\"nowhere.wav\"")
            try bench.run("listen").expectComplaint(status: 2, "--node")
            try bench.run("listen", "in.wav", "--picture", "out.jpg").expectComplaint(status: 2, "\"out.jpg\"")
            try bench.run("listen", "in.wav", "--show", "waveform").expectComplaint(status: 2, "--picture")
            try bench.run("listen", "in.wav", "--node", "auto").expectComplaint(status: 2, "one thing at a time")
        }
    }
}

extension EndToEnd {
    @Suite struct ListenToNodeTests {
        @Test func whatASinkPlaysIsHeard() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone()
            let playing = try bench.start("play", "in.wav", "--loop", "-e", "Gain")
            #expect(eventually(within: 20) { playing.output.contains("Playing") })
            // The node that plays, by its own name.
            let stream = try bench.run("listen", "--node", "bulkhead", "--duration", "1")
            #expect(stream.status == 0 && stream.output.contains("-12.0"), "\(stream.output) \(stream.errors)")
            let outcome = try bench.run("listen", "--node", session.sinkName, "--duration", "2", "--json")
            playing.send(SIGINT)
            playing.wait(seconds: 10).expectSuccess()
            #expect(outcome.status == 0, "\(outcome.errors)")
            let numbers = try JSONDecoder().decode(Numbers.self, from: Data(outcome.output.utf8))
            #expect(numbers.seconds > 1 && abs((numbers.whole.peakDBFS ?? 0) + 12.04) < 0.3, "\(outcome.output)")
            #expect(bench.names(except: ["in.wav"]).filter { $0.contains("recording") }.isEmpty)
        }
    }
}
