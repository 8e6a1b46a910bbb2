// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Songs that are changed before they play, and what a file is taken for. Test thread.

import HostingTestSupport
import MIDIFiles
import TestSupport
import Testing

@testable import AudioGraph

@Suite struct MIDISongFileTests {
    private let folder = ScratchFolder()

    private func song(_ bytes: [UInt8]) throws -> MIDISongFile {
        _ = folder.write("song.mid", bytes)
        return try MIDISongFile(path: "\(folder.path)/song.mid")
    }

    private func keys(_ song: MIDISongFile) -> [Int] { song.file.tracks.flatMap(\.events).filter(\.beginsNote).map(\.note) }

    @Test func aSongBeginsAtAnotherTempoAndItsChangesKeepTheirProportion() throws {
        let tempos = [
            MIDITempoChange(tick: 0, microsecondsPerQuarter: 500_000),
            MIDITempoChange(tick: 480, microsecondsPerQuarter: 1_000_000),
        ]
        var song = try song(Songs.file([Songs.Note(tick: 0, length: 960)], tempos: tempos))
        #expect(song.seconds == 1.5)
        song.begin(atTempo: 60)
        #expect(song.seconds == 3)
        song.begin(atTempo: .nan)
        song.begin(atTempo: 0)
        #expect(song.seconds == 3)
    }

    @Test func drumsAreNotTransposedAndNotesBeyondTheKeysAreCounted() throws {
        let notes = [
            Songs.Note(tick: 0, length: 10, key: 60), Songs.Note(tick: 20, length: 10, key: 120),
            Songs.Note(tick: 40, length: 10, key: 36, channel: 9),
        ]
        var song = try song(Songs.file(notes))
        song.transpose(by: 12)
        #expect(keys(song) == [72, 36] && song.lostNoteCount == 1)
        #expect(song.file.tracks[0].events.count { $0.endsNote } == 2, "the end of a lost note is lost, too")
    }

    @Test func theLongestRestIsFoundWhereverItIs() throws {
        let second = 960
        for (notes, end) in [
            ([Songs.Note(tick: 7200 * second, length: second)], 0), ([Songs.Note(tick: 0, length: 7200 * second)], 0),
            ([Songs.Note(tick: 0, length: second), Songs.Note(tick: 7201 * second, length: second)], 0),
            ([Songs.Note(tick: 0, length: second)], 7201 * second),
        ] { #expect(try song(Songs.file(notes, endTick: end)).longestRest == 7200) }
        var slow = try song(Songs.file([Songs.Note(tick: 0, length: 7200 * second)]))
        slow.begin(atTempo: 960)
        #expect(slow.longestRest == 900)
        #expect(try song(Songs.file((0..<5000).map { Songs.Note(tick: $0 * second, length: 9) })).longestRest < 1)
    }

    /// A file of 44 bytes with a note of 2^28 ticks, each of which lasts as long as a quarter note can.
    @Test func aSmallFileCanRestFor143Years() throws {
        let bytes: [UInt8] =
            Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 1] + Array("MTrk".utf8) + [0, 0, 0, 22]
            + [0, 0xFF, 0x51, 3, 255, 255, 255] + [0, 0x90, 60, 100] + [255, 255, 255, 127, 0x80, 60, 64] + [0, 0xFF, 0x2F, 0]
        #expect(bytes.count == 44)
        #expect(try song(bytes).longestRest > 142 * 31_557_600)
    }

    @Test func damageIsASentenceAndAStrictReaderRefusesIt() throws {
        let bytes = Array(Songs.file([Songs.Note(tick: 0, length: 240)]).dropLast(4))
        let damaged = try song(bytes)
        #expect(damaged.damage?.contains("song.mid\" is damaged, and played as far as it can be understood: at byte") == true)
        #expect(throws: AudioSequencerError.self) { try MIDISongFile(path: damaged.path, isStrict: true) }
        #expect(try song(Songs.file([])).damage == nil)
    }

    @Test func aSequencerTellsOfDamage() throws {
        let sequencer = AudioSequencer(audioEngine: AudioEngine())
        let bytes = Songs.file([Songs.Note(tick: 0, length: 240)])
        try sequencer.load(data: Array(bytes.dropLast(4)))
        #expect(sequencer.fileDamage?.count == 1 && sequencer.tracks.count == 1)
        try sequencer.load(data: bytes)
        #expect(sequencer.fileDamage == nil)
    }

    @Test func aTrackForSeveralPortsBecomesOneForEach() throws {
        let sequencer = AudioSequencer(audioEngine: AudioEngine())
        let events = [3, 0, 3].map { MIDIFileEvent(tick: 0, .noteOn, channel: 0, 60, 100, port: UInt8($0)) }
        try sequencer.load(data: MIDIFile(tracks: [MIDITrack(), MIDITrack(events: events, endTick: 10)]).encoded())
        #expect(sequencer.tracks.map(\.cable) == [0, 0, 1])
        let written = try MIDIFile(bytes: sequencer.data())
        #expect(written.tracks.map { Set($0.events.map(\.port)) } == [[], [0], [1]])
    }

    @Test func aWrappedSongIsASongAndAWaveFileIsNone() throws {
        let bytes = Songs.file([Songs.Note(tick: 0, length: 240)])
        let length = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8), 0, 0]
        _ = folder.write("song.rmi", Array("RIFF".utf8) + [0, 1, 0, 0] + Array("RMIDdata".utf8) + length + bytes)
        _ = folder.write("sound.mid", Array("RIFF".utf8) + [0, 1, 0, 0] + Array("WAVEfmt ".utf8))
        #expect(MIDISongFile.isMIDI("\(folder.path)/song.rmi") && !MIDISongFile.isMIDI("\(folder.path)/sound.mid"))
        #expect(keys(try MIDISongFile(path: "\(folder.path)/song.rmi")) == [60])
    }
}
