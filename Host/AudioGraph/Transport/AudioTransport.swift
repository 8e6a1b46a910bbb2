// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The song that an engine plays: tempos, place, loop, start and stop. Any thread.

import Rendering

/// The song that an engine plays, as every unit hears of it.
///
/// Until a program uses it, units hear what the driver says: a song that plays at 120 quarter notes a minute. From then on it stands still until `play`.
/// Players and buffers do not depend on it. What is asked for is heard from the next cycle on; tempo changes and the end of a loop fall on their frame.
public final class AudioTransport: Sendable {
    let line = TransportLine()
    /// What comes in by MIDI, and is played along the same time line.
    let midiInput: AudioMIDIInput

    init() { midiInput = AudioMIDIInput(line.midi) }

    /// Lets the song go on.
    public func play() { line.change { $0.isPlaying = true } }

    /// Stops the song where it is.
    public func stop() { line.change { $0.isPlaying = false } }

    /// Whether the song goes on.
    public var isPlaying: Bool { line.present.isPlaying }

    /// The place in beats, which are quarter notes, at the last cycle's first frame; setting it moves the song there.
    public var beatPosition: Double {
        get { line.beat }
        set { if newValue.isFinite { line.change(beat: newValue) } }
    }

    /// The place in seconds from beat 0.
    public var seconds: Double {
        get { tempoMap.seconds(atBeat: beatPosition) }
        set { beatPosition = tempoMap.beat(atSeconds: newValue) }
    }

    /// The tempo at the present place in quarter notes a minute; setting it makes it the tempo of the whole song.
    public var tempo: Double {
        get { tempoMap.beatsPerMinute(atBeat: beatPosition) }
        set { tempoMap = TempoMap(beatsPerMinute: newValue) }
    }

    /// The tempos and time signatures of the song.
    ///
    /// The song goes on at the beat where it is.
    public var tempoMap: TempoMap {
        get { line.present.map }
        set { line.change { $0.map = newValue } }
    }

    /// The beats that are repeated; nil for none.
    ///
    /// The song repeats them once it has come to the end of the range. A range of less than a hundredth of a beat is none.
    public var loopRange: Range<Double>? {
        get { line.present.loop }
        set {
            let isLoop =
                newValue.map { $0.lowerBound.isFinite && $0.upperBound.isFinite && $0.upperBound - $0.lowerBound >= 0.01 } ?? false
            line.change { $0.loop = isLoop ? newValue : nil }
        }
    }
}
