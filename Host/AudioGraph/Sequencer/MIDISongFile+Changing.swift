// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes the tempo and the keys of a song, and finds the places where nothing comes. Any thread.

import MIDIFiles
import Rendering

extension MIDISongFile {
    /// The channel of drums, whose keys are instruments.
    private static let drumChannel = 9

    /// The tempos and time signatures as events, at the song's rate.
    var tempoEvents: [AudioMusicTrack.Placed] {
        guard rate != 1 else { return file.tempoEvents }
        return file.tempoEvents.map { placed in
            guard case .tempo(let tempo) = placed.event else { return placed }
            return AudioMusicTrack.Placed(beat: placed.beat, event: .tempo(beatsPerMinute: tempo * rate))
        }
    }

    /// Makes the song begin at a tempo in quarter notes a minute; later tempos keep their proportion to it.
    ///
    /// If ticks follow a time code, the song counts as one at 120.
    package mutating func begin(atTempo beatsPerMinute: Double) {
        guard let first = file.tempoChanges.first, beatsPerMinute.isFinite, beatsPerMinute > 0 else { return }
        rate = beatsPerMinute * Double(first.microsecondsPerQuarter) / 60e6
    }

    /// Raises the keys of all channels by semitones, except those of the drum channel; counts the notes that fall off the keyboard.
    package mutating func transpose(by semitones: Int) {
        guard semitones != 0 else { return }
        for track in file.tracks.indices {
            file.tracks[track].events = file.tracks[track].events.compactMap { event in
                let hasKey = event.beginsNote || event.endsNote || event.kind == .keyPressure
                guard hasKey, event.channel != Self.drumChannel else { return event }
                let key = event.note + semitones
                if !(0...127).contains(key), event.beginsNote { lostNoteCount += 1 }
                guard (0...127).contains(key) else { return nil }
                return MIDIFileEvent(
                    tick: event.tick, event.kind, channel: event.channel, key, Int(event.data2), port: event.port)
            }
        }
    }

    /// The longest time in seconds without any message, the wait for the first one and for the end included.
    package var longestRest: Double {
        let ticks = Set(file.tracks.flatMap { $0.events.map(\.tick) + [$0.endTick] } + [0]).sorted()
        let map = tempoMap
        let times = ticks.map { map.seconds(atBeat: file.division.beat(atTick: $0)) }
        return zip(times, times.dropFirst()).reduce(0) { max($0, $1.1 - $1.0) }
    }
}
