// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI files for the tests, and when their ticks are heard. Test thread.

import MIDIFiles

/// Songs for the tests, at 480 ticks a quarter note.
package enum Songs {
    /// A note in ticks.
    package struct Note {
        package var tick: Int
        package var length: Int
        package var key: Int
        package var velocity: Int
        package var channel: Int

        package init(tick: Int, length: Int, key: Int = 60, velocity: Int = 100, channel: Int = 0) {
            (self.tick, self.length, self.key, self.velocity, self.channel) = (tick, length, key, velocity, channel)
        }
    }

    package static func track(_ notes: [Note], _ others: [MIDIFileEvent] = [], endTick: Int = 0) -> MIDITrack {
        let events = notes.flatMap { note in
            [
                MIDIFileEvent(tick: note.tick, .noteOn, channel: note.channel, note.key, note.velocity),
                MIDIFileEvent(tick: note.tick + note.length, .noteOff, channel: note.channel, note.key, 64),
            ]
        }
        return MIDITrack(events: others + events, endTick: endTick)
    }

    /// A file with one track of these notes.
    package static func file(
        _ notes: [Note], _ others: [MIDIFileEvent] = [], tempos: [MIDITempoChange] = [], endTick: Int = 0
    ) -> [UInt8] {
        MIDIFile(tracks: [track(notes, others, endTick: endTick)], tempoChanges: tempos).encoded()
    }

    /// Three tempos that no frame is a multiple of.
    package static let tempos = [
        MIDITempoChange(tick: 0, microsecondsPerQuarter: 437_219), MIDITempoChange(tick: 1001, microsecondsPerQuarter: 611_117),
        MIDITempoChange(tick: 1333, microsecondsPerQuarter: 233_333),
    ]

    /// The first frame at which a tick has been reached, reckoned in whole numbers: 480 ticks, 48000 frames a second.
    package static func frame(ofTick tick: Int, _ tempos: [MIDITempoChange] = []) -> Int {
        var (elapsed, last, tempo) = (0, 0, 500_000)
        for change in tempos where change.tick <= tick {
            elapsed += (change.tick - last) * tempo
            (last, tempo) = (change.tick, change.microsecondsPerQuarter)
        }
        elapsed += (tick - last) * tempo
        // Ticks times microseconds, of which 480 million are a second.
        return (elapsed * 48_000 + 479_999_999) / 480_000_000
    }
}
