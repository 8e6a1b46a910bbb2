// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An engine with instruments that show what they heard, and MIDI files to play to them. Test thread.

import AudioGraph
import HostingTestSupport
import MIDIFiles
import PluginHosting
import TestSupport
import Testing

/// What an instrument heard, frame by frame.
struct HeardNotes: Equatable {
    /// The frames at which notes began, with velocity and key as one number; and those at which notes ended, with their number.
    var begun: [Int: Float] = [:]
    var ended: [Int: Float] = [:]
    /// How many notes sounded, and what was set.
    let sounding: [Float]
    let state: [Float]

    init(_ channels: [[Float]]) {
        for (frame, value) in channels[0].enumerated() where value != 0 { begun[frame] = value * 1024 }
        for (frame, value) in channels[1].enumerated() where value != 0 { ended[frame] = value }
        (sounding, state) = (channels[2], channels[3])
    }

    /// The frames at which notes began, or ended.
    var beginnings: [Int] { begun.keys.sorted() }
    var ends: [Int] { ended.keys.sorted() }
}

/// An engine that is rendered offline, a sequencer, and instruments.
struct SequencerBench {
    let engine: AudioEngine
    let sequencer: AudioSequencer
    let instruments: [AudioUnitEffect]
    var instrument: AudioUnitEffect { instruments[0] }

    /// Starts an engine with so many instruments, added up at the output.
    init(instruments count: Int = 1, inProcess: Bool = false) async throws {
        engine = try AudioEngine.offline(channelCount: 4)
        var instruments: [AudioUnitEffect] = []
        for _ in 0..<count {
            let options: ComponentInstantiationOptions = inProcess ? .loadInProcess : []
            let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe"), options: options))
            engine.attach(unit)
            try engine.connect(unit, to: engine.mainMixerNode, format: Sounds.format(4))
            instruments.append(unit)
        }
        self.instruments = instruments
        sequencer = AudioSequencer(audioEngine: engine)
        try engine.start()
    }

    /// Renders so many frames.
    func render(_ frameCount: Int, block: Int = 512) throws -> HeardNotes {
        HeardNotes(try engine.render(frameCount, block: block))
    }
}

/// Songs for the tests, at 480 ticks a quarter note.
enum Songs {
    /// A note in ticks.
    struct Note {
        var tick: Int
        var length: Int
        var key = 60
        var velocity = 100
        var channel = 0
    }

    static func track(_ notes: [Note], _ others: [MIDIFileEvent] = [], endTick: Int = 0) -> MIDITrack {
        let events = notes.flatMap { note in
            [
                MIDIFileEvent(tick: note.tick, .noteOn, channel: note.channel, note.key, note.velocity),
                MIDIFileEvent(tick: note.tick + note.length, .noteOff, channel: note.channel, note.key, 64),
            ]
        }
        return MIDITrack(events: others + events, endTick: endTick)
    }

    /// A file with one track of these notes.
    static func file(
        _ notes: [Note], _ others: [MIDIFileEvent] = [], tempos: [MIDITempoChange] = [], endTick: Int = 0
    ) -> [UInt8] {
        MIDIFile(tracks: [track(notes, others, endTick: endTick)], tempoChanges: tempos).encoded()
    }

    /// Three tempos that no frame is a multiple of.
    static let tempos = [
        MIDITempoChange(tick: 0, microsecondsPerQuarter: 437_219), MIDITempoChange(tick: 1001, microsecondsPerQuarter: 611_117),
        MIDITempoChange(tick: 1333, microsecondsPerQuarter: 233_333),
    ]

    /// The first frame at which a tick has been reached, reckoned in whole numbers: 480 ticks, 48000 frames a second.
    static func frame(ofTick tick: Int, _ tempos: [MIDITempoChange] = []) -> Int {
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
