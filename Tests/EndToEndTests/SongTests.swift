// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render with MIDI files: instruments sound, each with its own channels and keys, and what is wrong is said.

import Foundation
import HostingTestSupport
import Testing

extension Commands {
    @Suite struct SongTests {
        /// A bench with the plug-ins of the tests, a bank of sines, and `song.mid`.
        private func bench() throws -> Workbench {
            let program = URL(fileURLWithPath: RunningCommand.executable)
            let plugins = program.deletingLastPathComponent().appendingPathComponent("TestPlugins").path
            let bench = try Workbench(adding: ["BULKHEAD_PATH": plugins])
            try Data(SineBank.bytes).write(to: URL(fileURLWithPath: bench.path("sines.sf2")))
            try write("song.mid", [(0, 0, 69), (480, 1, 81), (960, 0, 57)], in: bench)
            return bench
        }

        /// Writes a file of notes of 240 ticks, 480 to a quarter note: half a second.
        private func write(_ name: String, _ notes: [(tick: Int, channel: UInt8, key: UInt8)], in bench: Workbench) throws {
            var (track, last) = ([UInt8](), 0)
            func add(_ tick: Int, _ bytes: [UInt8]) {
                track += [UInt8(0x80 | (tick - last) >> 7), UInt8((tick - last) & 127)] + bytes
                last = tick
            }
            for note in notes {
                add(note.tick, [0x90 | note.channel, note.key, 100])
                add(note.tick + 240, [0x80 | note.channel, note.key, 64])
            }
            add(last, [0xFF, 0x2F, 0])
            let size = [UInt8(track.count >> 8), UInt8(track.count & 255)]
            let header = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0] + Array("MTrk".utf8) + [0, 0] + size
            try Data(header + track).write(to: URL(fileURLWithPath: bench.path(name)))
        }

        private let sampler = ["-e", "Sampler", "--set", "soundBank=sines.sf2"]

        @Test func aSongSoundsTheSameInEveryRunAndForEverySizeOfBlocks() throws {
            let bench = try bench()
            var files: [Data] = []
            for size in ["8192", "8192", "256", "32", "1000"] {
                try bench.run(["render", "song.mid", "out.wav", "--block-size", size] + sampler).expectSuccess()
                files.append(bench.bytes("out.wav"))
            }
            #expect(files.allSatisfy { $0 == files[0] })
            let sound = try bench.load("out.wav")
            // Three notes, the last of which ends at 1.25 seconds, and its release.
            #expect(sound.sampleRate == 48_000 && sound.frameCount >= 60_000 && sound.frameCount < 72_000)
            let left = sound.samples(ofChannel: 0)
            for onset in [0, 24_000, 48_000] {
                let before = left[max(0, onset - 100)..<onset]
                #expect(before.allSatisfy { abs($0) < 1e-5 } && left[onset...(onset + 1)].contains { abs($0) > 1e-5 }, "\(onset)")
                #expect(left[onset..<onset + 6000].contains { abs($0) > 0.005 }, "\(onset)")
            }
        }

        @Test func aMixOfInstrumentsBehindEffectsIsTheSameForEverySizeOfBlocks() throws {
            let bench = try bench()
            let chain =
                sampler + ["--midi-channels", "1", "-e", "Delay"] + sampler + [
                    "--midi-channels", "2", "-e", "Reverb", "-e", "Gain",
                ]
                + ["--set", "gain=-3"]
            let graph = """
                {"bulkheadGraph": 1, "nodes": [
                  {"id": "a", "kind": "unit", "unit": {"id": "Sampler"}}, {"id": "b", "kind": "unit", "unit": {"id": "Sampler"}},
                  {"id": "bus", "kind": "mixer"}, {"id": "room", "kind": "unit", "unit": {"id": "Reverb"}}],
                 "connections": [{"from": "a", "to": "bus"}, {"from": "b", "to": "bus"}, {"from": "bus", "to": "room"},
                  {"from": "room", "to": "main"}],
                 "midi": {"files": [{"path": "song.mid", "id": "song"}]}}
                """
            try Data(graph.utf8).write(to: URL(fileURLWithPath: bench.path("graph.json")))
            var (chains, graphs): ([Data], [Data]) = ([], [])
            for size in ["8192", "64"] {
                try bench.run(["render", "song.mid", "out.wav", "--block-size", size] + chain).expectSuccess()
                chains.append(bench.bytes("out.wav"))
                #expect(try bench.run("graph", "render", "graph.json", "graph.wav", "--block-size", size).status == 0)
                graphs.append(bench.bytes("graph.wav"))
            }
            #expect(chains[0] == chains[1] && graphs[0] == graphs[1] && graphs[0].count > 400_000)
        }

        @Test func theContentTellsThatAFileIsMIDI() throws {
            let bench = try bench()
            try FileManager.default.copyItem(atPath: bench.path("song.mid"), toPath: bench.path("song.wav"))
            try bench.run(["render", "song.wav", "out.wav"] + sampler).expectSuccess()
            // A sound file is one by any name.
            try bench.writeTone("tone.wav")
            try FileManager.default.moveItem(atPath: bench.path("tone.wav"), toPath: bench.path("tone.mid"))
            try bench.run("render", "tone.mid", "tone.wav", "-e", "Gain", "--set", "gain=-6").expectSuccess()
        }

        @Test func instrumentsAreMixedAndEffectsBehindTheLastAreOnTheMix() throws {
            let bench = try bench()
            func sound(_ arguments: [String]) throws -> [Float] {
                try bench.run(["render", "song.mid", "out.wav", "--tail", "0"] + arguments).expectSuccess()
                return try bench.load("out.wav").samples(ofChannel: 0)
            }
            let first = try sound(sampler + ["--midi-channels", "1"])
            let second = try sound(sampler + ["--midi-channels", "2", "--midi-transpose", "-12"])
            let both = try sound(
                sampler + ["--midi-channels", "1"] + sampler + ["--midi-channels", "2", "--midi-transpose", "-12"]
                    + ["-e", "Gain", "--set", "gain=-6"])
            #expect(first[25_000...36_000].allSatisfy { $0 == 0 } && second[0..<24_000].allSatisfy { $0 == 0 })
            let gain = Float(pow(10, -6.0 / 20))
            let mixed: [Float] = zip(first, second).map { gain * ($0 + $1) }
            #expect(zip(both, mixed).allSatisfy { abs($0 - $1) < 1e-4 })
        }

        @Test func whatIsOddIsFound() throws {
            let bench = try bench()
            func kinds(_ arguments: [String]) throws -> [String] {
                #expect(try bench.run(["render", "song.mid", "out.wav", "--report", "report.json"] + arguments).status == 0)
                return try bench.report().findings.map(\.kind)
            }
            #expect(try kinds(sampler).isEmpty)
            #expect(try kinds(sampler + ["-e", "Gain"]) == ["changedNothing"])
            #expect(try kinds(sampler + ["--midi-keys", "0-9"]) == ["silent", "noMIDI"])
            #expect(try kinds(sampler + sampler + ["--midi-channels", "16"]) == ["noMIDI"])
        }

        /// The bank of sines has no drums; Drums has none for key 34.
        @Test func notesWithoutASoundAreCountedAndFound() throws {
            let bench = try bench()
            try write("song.mid", [(0, 0, 69), (480, 9, 38), (960, 9, 34)], in: bench)
            for (instrument, count) in [(sampler, 2), (["-e", "Drums", "--midi-channels", "10"], 1)] {
                let all = ["render", "song.mid", "out.wav", "--report", "report.json"] + instrument
                let outcome = try bench.run(all)
                let notes = count == 1 ? "1 note, which was" : "\(count) notes, which were"
                #expect(outcome.status == 0 && outcome.errors.contains("has no sound for \(notes) not heard."), "\(outcome.errors)")
                #expect(try bench.report().findings.map(\.kind) == ["notesUnplayed"])
                #expect(try bench.run(all + ["--strict"]).status == 1)
            }
        }

        @Test func whatIsWrongIsSaidWithWhatToDo() throws {
            let bench = try bench()
            try Data("MThd and no more".utf8).write(to: URL(fileURLWithPath: bench.path("bad.mid")))
            try bench.writeTone()
            let cases: [([String], String)] = [
                (["song.mid", "out.wav"], "\"song.mid\" is MIDI: name an instrument first, for example -e Sampler."),
                (["song.mid", "out.wav", "-e", "Gain"], "\"Gain\" is no instrument: name an instrument before it"),
                (["song.mid", "out.wav", "-e", "Gain", "-e", "Sampler"], "put the instrument before it"),
                (
                    ["song.mid", "out.wav", "-e", "Sampler", "-e", "Gain", "--midi-keys", "0-5"],
                    "put it after the -e of an instrument"
                ),
                (["song.mid", "out.wav", "-e", "Sampler", "--midi-keys", "9-5"], "--midi-keys takes LOW-HIGH"),
                (["song.mid", "out.wav", "-e", "Sampler", "--midi-channels", "17"], "--midi-channels"),
                (["song.mid", "out.wav", "--midi-transpose", "2", "-e", "Sampler"], "put it after -e ID"),
                (
                    ["in.wav", "out.wav", "-e", "Sampler"],
                    "\"Sampler\" is an instrument, which MIDI plays: name a MIDI file in place of a sound file"
                ),
                (["bad.mid", "out.wav", "-e", "Sampler"], "Couldn't read \"bad.mid\""),
            ]
            for (arguments, words) in cases {
                let outcome = try bench.run(["render"] + arguments)
                #expect(outcome.status != 0 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            }
            #expect(!bench.exists("out.wav"))
        }

        @Test func aGeneratorThatTakesNoMIDISaysSo() throws {
            let bench = try bench()
            try bench.writeTone()
            try FileManager.default.createDirectory(atPath: bench.path("ladspa"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "/usr/lib/ladspa/cmt.so", toPath: bench.path("ladspa/cmt.so"))
            let effect = try bench.run("render", "in.wav", "out.wav", "-e", "ladspa:cmt:organ")
            #expect(effect.status == 1)
            #expect(effect.errors.contains("\"Organ\" makes a sound of its own and takes none: make it a node"), "\(effect.errors)")
            let played = try bench.run("render", "song.mid", "out.wav", "-e", "ladspa:cmt:organ")
            #expect(played.status == 0, "\(played.errors)")
            #expect(played.errors.contains("\"Organ\" takes no MIDI, so no note is heard"), "\(played.errors)")
            #expect(try bench.run("render", "song.mid", "other.wav", "-e", "ladspa:cmt:organ", "--strict").status != 0)
        }

        @Test func aBatchTurnsSongsIntoSoundFiles() throws {
            let bench = try bench()
            try bench.run(["render", "--output-folder", "all", "song.mid"] + sampler).expectSuccess()
            #expect(try bench.load("all/song.wav").frameCount > 60_000)
        }

        @Test(.timed("kills while it renders")) func anInstrumentThatIsKilledWhileItRendersLosesNoNote() throws {
            let bench = try bench()
            let notes = (0..<120).map { (tick: $0 * 480, channel: UInt8(0), key: UInt8(69)) }
            try write("long.mid", notes, in: bench)
            try bench.run(["render", "long.mid", "whole.wav"] + sampler, seconds: 60).expectSuccess()
            let running = try bench.start(["render", "long.mid", "killed.wav", "--block-size", "64"] + sampler)
            _ = try running.process(ofEffect: "Sampler")
            // The first process gives way to one that may read the bank.
            usleep(1_000_000)
            kill(try running.process(ofEffect: "Sampler"), SIGKILL)
            let outcome = running.wait(seconds: 60)
            #expect(outcome.status == 0 && outcome.errors.contains("\"Sampler\" was ended by SIGKILL"), "\(outcome.errors)")
            let (whole, killed) = (
                try bench.load("whole.wav").samples(ofChannel: 0), try bench.load("killed.wav").samples(ofChannel: 0)
            )
            // What follows the note in which it died sounds as ever, and nothing hangs at the end.
            #expect(abs(whole.count - killed.count) < 48_000)
            let last = 110 * 24_000
            #expect((last..<last + 24_000).contains { abs(killed[$0]) > 0.01 })
        }
    }
}
