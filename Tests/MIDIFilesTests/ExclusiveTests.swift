// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// System-exclusive messages of files, in one packet or several, and escapes. Test thread.

import MIDIFiles
import Testing

@Suite struct ExclusiveTests {
    private func song(_ events: String) throws -> MIDIFile {
        try MIDIFile(bytes: FileBytes.header(format: 0, tracks: 1) + FileBytes.chunk(FileBytes.hex(events + " 00 FF 2F 00")))
    }

    @Test func aMessageIsReadWhole() throws {
        let song = try song("10 F0 05 7E 7F 09 01 F7 00 90 3C 64")
        #expect(song.damage == nil)
        #expect(song.tracks[0].events.map(\.bytes) == [[0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0x90, 60, 100]])
        #expect(song.tracks[0].events.map(\.tick) == [16, 16])
        #expect(song.tracks[0].events[0].kind == .systemExclusive && !song.tracks[0].events[0].beginsNote)
    }

    @Test func packetsAreJoinedWhereTheLastOneComes() throws {
        let song = try song("00 F0 03 43 12 00 0A F7 02 10 20 0A F7 02 30 F7")
        #expect(song.damage == nil)
        #expect(song.tracks[0].events.map(\.bytes) == [[0xF0, 0x43, 0x12, 0, 0x10, 0x20, 0x30, 0xF7]])
        #expect(song.tracks[0].events[0].tick == 20)
    }

    @Test func aMessageWithoutAnEndGetsOne() throws {
        let song = try song("00 F0 04 7E 7F 09 01 60 90 3C 64")
        #expect(song.tracks[0].events.map(\.bytes) == [[0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0x90, 60, 100]])
        #expect(song.tracks[0].events.map(\.tick) == [0, 96])
        #expect(song.damage?.first == .invalidExclusive(offset: 24))
    }

    @Test func aMessageWithAStatusInItIsLeftOut() throws {
        let song = try song("00 F0 04 7E 90 09 F7 00 90 3C 64")
        #expect(song.tracks[0].events.map(\.bytes) == [[0x90, 60, 100]])
        #expect(song.damage?.first == .invalidExclusive(offset: 24))
        // Real-time bytes may come in between.
        #expect(try self.song("00 F0 03 7E F8 F7").tracks[0].events.map(\.bytes) == [[0xF0, 0x7E, 0xF7]])
    }

    @Test func notesInEscapesArePlayed() throws {
        let song = try song("00 F7 03 90 45 64 83 74 F7 03 80 45 40")
        #expect(song.damage == nil)
        #expect(song.tracks[0].events.map(\.bytes) == [[0x90, 69, 100], [0x80, 69, 64]])
        #expect(song.tracks[0].events.map(\.tick) == [0, 500])
    }

    @Test func anEscapeHoldsSeveralMessagesOrNoneOfAChannel() throws {
        let song = try song("00 F7 07 C0 05 90 45 64 46 64 00 F7 01 F8 00 F7 03 F2 01 02 00 F7 04 F0 7E 01 F7")
        #expect(song.damage == nil)
        #expect(song.tracks[0].events.map(\.bytes) == [[0xC0, 5], [0x90, 69, 100], [0x90, 70, 100], [0xF0, 0x7E, 1, 0xF7]])
        let broken = try self.song("00 F7 02 90 45 00 F7 02 01 02")
        #expect(broken.tracks[0].events.isEmpty && broken.damage?.count == 2)
    }

    @Test func messagesAreReadAsTheyWereWritten() throws {
        let long = [0xF0] + [UInt8](repeating: 5, count: 65_534) + [0xF7]
        let song = MIDIFile(tracks: [
            MIDITrack(events: [
                MIDIFileEvent(tick: 5, systemExclusive: long), MIDIFileEvent(tick: 5, .noteOn, channel: 3, 60, 1),
                MIDIFileEvent(tick: 9, systemExclusive: [0xF0, 0x7E, 0xF7], port: 1),
            ])
        ])
        #expect(try MIDIFile(bytes: song.encoded(), isStrict: true) == song)
        let tooLong = MIDIFile(tracks: [MIDITrack(events: [MIDIFileEvent(tick: 5, systemExclusive: [0xF0, 1] + long.dropFirst())])])
        let read = try MIDIFile(bytes: tooLong.encoded())
        #expect(read.damage?.count == 1 && read.tracks[0].events.isEmpty)
    }
}
