// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files of format 2, whose tracks are songs of their own. Test thread.

import MIDIFiles
import Testing

@Suite struct SongSequenceTests {
    private static let songs =
        FileBytes.header(format: 2, tracks: 2)
        + FileBytes.chunk(
            FileBytes.hex("00 FF 51 03 0F 42 40 00 FF 58 04 03 02 18 08 00 C1 05 00 91 3C 64 60 91 3C 00 00 FF 2F 00"))
        + FileBytes.chunk(FileBytes.hex("30 92 40 64 30 92 40 00 00 FF 2F 00"))

    @Test func songsOfFormat2FollowEachOther() throws {
        let file = try MIDIFile(bytes: Self.songs, isStrict: true)
        #expect(file.tracks.map(\.endTick) == [96, 192])
        let notes = file.tracks.flatMap(\.events).filter(\.beginsNote)
        #expect(notes.map(\.tick) == [0, 144] && notes.map(\.channel) == [1, 2])
    }

    @Test func eachSongBeginsAsIfItWereTheFirst() throws {
        let file = try MIDIFile(bytes: Self.songs)
        #expect(file.tempoChanges.map(\.tick) == [0, 96])
        #expect(file.tempoChanges.map(\.microsecondsPerQuarter) == [1_000_000, 500_000])
        #expect(file.timeSignatures.map(\.numerator) == [3, 4])
        let resets = file.tracks[1].events.filter { $0.tick == 96 }
        #expect(resets.allSatisfy { $0.channel == 1 }, "only what was used is reset")
        #expect(resets.contains { $0.kind == .programChange && $0.program == 0 })
        #expect(resets.contains { $0.kind == .controlChange && $0.controller == 7 && $0.controllerValue == 100 })
        #expect(try MIDIFile(bytes: file.encoded()) == file)
    }

    @Test func songsThatLastTooLongTogetherAreDamage() throws {
        let long = (0..<16).flatMap { _ in FileBytes.hex("FF FF FF 7F FF 01 00") } + FileBytes.hex("00 FF 2F 00")
        let bytes = FileBytes.header(format: 2, tracks: 3) + (0..<3).flatMap { _ in FileBytes.chunk(long) }
        let file = try MIDIFile(bytes: bytes)
        #expect(file.tracks.count == 1)
        #expect(file.damage?.count == 2)
        #expect(throws: MIDIFileError.self) { try MIDIFile(bytes: bytes, isStrict: true) }
    }
}
