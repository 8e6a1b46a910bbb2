// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The examples do what their README says.

import AudioFiles
import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ExampleTests {
        @Test func oneUnitRendersAFileAsTheCommandDoes() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 96_000)
            let (status, output) = try bench.runExample("HostOneUnit", ["in.wav", "wet.wav"])
            #expect(status == 0 && output.contains("Rendered 96000 frames through \"Reverb\""))
            _ = try bench.run("render", "in.wav", "command.wav", "-e", "Reverb", "--tail", "0")
            let (own, command) = (try bench.load("wet.wav"), try bench.load("command.wav"))
            #expect(own.frameCount == 96_000 && own.peak(ofChannel: 0) > 0.1)
            for channel in 0..<2 { #expect(own[channel].elementsEqual(command[channel].prefix(96_000))) }
        }

        @Test func oneUnitSurvivesTheDeathOfItsProcess() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 96_000)
            let (status, output) = try bench.runExample("HostOneUnit", ["in.wav", "wet.wav", "Gain", "--kill"])
            #expect(status == 0 && output.contains("\"Gain\" was ended by SIGKILL, and was started again."))
            let (dry, wet) = (try bench.load("in.wav"), try bench.load("wet.wav"))
            for channel in 0..<2 { #expect(wet[channel].elementsEqual(dry[channel])) }
        }

        @Test func aFaderMovesFromOneEffectToTheOther() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 48_000)
            let (status, output) = try bench.runExample("MixingBetweenEffects", ["in.wav", "mix.wav"])
            #expect(status == 0 && output == "Rendered 384000 frames into mix.wav.\n")
            let mix = try bench.load("mix.wav")
            #expect(mix.frameCount == 384_000 && mix.peak(ofChannel: 0) > 0.05 && mix.peak(ofChannel: 1) < 1)
        }

        @Test func anEffectIsPatchedInDiesAndIsTakenOutWhileTheLoopPlays() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 48_000)
            let (status, output) = try bench.runExample("SimplePlayEngine", ["in.wav", "Delay", "out.wav"])
            let wanted = [
                "\"Delay\" is patched in.", "It has the preset \"Canyon\".", "Its process is dead; the loop plays on.",
                "\"Delay\" was ended by SIGKILL, and was started again.", "It is taken out.", "into out.wav.",
            ]
            #expect(status == 0 && wanted.allSatisfy { output.contains($0) }, "\(output)")
            let (dry, wet) = (try bench.load("in.wav"), try bench.load("out.wav"))
            // Before the effect, and after it, the loop is what it was.
            #expect(wet[0].prefix(47_000).elementsEqual(dry[0].prefix(47_000)))
        }

        @Test func aMIDIFileIsPlayedToAPlugIn() throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "\(Build.folder)/TestPlugins"])
            // One note of a beat, at 120 beats a minute, 96 ticks each.
            let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
            let track: [UInt8] = Array("MTrk".utf8) + [0, 0, 0, 12, 48, 0x90, 60, 100, 96, 0x80, 60, 64, 0, 0xFF, 0x2F, 0]
            try Data(header + track).write(to: URL(fileURLWithPath: "\(bench.folder)/song.mid"))
            let (status, output) = try bench.runExample("MidiFilePlayer", ["song.mid", "Probe", "out.wav"])
            #expect(status == 0 && output == "1 tracks, 2 beats, 1 s.\nRendered 132000 frames into out.wav.\n", "\(output)")
            // Probe puts out a sample of 1 for each message.
            let heard = try bench.load("out.wav")
            #expect((0..<heard.frameCount).filter { heard[0][$0] > 0.5 } == [12_000, 36_000])
            let (refused, message) = try bench.runExample("MidiFilePlayer", ["in.wav", "Probe", "out.wav"])
            #expect(refused == 1 && message.contains("in.wav"), "\(message)")
        }

        @Test func aSideChainIsHeardByTheEffectAlone() throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "\(Build.folder)/TestPlugins"])
            try bench.writeTone(frames: 9600)
            let (status, output) = try bench.runExample("SideChain", ["in.wav", "in.wav", "Probe", "out.wav"])
            #expect(status == 0 && output.contains("Rendered 9600 frames"), "\(output)")
            let (dry, wet) = (try bench.load("in.wav"), try bench.load("out.wav"))
            // Probe adds its side chain to its input.
            #expect(zip(wet[0], dry[0]).allSatisfy { abs($0.0 - 2 * $0.1) < 1e-6 })
        }

        @Test func aPlugInThatIsNotInstalledIsNamed() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let (status, output) = try bench.runExample("HostOneUnit", ["in.wav", "wet.wav", "Phantom"])
            #expect(status == 1 && output.contains("There is no plug-in \"Phantom\"."))
            #expect(!bench.exists("wet.wav"))
        }
    }
}
