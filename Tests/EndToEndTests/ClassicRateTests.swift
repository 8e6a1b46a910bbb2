// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins from the command line: ranges at the rate of the file, ends without a bound, channels of instances.

import AudioFiles
import AudioFormats
import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ClassicRateTests {
        private func bench() throws -> Workbench {
            let bench = try Workbench(adding: ["LADSPA_PATH": "\(Build.testPluginFolder)/LADSPA"])
            try bench.writeTone("8.wav", rate: 8000, frames: 800)
            try bench.writeTone("192.wav", rate: 192_000, frames: 1920)
            return bench
        }

        private func render(_ input: String, _ label: String, _ setting: String, _ bench: Workbench) throws -> Outcome {
            try bench.run("render", input, "out.wav", "-e", "ladspa:honest:\(label)", "--set", setting)
        }

        @Test func aSettingIsCheckedAtTheRateOfTheFile() throws {
            let bench = try bench()
            try render("192.wav", "defaults", "rate=90000", bench).expectSuccess()
            try render("8.wav", "defaults", "rate=4000", bench).expectSuccess()
            try render("8.wav", "defaults", "rate=4001", bench).expectComplaint(status: 1, "its range is 0 to 4000", "8000 Hz")
            try bench.run("render", "8.wav", "out.wav", "-e", "ladspa:honest:defaults", "--automate", "rate=0:1,1:20000")
                .expectComplaint(status: 1, "rate cannot be 20000")
        }

        /// What comes out of channels with 0.1, 0.2 and so on, and the channels of the instances.
        private func sums(_ mask: UInt32, _ bench: Workbench) throws -> (samples: [Float], instances: [[Int]]?) {
            let layout = try #require(ChannelLayout(mask: mask))
            let count = layout.channelCount
            let writer = try AudioFileWriter(path: bench.path("in.wav"), sampleRate: 48_000, channelCount: count, layout: layout)
            let audio = try #require(LoadedAudio(channelCount: count, frameCount: 480, sampleRate: 48_000))
            for channel in 0..<count { audio[channel].update(repeating: Float(channel + 1) / 10) }
            try writer.write(audio)
            try writer.finish()
            try bench.run(
                "render", "in.wav", "out.wav", "-e", "ladspa:honest:sums", "--tail", "0", "--report", "report.json"
            ).expectSuccess()
            let output = try bench.load("out.wav")
            #expect(try AudioFileReader(path: bench.path("out.wav")).format.channelLayout == layout)
            return ((0..<count).map { output[$0][100] }, try instances(bench))
        }

        private func instances(_ bench: Workbench) throws -> [[Int]]? {
            struct Report: Decodable {
                struct Unit: Decodable { let instances: [[Int]]? }
                let units: [Unit]
            }
            return try JSONDecoder().decode(Report.self, from: bench.bytes("report.json")).units[0].instances
        }

        /// Each pair becomes its sum and its difference, and a channel without a partner the sum with itself.
        @Test func anInstanceHasRealPairsAlone() throws {
            let bench = try bench()
            func expect(_ mask: UInt32, _ tenths: [Float], _ instances: [[Int]]) throws {
                let (samples, found) = try sums(mask, bench)
                #expect(found == instances && zip(samples, tenths).allSatisfy { abs($0 * 10 - $1) < 1e-5 }, "\(mask): \(samples)")
            }
            try expect(0x3F, [3, -1, 6, 8, 11, -1], [[1, 2], [3], [4], [5, 6]])
            try expect(0x60F, [3, -1, 6, 8, 11, -1], [[1, 2], [3], [4], [5, 6]])
            // Left, right, centre, centre surround; and quadraphonic.
            try expect(0x107, [3, -1, 6, 8], [[1, 2], [3], [4]])
            try expect(0x33, [3, -1, 7, -1], [[1, 2], [3, 4]])
            // Front and top, with a centre between the tops.
            try expect(0x7003, [3, -1, 8, 8, -2], [[1, 2], [3, 5], [4]])
        }

        /// It puts out the sum of its input, for ever.
        @Test func aSoundThatDoesNotEndIsCutAndThatIsSaid() throws {
            let bench = try bench()
            try bench.writeSamples("8.wav", [0.5, 0, 0, 0], rate: 8000)
            try render("8.wav", "poisonable", "poison=0", bench).expectComplaint(
                status: 0, "still sounded 30 seconds after the end")
            #expect(try bench.load("out.wav").frameCount == 4 + 30 * 8000)
        }

        @Test func whatHasNoBoundTakesAnyNumber() throws {
            let bench = try bench()
            try render("8.wav", "hints", "default=1e6", bench).expectComplaint(status: 0, "changed nothing")
            try render("8.wav", "hints", "minimum-only=4", bench).expectComplaint(status: 1, "it takes 5 and more")
        }

        @Test func infoSaysAtWhichRateItSpeaks() throws {
            let bench = try bench()
            let usual = try bench.run("info", "ladspa:honest:defaults").output
            #expect(usual.contains("0 to 24000 (24000)") && usual.contains("those at 48000 Hz; --rate HZ shows others"))
            #expect(usual.contains("up to 8 (2)"))
            let other = try bench.run("info", "ladspa:honest:defaults", "--rate", "96000").output
            #expect(other.contains("0 to 48000 (48000)") && other.contains("those at 96000 Hz"))
        }

        @Test func infoAndTheReportSayWhichChannelsAnInstanceHas() throws {
            let bench = try bench()
            let words = try bench.run("info", "ladspa:honest:sums").output
            #expect(words.contains("Instances one for each pair of left and right") && words.contains("gets its first output"))
            #expect(try bench.run("info", "ladspa:honest:gain").output.contains("Instances one for each channel"))
            try bench.writeTone("6.wav", channels: 6, frames: 480)
            try bench.run("render", "6.wav", "out.wav", "-e", "ladspa:honest:sums", "--report", "report.json").expectSuccess()
            #expect(try instances(bench) == [[1, 2], [3], [4], [5, 6]])
            try bench.run("render", "6.wav", "out.wav", "-e", "ladspa:honest:threeToTwo")
                .expectComplaint(status: 1, "6 channels on its input \"Input\"; it takes 1 or 2 or 3")
        }
    }
}
