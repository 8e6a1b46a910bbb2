// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is read of MIDI files: formats, messages, names, and all that is skipped. Test thread.

import MIDIFiles
import Testing

@Suite struct MIDIReadingTests {
    @Test func readsFormatZero() throws {
        let file = try MIDIFile(bytes: FileBytes.formatZero)
        #expect(file.division == .ticksPerQuarter(96) && file.tracks.count == 1)
        #expect(file.timeSignatures == [MIDITimeSignature(tick: 0, numerator: 4, denominator: 4)])
        #expect(file.tempoChanges == [MIDITempoChange(tick: 0, microsecondsPerQuarter: 500_000)])
        let events = file.tracks[0].events
        #expect(events.map(\.tick) == [0, 0, 0, 0, 0, 96, 192, 384, 384, 384, 384])
        #expect(events.prefix(3).map(\.program) == [5, 46, 70] && events.prefix(3).map(\.channel) == [0, 1, 2])
        #expect(events.filter(\.beginsNote).map(\.note) == [48, 60, 67, 76])
        #expect(events.filter(\.endsNote).map(\.note) == [48, 60, 67, 76])
        #expect(file.lengthInBeats == 4)
    }

    @Test func readsFormatOne() throws {
        let file = try MIDIFile(bytes: FileBytes.formatOne)
        #expect(file.tracks.count == 4 && file.tracks[0].endTick == 384)
        #expect(file.tracks.map(\.events.count) == [0, 3, 3, 5])
        // Notes that end with a velocity of 0, under a running status.
        #expect(file.tracks[1].events.map(\.bytes) == [[0xC0, 5], [0x90, 76, 32], [0x90, 76, 0]])
        #expect(file.tracks[1].events.map(\.tick) == [0, 192, 384] && file.tracks[1].events[2].endsNote)
        #expect(file.tracks[2].events.map(\.tick) == [0, 96, 384] && file.tracks[3].endTick == 384)
        #expect(file.lengthInBeats == 4)
    }

    @Test func skipsWhatIsNotForIt() throws {
        let file = try MIDIFile(bytes: FileBytes.crowded)
        let track = try #require(file.tracks.first)
        #expect(file.tracks.count == 1 && track.name == "Bass", "the first name counts")
        let events = track.events.filter { $0.kind != .systemExclusive }
        #expect(events.map(\.tick) == [20, 30, 30, 30, 30, 30] && track.endTick == 1030)
        #expect(events.allSatisfy { $0.channel == 3 })
        #expect(events[0].controller == 7 && events[0].controllerValue == 100)
        #expect(events[1].controller == 10, "the running status lives on after a meta event")
        #expect(events[2].bend == 0 && events[3].bend == 8191)
        #expect(events[4].pressure == 33 && events[4].bytes == [0xD3, 33])
        #expect(events[5].kind == .keyPressure && events[5].pressure == 34)
        #expect(file.markers == [MIDIMarker(tick: 20, text: "Zü")], "text that is no UTF-8 is Latin-1")
    }

    @Test func ticksCanFollowATimeCode() throws {
        for (word, frames, ticks, perSecond) in [
            (0xE850, 24, 80, 1920), (0xE728, 25, 40, 1000), (0xE264, 30, 100, 3000),
        ] {
            let bytes =
                FileBytes.header(format: 0, tracks: 1, division: word)
                + FileBytes.chunk([0x00, 0xFF, 0x51, 0x03, 0x01, 0x00, 0x00, 0x87, 0x68, 0x90, 60, 1] + [0, 0xFF, 0x2F, 0])
            let file = try MIDIFile(bytes: bytes)
            #expect(file.division == .timecode(framesPerSecond: frames, ticksPerFrame: ticks))
            #expect(file.lengthInBeats == 2000 / Double(perSecond))
        }
        let dropFrame = MIDIDivision.timecode(framesPerSecond: 29, ticksPerFrame: 4)
        #expect(dropFrame.beat(atTick: 120_000) == 2002 && dropFrame.tick(atBeat: 2002) == 120_000)
    }

    @Test func theLastOfSeveralTemposAtATickCounts() {
        let song = MIDIFile(
            division: .ticksPerQuarter(1),
            tempoChanges: [
                MIDITempoChange(tick: 0, microsecondsPerQuarter: 1), MIDITempoChange(tick: 0, microsecondsPerQuarter: 2_000_000),
                MIDITempoChange(tick: 3, microsecondsPerQuarter: 0), MIDITempoChange(tick: -1, microsecondsPerQuarter: 7),
            ])
        #expect(song.tempoChanges == [MIDITempoChange(tick: 0, microsecondsPerQuarter: 2_000_000)])
    }

    @Test func aStrictReaderRefusesAllDamage() throws {
        func error(_ bytes: [UInt8]) -> MIDIFileError? {
            do throws(MIDIFileError) {
                _ = try MIDIFile(bytes: bytes, isStrict: true)
                return nil
            } catch {
                return error
            }
        }
        func track(_ contents: [UInt8]) -> MIDIFileError? {
            error(FileBytes.header(format: 0, tracks: 1) + FileBytes.chunk(contents))
        }
        #expect(error([]) == .notMIDI && error(Array("RIFFxxxx".utf8)) == .notMIDI)
        #expect(error(FileBytes.header(format: 3, tracks: 0)) == .unsupportedFormat(3))
        #expect(error(FileBytes.header(format: 1, tracks: 0, division: 0)) == .invalidDivision(0))
        #expect(error(FileBytes.header(format: 1, tracks: 0, division: 0xE600)) == .invalidDivision(0xE600))
        #expect(error(FileBytes.header(format: 1, tracks: 3)) == .missingTracks(promised: 3, present: 0))
        #expect(
            error(FileBytes.header(format: 0, tracks: 1) + Array("MTrk".utf8) + [255, 255, 255, 255, 0])
                == .truncated(offset: 22, promised: 4_294_967_295, present: 1))
        #expect(track([0x00, 0x40, 0x40]) == .missingStatus(offset: 23))
        #expect(track([0x00, 0xF4]) == .invalidStatus(offset: 23, status: 0xF4))
        #expect(track([0x00, 0x90, 0x40, 0x80]) == .invalidData(offset: 25, value: 128))
        #expect(track([0x00, 0x90, 0x40]) == .unexpectedEnd(offset: 25))
        #expect(track([0xFF, 0xFF, 0xFF, 0xFF, 0x00]) == .invalidNumber(offset: 22))
        #expect(track([0x00, 0xFF, 0x51, 0x03, 0, 0, 0]) == .invalidMetaEvent(offset: 24, type: 0x51))
        #expect(track([0x00, 0xF0, 0x81, 0x00]) == .truncated(offset: 26, promised: 128, present: 0))
        let waits = (0..<17).flatMap { _ in [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x01, 0x00] as [UInt8] }
        #expect(track(waits) == .tooLong(offset: 134))
        for error in [.notMIDI, track([0x00, 0xF4]), track([0x00, 0x90, 0x40])] { #expect("\(try #require(error))".count > 20) }
    }

    /// Every byte cut off and every byte changed in every bit: an error or a song, and neither a trap nor a long wait.
    @Test func damagedFilesAreErrorsOrSongs() throws {
        for file in [FileBytes.formatZero, FileBytes.formatOne, FileBytes.crowded] {
            for count in 0..<file.count {
                let bytes = Array(file[..<count])
                #expect(throws: MIDIFileError.self) { try MIDIFile(bytes: bytes, isStrict: true) }
                if let song = try? MIDIFile(bytes: bytes) { #expect(song.damage != nil, "cut after \(count) bytes") }
            }
            for index in file.indices {
                for mask in (0..<8).map({ 1 << $0 as UInt8 }) + [0xFF, 0x7F] {
                    var damaged = file
                    damaged[index] ^= mask
                    guard var song = try? MIDIFile(bytes: damaged) else { continue }
                    song.damage = nil
                    #expect(song.tracks.reduce(0) { $0 + $1.events.count } < damaged.count)
                    #expect(song.lengthInBeats.isFinite && song.lengthInBeats >= 0)
                    var again = try? MIDIFile(bytes: song.encoded())
                    again?.damage = nil
                    #expect(song.tracks.isEmpty || again == song)
                }
            }
        }
    }
}
