// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render with MIDI files that are damaged, endless, piped, or for several ports.

import Foundation
import HostingTestSupport
import Testing

extension Commands {
    @Suite struct SongFileTests {
        private let sampler = ["-e", "Sampler", "--set", "soundBank=sines.sf2"]

        private func bench() throws -> Workbench {
            let bench = try Workbench()
            try write("sines.sf2", SineBank.bytes, in: bench)
            return bench
        }

        private func write(_ name: String, _ bytes: some Sequence<UInt8>, in bench: Workbench) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: bench.path(name)))
        }

        /// A file with one track of these bytes, at 480 ticks in a quarter note.
        private func song(_ tracks: [[UInt8]], division: [UInt8] = [1, 0xE0]) -> [UInt8] {
            let header = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, UInt8(tracks.count)] + division
            return tracks.reduce(header) { $0 + Array("MTrk".utf8) + [0, 0, 0, UInt8($1.count + 4)] + $1 + [0, 0xFF, 0x2F, 0] }
        }

        /// A note of half a second.
        private func note(_ key: UInt8, channel: UInt8 = 0) -> [UInt8] {
            [0, 0x90 | channel, key, 100, 0x83, 0x60, 0x80 | channel, key, 64]
        }

        private func sound(_ name: String, _ more: [String] = [], in bench: Workbench) throws -> [Float] {
            try bench.run(["render", name, "out.wav", "--tail", "0.5"] + more + sampler).expectSuccess()
            return try bench.load("out.wav").samples(ofChannel: 0)
        }

        @Test func aDamagedSongIsPlayedItsDamageIsSaidAndStrictRefusesIt() throws {
            let bench = try bench()
            try write("whole.mid", song([note(69)]), in: bench)
            let whole = try sound("whole.mid", in: bench)
            // A real-time byte, a tempo and a time signature of 0, and a header that counts five tracks.
            let damage: [UInt8] = [0, 0xF8, 0, 0xFF, 0x51, 3, 0, 0, 0, 0, 0xFF, 0x58, 4, 0, 0, 24, 8]
            var damaged = song([damage + note(69)])
            damaged[11] = 5
            try write("damaged.mid", damaged, in: bench)
            try write("cut.mid", damaged.dropLast(4), in: bench)
            #expect(try bench.run(["render", "cut.mid", "out.wav", "--tail", "0.5"] + sampler).status == 0)
            #expect(try bench.load("out.wav").samples(ofChannel: 0) == whole)
            let said = try bench.run(["render", "damaged.mid", "out.wav", "--tail", "0.5", "--report", "report.json"] + sampler)
            #expect(try said.status == 0 && bench.load("out.wav").samples(ofChannel: 0) == whole)
            #expect(said.errors.contains("\"damaged.mid\" is damaged, and played as far as it can be understood: at byte 23 "))
            #expect(said.errors.contains("there are 3 more faults"))
            #expect(try bench.report().findings.map(\.kind) == ["damagedMIDI"])
            let refused = try bench.run(["render", "damaged.mid", "strict.wav", "--strict"] + sampler)
            #expect(refused.status == 1 && refused.errors.contains("Couldn't read \"damaged.mid\"") && !bench.exists("strict.wav"))
        }

        @Test func midiComesFromStandardInput() throws {
            let bench = try bench()
            try write("song.mid", song([note(69)]), in: bench)
            try bench.writeTone("tone.wav")
            let file = try sound("song.mid", in: bench)
            for script in ["cat song.mid | exec \"$@\"", "exec \"$@\" < song.mid"] {
                try bench.run(["render", "-", "out.wav", "--tail", "0.5"] + sampler, shell: script).expectSuccess()
                #expect(try bench.load("out.wav").samples(ofChannel: 0) == file, "\(script)")
            }
            // Sound by the same way is whole, too.
            try bench.run(["render", "-", "out.wav", "-e", "Gain", "--set", "gain=-6"], shell: "cat tone.wav | exec \"$@\"")
                .expectSuccess()
            let piped = bench.bytes("out.wav")
            try bench.run("render", "tone.wav", "out.wav", "-e", "Gain", "--set", "gain=-6").expectSuccess()
            #expect(piped == bench.bytes("out.wav"))
        }

        @Test func controllersWithoutNotesAreMIDI() throws {
            let bench = try bench()
            try write("controllers.mid", song([[0, 0xC0, 5, 0x83, 0x60, 0xB0, 7, 100]]), in: bench)
            let outcome = try bench.run(["render", "controllers.mid", "out.wav"] + sampler)
            #expect(outcome.status == 0 && !outcome.errors.contains("no MIDI reaches it"))
            #expect(outcome.errors.contains("\"Sampler\" is an instrument, and the MIDI for it has no notes."))
        }

        @Test func eachPortHasAnInstrumentOfItsOwn() throws {
            let bench = try bench()
            // The second port turns its first channel down, and plays another key there.
            let quiet: [UInt8] = [0, 0xFF, 0x21, 1, 1, 0, 0xB0, 7, 64]
            try write("both.mid", song([[0, 0xFF, 0x21, 1, 0] + note(69), quiet + note(57)]), in: bench)
            try write("first.mid", song([note(69)]), in: bench)
            try write("second.mid", song([[0, 0xB0, 7, 64] + note(57)]), in: bench)
            let (first, second) = (try sound("first.mid", in: bench), try sound("second.mid", in: bench))
            let both = try sound("both.mid", in: bench)
            #expect(both.count == first.count && first.contains { abs($0) > 0.005 } && second.contains { abs($0) > 0.001 })
            #expect(zip(both, zip(first, second)).allSatisfy { abs($0 - $1.0 - $1.1) < 1e-4 })
        }

        @Test func aSongThatRestsForYearsIsRenderedOnlyWhenItIsAskedFor() throws {
            let bench = try bench()
            let years: [UInt8] = [0, 0xFF, 0x51, 3, 255, 255, 255, 0, 0x90, 60, 100, 255, 255, 255, 127, 0x80, 60, 64]
            try write("years.mid", song([years], division: [0, 1]), in: bench)
            let asked = try bench.run(["render", "years.mid", "out.wav"] + sampler, seconds: 20)
            #expect(asked.status == 1 && asked.errors.contains("has a rest of 142 years") && asked.errors.contains("--long"))
            #expect(!bench.exists("out.wav"))
            let graph = """
                {"bulkheadGraph": 1, "nodes": [{"id": "a", "kind": "unit", "unit": {"id": "Sampler"}}],
                 "connections": [{"from": "a", "to": "main"}], "midi": {"files": [{"path": "years.mid", "id": "song"}]}}
                """
            try write("graph.json", graph.utf8, in: bench)
            let checked = try bench.run("graph", "check", "graph.json")
            #expect(checked.status == 0 && checked.output.contains("has a rest of 142 years"))
            #expect(try bench.run("graph", "render", "graph.json", "out.wav", seconds: 20).status == 1)
        }

        @Test func tempoAndKeysOfASongCanBeChanged() throws {
            let bench = try bench()
            try write("song.mid", song([note(69)]), in: bench)
            try write("high.mid", song([note(81)]), in: bench)
            try write("slow.mid", song([[0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40] + note(69)]), in: bench)
            #expect(try sound("song.mid", ["--transpose", "12"], in: bench) == sound("high.mid", in: bench))
            #expect(try sound("song.mid", ["--tempo", "60"], in: bench) == sound("slow.mid", in: bench))
            let lost = try bench.run(["render", "song.mid", "out.wav", "--transpose", "100"] + sampler)
            #expect(lost.errors.contains("1 note of \"song.mid\" left the keys of MIDI"))
            try bench.writeTone("tone.wav")
            let other = try bench.run("render", "tone.wav", "out.wav", "--tempo", "60", "-e", "Gain")
            #expect(other.status != 0 && other.errors.contains("--tempo is for MIDI files"))
        }

        @Test func songsInAWrappingAndSongsOneAfterTheOtherArePlayed() throws {
            let bench = try bench()
            let plain = song([note(69)])
            try write("plain.mid", plain, in: bench)
            let wrapped = Array("RIFF".utf8) + [0, 1, 0, 0] + Array("RMIDdata".utf8) + [UInt8(plain.count), 0, 0, 0] + plain
            try write("wrapped.mid", wrapped, in: bench)
            let sounded = try sound("plain.mid", in: bench)
            #expect(try sound("wrapped.mid", ["--strict"], in: bench) == sounded)
            var two = song([note(69), note(69)])
            two[9] = 2
            try write("two.mid", two, in: bench)
            let both = try sound("two.mid", ["--strict"], in: bench)
            #expect(both.count == sounded.count + 24_000)
            #expect(both[..<23_000] == sounded[..<23_000] && both[24_000..<47_000].contains { abs($0) > 0.005 })
        }
    }
}
