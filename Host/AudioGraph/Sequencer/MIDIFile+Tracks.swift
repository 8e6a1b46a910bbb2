// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts the tracks of a MIDI file to tracks of a sequencer, and back. Any thread.

import MIDIFiles
import Rendering

extension TempoMap {
    /// Makes a map of a MIDI file's tempos and time signatures; for ticks that follow a time code, 120 quarter notes a minute.
    package init(_ file: MIDIFile) { self.init(of: file.tempoEvents) }
}

extension MIDIFile {
    /// The tempos and time signatures as events.
    var tempoEvents: [AudioMusicTrack.Placed] {
        let tempos = tempoChanges.map { change in
            AudioMusicTrack.Placed(
                beat: division.beat(atTick: change.tick),
                event: .tempo(beatsPerMinute: 60e6 / Double(change.microsecondsPerQuarter)))
        }
        let signatures = timeSignatures.map { signature in
            AudioMusicTrack.Placed(
                beat: division.beat(atTick: signature.tick),
                event: .timeSignature(numerator: signature.numerator, denominator: signature.denominator))
        }
        return (tempos + signatures).enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }
            .map(\.element)
    }

    /// The first track, split into one for each channel that it uses.
    var channelTracks: [MIDITrack] {
        guard let track = tracks.first else { return [] }
        let channels = Dictionary(grouping: track.events, by: \.channel).sorted { $0.key < $1.key }
        return channels.map { channel, events in
            MIDITrack(name: "\(track.name.isEmpty ? "" : "\(track.name) ")\(channel + 1)", events: events, endTick: track.endTick)
        }
    }

    /// Makes a file of these tracks.
    init(_ tracks: [AudioMusicTrack], _ tempoTrack: AudioMusicTrack, division: MIDIDivision) {
        var (tempos, signatures) = ([MIDITempoChange](), [MIDITimeSignature]())
        for placed in tempoTrack.content.withLock({ $0.events }) {
            let tick = division.tick(atBeat: placed.beat)
            switch placed.event {
            case .tempo(let tempo) where tempo > 0:
                let length = max(1, min(Double(0xFF_FFFF), (60e6 / tempo).rounded()))
                tempos.append(MIDITempoChange(tick: tick, microsecondsPerQuarter: Int(length)))
            case .timeSignature(let numerator, let denominator) where denominator > 0 && denominator.nonzeroBitCount == 1:
                signatures.append(
                    MIDITimeSignature(tick: tick, numerator: max(1, min(255, numerator)), denominator: min(128, denominator)))
            default: break
            }
        }
        self.init(
            division: division, tracks: tracks.map { MIDITrack($0, division) }, tempoChanges: tempos, timeSignatures: signatures)
    }
}

extension MIDITrack {
    fileprivate init(_ track: AudioMusicTrack, _ division: MIDIDivision) {
        let (name, events, length) = track.content.withLock { ($0.name, $0.events, $0.lengthInBeats) }
        let list = MessageList(events.flatMap { $0.event.messages(at: $0.beat, end: .infinity) })
        self.init(name: name, events: Self.events(list.all, division), endTick: division.tick(atBeat: length))
    }

    /// The messages as events of a file; packets of system-exclusive messages are joined.
    private static func events(_ messages: [SequencedMessage], _ division: MIDIDivision) -> [MIDIFileEvent] {
        var (events, packets) = ([MIDIFileEvent](), [(UInt8, UInt8, UInt8)]())
        for message in messages {
            let tick = division.tick(atBeat: message.beat)
            if message.isPacket {
                packets.append((message.status, message.data1, message.data2))
                guard let bytes = SystemExclusivePacket.messages(of: packets).first else { continue }
                events.append(MIDIFileEvent(tick: tick, systemExclusive: bytes))
                packets = []
            } else if let kind = MIDIFileEvent.Kind(rawValue: message.status >> 4) {
                events.append(
                    MIDIFileEvent(tick: tick, kind, channel: Int(message.status & 15), Int(message.data1), Int(message.data2)))
            }
        }
        return events
    }
}

extension AudioMusicTrack {
    /// Makes a track from a file's track; a note without an end lasts until the track ends.
    convenience init(_ track: MIDITrack, of file: MIDIFile) {
        var events: [Placed] = []
        events.reserveCapacity(track.events.count)
        // For each channel and key, the indices of its notes in order, and the number of notes that have ended.
        var notes: [Int: (places: [Int], endedCount: Int)] = [:]
        let end = file.division.beat(atTick: track.endTick)
        for event in track.events {
            let (beat, key) = (file.division.beat(atTick: event.tick), event.channel << 7 | event.note)
            if event.beginsNote {
                notes[key, default: ([], 0)].places.append(events.count)
                events.append(
                    Placed(
                        beat: beat,
                        event: .note(channel: event.channel, key: event.note, velocity: event.velocity, duration: end - beat)))
            } else if event.endsNote {
                guard let index = Self.endFirst(&notes[key]) else { continue }
                guard case .note(let channel, let key, let velocity, _) = events[index].event else { continue }
                let duration = beat - events[index].beat
                events[index].event = .note(channel: channel, key: key, velocity: velocity, duration: duration)
            } else {
                events.append(Placed(beat: beat, event: AudioMusicEvent(event)))
            }
        }
        var resolution = 480
        if case .ticksPerQuarter(let ticks) = file.division { resolution = ticks }
        self.init(name: track.name, events: events, fileLength: end, timeResolution: resolution)
    }

    /// Ends the first note that has not ended, and returns its index; nil if there is none.
    private static func endFirst(_ notes: inout (places: [Int], endedCount: Int)?) -> Int? {
        guard let (places, count) = notes, places.indices.contains(count) else { return nil }
        notes?.endedCount += 1
        return places[count]
    }
}

extension AudioMusicEvent {
    /// Makes an event of a message that is no note.
    fileprivate init(_ event: MIDIFileEvent) {
        self =
            switch event.kind {
            case .controlChange:
                .controlChange(channel: event.channel, controller: event.controller, value: event.controllerValue)
            case .programChange: .programChange(channel: event.channel, program: event.program)
            case .pitchBend: .pitchBend(channel: event.channel, value: event.bend)
            case .channelPressure: .channelPressure(channel: event.channel, pressure: event.pressure)
            case .keyPressure, .noteOn, .noteOff:
                .keyPressure(channel: event.channel, key: event.note, pressure: event.pressure)
            case .systemExclusive: .systemExclusive(event.bytes)
            }
    }
}
