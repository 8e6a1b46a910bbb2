// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is understood of damaged MIDI files, and which damage is noted. Test thread.

import MIDIFiles
import Testing

@Suite struct DamageTests {
    /// Two notes of 48 ticks.
    private static let notes = "00 90 3C 64 30 3C 00 00 40 64 30 40 00"
    private static let keys = [60, 64]

    private func file(_ events: String, format: Int = 0, tracks: Int = 1, division: Int = 96) -> [UInt8] {
        FileBytes.header(format: format, tracks: tracks, division: division)
            + FileBytes.chunk(FileBytes.hex(events + " 00 FF 2F 00"))
    }

    /// The keys that a file plays; the file is read with this damage, and refused by a strict reader.
    private func keys(_ bytes: [UInt8], _ damage: MIDIFileError, _ count: Int = 1) throws -> [Int] {
        #expect(throws: damage) { try MIDIFile(bytes: bytes, isStrict: true) }
        let song = try MIDIFile(bytes: bytes)
        #expect(song.damage?.first == damage && song.damage?.count == count)
        return song.tracks.flatMap(\.events).filter(\.beginsNote).map(\.note)
    }

    @Test func whatIsWholeHasNoDamage() throws {
        for bytes in [FileBytes.formatZero, FileBytes.formatOne, FileBytes.crowded, file(Self.notes)] {
            #expect(try MIDIFile(bytes: bytes).damage == nil && MIDIFile(bytes: bytes, isStrict: true).damage == nil)
        }
        // Bytes behind the last track are no part of the song.
        #expect(try MIDIFile(bytes: file(Self.notes) + [UInt8](repeating: 0x1A, count: 40), isStrict: true).tracks.count == 1)
    }

    @Test func aValueAbove127CountsAs127AndAKeyAbove127AsNone() throws {
        let song = file("00 B0 07 FF 00 B0 FF 07 " + Self.notes)
        #expect(try keys(song, .invalidData(offset: 25, value: 255), 2) == Self.keys)
        let events = try MIDIFile(bytes: song).tracks[0].events
        #expect(events[0].controllerValue == 127 && events[1].beginsNote)
    }

    @Test func signaturesAndTemposThatMeanNothingCostNoNote() throws {
        for (signature, type) in [
            ("FF 58 04 00 00 18 08", 0x58), ("FF 58 01 04", 0x58), ("FF 58 02 04 08", 0x58), ("FF 51 03 00 00 00", 0x51),
            ("FF 51 01 07", 0x51), ("FF 51 00", 0x51),
        ] {
            let song = file("00 \(signature) " + Self.notes)
            #expect(try keys(song, .invalidMetaEvent(offset: 24, type: type)) == Self.keys)
            #expect(try MIDIFile(bytes: song).tempoChanges == [MIDITempoChange(tick: 0, microsecondsPerQuarter: 500_000)])
        }
        let odd = try MIDIFile(bytes: file("00 FF 59 02 FF FF 00 FF 59 01 09 " + Self.notes), isStrict: true)
        #expect(odd.tracks[0].events.count == 4, "a key signature is not read")
    }

    @Test func temposOfTwoOrFourBytesAreUnderstood() throws {
        for (tempo, microseconds) in [("02 06 1A", 399_872), ("04 06 1A 80 00", 400_000), ("04 00 06 1A 80", 400_000)] {
            let song = file("00 FF 51 \(tempo) " + Self.notes)
            #expect(try keys(song, .invalidMetaEvent(offset: 24, type: 0x51)) == Self.keys)
            #expect(try MIDIFile(bytes: song).tempoChanges.map(\.microsecondsPerQuarter) == [microseconds])
        }
    }

    @Test func bytesForACableAreNoEvents() throws {
        let song = file("00 F8 00 F2 01 02 00 FE " + Self.notes)
        #expect(try keys(song, .invalidStatus(offset: 23, status: 0xF8), 3) == Self.keys)
    }

    @Test func aNumberOfFiveBytesIsANumber() throws {
        #expect(try keys(file("80 80 80 80 00 90 3C 64 30 3C 00"), .invalidNumber(offset: 22)) == [60])
    }

    @Test func aTrackThatIsCutShortPlaysUntilThere() throws {
        let bytes = file(Self.notes)
        #expect(try keys(Array(bytes.dropLast(6)), .truncated(offset: 22, promised: 17, present: 11), 2) == [60, 64])
        #expect(try keys(Array(bytes.dropLast(12)), .truncated(offset: 22, promised: 17, present: 5), 2) == [60])
        // The track itself ends in the middle of an event.
        let early = FileBytes.header(format: 1, tracks: 2) + FileBytes.chunk(FileBytes.hex("00 90 3C 64 30 3C"))
        let whole = FileBytes.chunk(FileBytes.hex(Self.notes))
        #expect(try keys(early + whole, .unexpectedEnd(offset: 28)) == [60, 60, 64])
    }

    @Test func aTrackOfAWrongLengthPlaysToItsEnd() throws {
        let contents = FileBytes.hex(Self.notes + " 00 FF 2F 00")
        let (header, next) = (FileBytes.header(format: 1, tracks: 2), FileBytes.chunk(FileBytes.hex("00 90 48 64 00 FF 2F 00")))
        func track(_ length: [UInt8]) -> [UInt8] { Array("MTrk".utf8) + length + contents }
        let long = header + track([255, 255, 255, 255]) + next
        #expect(
            try keys(long, .truncated(offset: 22, promised: 0xFFFF_FFFF, present: contents.count + next.count)) == [60, 64, 72])
        #expect(try keys(header + track([0, 0, 0, 6]) + next, .shortTrack(offset: 22, promised: 6)) == [60, 64, 72])
        #expect(try MIDIFile(bytes: long).tracks.count == 2)
    }

    @Test func tracksThatTheHeaderDoesNotCountArePlayed() throws {
        let tracks = ["00 90 3C 64", "00 90 40 64"].flatMap { FileBytes.chunk(FileBytes.hex($0 + " 60 FF 2F 00")) }
        for (count, damage) in [
            (1, MIDIFileError.extraTracks(promised: 1, present: 2)), (5, .missingTracks(promised: 5, present: 2)),
        ] {
            #expect(try keys(FileBytes.header(format: 1, tracks: count) + tracks, damage) == [60, 64])
        }
        let stray = FileBytes.header(format: 1, tracks: 2) + tracks.prefix(16) + [0, 0, 0] + tracks.dropFirst(16)
        #expect(try keys(stray, .strayBytes(offset: 30, count: 3)) == [60, 64])
    }

    @Test func aDivisionWithoutAMeaningIsReplaced() throws {
        #expect(try keys(file(Self.notes, division: 0), .invalidDivision(0)) == Self.keys)
        #expect(try MIDIFile(bytes: file(Self.notes, division: 0)).division == .ticksPerQuarter(480))
        let odd = file(Self.notes, division: 0xD890)
        #expect(try keys(odd, .invalidDivision(0xD890)) == Self.keys)
        #expect(try MIDIFile(bytes: odd).division == .timecode(framesPerSecond: 40, ticksPerFrame: 144))
        #expect(try keys(file(Self.notes, format: 7), .unsupportedFormat(7)) == Self.keys)
    }

    @Test func aHeaderOfAWrongLengthIsRead() throws {
        for (length, damage) in [
            (3, MIDIFileError.shortHeader(3)), (0xFF, .truncated(offset: 14, promised: 0xFF, present: 6)),
        ] {
            var song = file(Self.notes)
            song[7] = UInt8(length)
            #expect(try keys(song, damage) == Self.keys)
        }
        let long = Array("MThd".utf8) + FileBytes.hex("00 00 00 0A 00 00 00 01 00 60 00 00 00 00") + file(Self.notes).dropFirst(14)
        #expect(try MIDIFile(bytes: long, isStrict: true).tracks[0].events.count == 4)
    }

    @Test func anEventWithoutAStatusIsPassedOver() throws {
        #expect(try keys(file("00 40 " + Self.notes), .missingStatus(offset: 23)) == Self.keys)
    }

    @Test func damageIsCountedAndItsFirstPlaceIsSaid() throws {
        let one = try #require(try MIDIFile(bytes: file("00 F8 " + Self.notes)).damage)
        #expect("\(one)" == "at byte 23 the status is 248, which a file cannot hold")
        let three = try #require(try MIDIFile(bytes: file("00 F8 00 F8 00 F8 " + Self.notes)).damage)
        #expect("\(three)".hasSuffix("; there are 2 more faults"))
    }

    @Test func aSongInRIFFsWrappingIsUnwrapped() throws {
        let song = file(Self.notes)
        func riff(_ chunks: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("RMID".utf8) + chunks
        }
        func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
            Array(type.utf8) + [UInt8(contents.count), 0, 0, 0] + contents + (contents.count % 2 == 0 ? [] : [0])
        }
        let wrapped = riff(chunk("INFO", [1, 2, 3]) + chunk("data", song))
        #expect(try MIDIFile(bytes: wrapped, isStrict: true) == MIDIFile(bytes: song))
        #expect(MIDIFile.isMIDI(head: Array(wrapped.prefix(12))) && MIDIFile.isMIDI(head: Array(song.prefix(12))))
        #expect(!MIDIFile.isMIDI(head: Array("RIFF\0\0\0\0WAVE".utf8)))
        #expect(throws: MIDIFileError.notMIDI) { try MIDIFile(bytes: riff(chunk("data", [1, 2, 3, 4]))) }
    }
}
