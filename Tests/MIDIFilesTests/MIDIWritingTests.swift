// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is written is read again. Test thread.

import MIDIFiles
import Testing

@Suite struct MIDIWritingTests {
    private let song = MIDIFile(
        division: .ticksPerQuarter(960),
        tracks: [
            MIDITrack(
                name: "Lead ♪",
                events: [
                    MIDIFileEvent(tick: 960, .noteOff, channel: 0, 60, 64),
                    MIDIFileEvent(tick: 0, .noteOn, channel: 0, 60, 100),
                    MIDIFileEvent(tick: 0, .programChange, channel: 15, 127, 99),
                    MIDIFileEvent(tick: 1_000_000_000, .pitchBend, channel: 1, 0, 64),
                ], endTick: 4_000_000_000),
            MIDITrack(events: [MIDIFileEvent(tick: 5, .controlChange, channel: 9, 7, 300)]),
        ],
        tempoChanges: [MIDITempoChange(tick: 127, microsecondsPerQuarter: 16_777_215)],
        timeSignatures: [MIDITimeSignature(tick: 128, numerator: 7, denominator: 8)],
        markers: [MIDIMarker(tick: 16_384, text: "Verse")])

    @Test func aSongIsReadAsItWasWritten() throws {
        let read = try MIDIFile(bytes: song.encoded())
        #expect(read == song)
        #expect(read.tracks[0].events.map(\.tick) == [0, 0, 960, 1_000_000_000])
        #expect(read.tracks[1].events[0].controllerValue == 300 & 127)
        #expect(read.tempoChanges.count == 2 && read.timeSignatures.count == 1 && read.markers.count == 1)
    }

    @Test(arguments: [24, 25, 29, 30]) func aTimeCodeIsReadAsItWasWritten(frames: Int) throws {
        let song = MIDIFile(division: .timecode(framesPerSecond: frames, ticksPerFrame: 80), tracks: [MIDITrack(endTick: 300)])
        #expect(try MIDIFile(bytes: song.encoded()) == song)
    }

    @Test func filesOfOthersAreTheSameSongWhenWrittenAgain() throws {
        for bytes in [FileBytes.formatZero, FileBytes.formatOne, FileBytes.crowded] {
            let song = try MIDIFile(bytes: bytes)
            #expect(try MIDIFile(bytes: song.encoded()) == song)
        }
    }

    @Test func theFirstTrackLastsAsLongAsWhatItCarries() throws {
        let song = MIDIFile(tracks: [MIDITrack(), MIDITrack(endTick: 90)], markers: [MIDIMarker(tick: 9, text: "End")])
        #expect(try MIDIFile(bytes: song.encoded()).tracks.map(\.endTick) == [9, 90])
    }

    @Test func aSongWithoutTracksHasAnEmptyOne() throws {
        let read = try MIDIFile(bytes: MIDIFile().encoded())
        #expect(read.tracks == [MIDITrack()] && read.lengthInBeats == 0)
    }
}
