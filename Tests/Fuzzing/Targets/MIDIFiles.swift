// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Standard MIDI Files. The fuzzer's thread.

import MIDIFiles

extension FuzzTarget {
    static let midiFile = FuzzTarget("midi-file", seeds: [song.encoded(), timed.encoded()]) { bytes in
        guard let song = try? MIDIFile(bytes: bytes) else { return }
        // A later song of format 2 resets each channel that the songs before it have used.
        precondition(song.tracks.reduce(0) { $0 + $1.events.count } < 8 * bytes.count)
        precondition(song.lengthInBeats.isFinite && song.lengthInBeats >= 0)
        guard !song.tracks.isEmpty else { return }
        // Text that was no UTF-8 becomes longer, and stays within a file's lengths: the fuzzer's inputs are short.
        let again = try? MIDIFile(bytes: song.encoded())
        precondition(again?.tempoChanges == song.tempoChanges && again?.markers == song.markers)
        precondition(again?.tracks.map(\.events) == song.tracks.map(\.events) && again?.encoded() == song.encoded())
    }

    private static var song: MIDIFile {
        MIDIFile(
            tracks: [
                MIDITrack(
                    name: "Lead",
                    events: [
                        MIDIFileEvent(tick: 0, .noteOn, channel: 0, 60, 100), MIDIFileEvent(tick: 480, .noteOff, channel: 0, 60),
                        MIDIFileEvent(tick: 480, .programChange, channel: 1, 5, port: 1),
                        MIDIFileEvent(tick: 480, systemExclusive: [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]),
                    ], endTick: 960)
            ], tempoChanges: [MIDITempoChange(tick: 240, microsecondsPerQuarter: 400_000)],
            timeSignatures: [MIDITimeSignature(tick: 0, numerator: 3, denominator: 4)],
            markers: [MIDIMarker(tick: 480, text: "Verse")])
    }

    private static var timed: MIDIFile {
        MIDIFile(
            division: .timecode(framesPerSecond: 25, ticksPerFrame: 40),
            tracks: [MIDITrack(), MIDITrack(events: [MIDIFileEvent(tick: 9, .pitchBend, channel: 3, 0, 64)])])
    }
}
