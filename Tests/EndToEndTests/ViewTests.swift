// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead view: a view as text and as a picture, and what is refused. Test thread.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ViewTests {
        @Test func aViewIsPrintedAndSavedAsAPicture() throws {
            let bench = try Workbench()
            let printed = try bench.run("view", "Filter", "--set", "cutoff=300", "--size", "40x10")
            printed.expectSuccess()
            let lines = printed.output.split(separator: "\n")
            #expect(lines.count == 10 && lines.allSatisfy { $0.count <= 40 })
            #expect(lines[9].hasPrefix("Cutoff 300 Hz") && printed.output.contains("●"))
            try bench.run("view", "Filter", "--picture", "a.svg").expectSuccess()
            #expect(String(decoding: bench.bytes("a.svg"), as: UTF8.self).contains("<svg"))
            try bench.run("view", "Filter", "--picture", "a.png").expectSuccess()
            #expect(Array(bench.bytes("a.png").prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
            try bench.run("view", "Filter", "--picture", "a.txt", "--size", "40x10", "--set", "cutoff=300").expectSuccess()
            #expect(String(decoding: bench.bytes("a.txt"), as: UTF8.self).contains("Cutoff 300 Hz"))
        }

        @Test func soundThatPassesIsSeen() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let without = try bench.run("view", "Filter").output
            let with = try bench.run("view", "Filter", "--input", "in.wav").output
            #expect(!without.contains("█") && with.contains("█"))
        }

        /// No sound is needed: an equalizer draws its curve.
        @Test func thePictureOfAnLV2PlugInIsPrintedInDotsAndSavedInColours() throws {
            let bench = try Workbench(adding: ["LV2_PATH": "\(Build.testPluginFolder)/LV2"])
            let drawer = "lv2:urn:bulkhead:test:drawer"
            let printed = try bench.run("view", drawer, "--size", "20x8")
            printed.expectSuccess()
            let lines = printed.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0] == String(repeating: "⣿", count: 20) && lines[7] == "Level 1   Order 0")
            try bench.run("view", drawer, "--picture", "a.svg", "--set", "level=2").expectSuccess()
            // cairo 1.18 puts a space behind each comma, and 1.16 does not.
            let picture = String(decoding: bench.bytes("a.svg").filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
            // White, green and blue.
            for color in ["rgb(100%,100%,100%)", "rgb(0%,100%,0%)", "rgb(0%,0%,100%)"] { #expect(picture.contains(color)) }
            #expect(!picture.contains("rgb(100%,0%,0%)"))
            #expect(try bench.run("view", drawer, "--parameters").output.contains("Level "))
        }

        @Test func notesThatAreHeldAreSeen() throws {
            let bench = try Workbench()
            // A note that is held for five seconds: a file with one track, 480 ticks a quarter note.
            let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
            let track: [UInt8] = [0, 0x90, 69, 100, 0xA5, 0x40, 0x80, 69, 0, 0, 0xFF, 0x2F, 0]
            try bench.write("song.mid", header + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
            let without = try bench.run("view", "Synth").output
            let with = try bench.run("view", "Synth", "--input", "song.mid").output
            func hasBars(_ text: String) -> Bool { text.unicodeScalars.contains { ("▁"..."█").contains($0) } }
            #expect(!hasBars(without) && hasBars(with))
            try bench.run("view", "Filter", "--input", "song.mid").expectComplaint(status: 1, "plays no notes")
            try bench.writeTone()
            try bench.run("view", "Synth", "--input", "in.wav").expectComplaint(status: 1, "takes no sound")
        }

        @Test func aPlugInWithoutAViewIsShownByItsParameters() throws {
            let bench = try Workbench()
            let printed = try bench.run("view", "Gain", "--set", "gain=-6")
            printed.expectSuccess()
            #expect(printed.output.hasPrefix("Gain ") && printed.output.hasSuffix(" -6 dB\n"), "\(printed.output)")
            #expect(try bench.run("view", "Filter", "--parameters").output.contains("Cutoff "))
        }

        @Test func whatCannotBeShownIsSaid() throws {
            let bench = try Workbench()
            try bench.run("view").expectComplaint(status: 2, "which plug-in")
            try bench.run("view", "Filter", "--size", "0x5").expectComplaint(status: 2, "--size", "\"0x5\"")
            try bench.run("view", "Filter", "--picture", "a.gif").expectComplaint(status: 2, ".svg, .png or .txt")
            try bench.run("view", "Filter", "--set", "nothing=1").expectComplaint(status: 1, "no parameter \"nothing\"")
            try bench.run("view", "Filter", "--set", "cutoff=1e9").expectComplaint(status: 1, "cutoff")
            try bench.run("view", "Filter", "--input", "none.wav").expectComplaint(status: 1, "none.wav")
        }
    }
}
