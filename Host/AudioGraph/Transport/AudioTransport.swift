// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The song that an engine plays: tempos, position, loop, start and stop. Any thread.

import Rendering

/// The song of an engine, which every unit hears.
///
/// Until a program uses it, units follow the driver: a song that plays at 120 quarter notes a minute. From then on it stands still until
/// `play`. Players and buffers do not depend on it. Changes are heard from the next cycle on; tempo changes and the end of a loop fall on
/// their frame.
public final class AudioTransport: Sendable {
    let line = TransportLine()
    /// The incoming MIDI, which is played along the same time line.
    let midiInput: AudioMIDIInput

    init() { midiInput = AudioMIDIInput(line.midi) }

    /// Lets the song go on.
    public func play() { line.change { $0.isPlaying = true } }

    /// Stops the song at its position.
    public func stop() { line.change { $0.isPlaying = false } }

    /// True if the song plays.
    public var isPlaying: Bool { line.present.isPlaying }

    /// The position in beats, which are quarter notes, at the last cycle's first frame; a new value moves the song.
    public var beatPosition: Double {
        get { line.beat }
        set { if newValue.isFinite { line.change(beat: newValue) } }
    }

    /// The position in seconds from beat 0.
    public var seconds: Double {
        get { tempoMap.seconds(atBeat: beatPosition) }
        set { beatPosition = tempoMap.beat(atSeconds: newValue) }
    }

    /// The tempo at the present position in quarter notes a minute; a new value becomes the tempo of the whole song.
    public var tempo: Double {
        get { tempoMap.beatsPerMinute(atBeat: beatPosition) }
        set { tempoMap = TempoMap(beatsPerMinute: newValue) }
    }

    /// The tempos and time signatures of the song.
    ///
    /// After a change the song goes on at its present beat.
    public var tempoMap: TempoMap {
        get { line.present.map }
        set { line.change { $0.map = newValue } }
    }

    /// The beats that repeat; nil for none.
    ///
    /// The song repeats them once it has come to the end of the range. A range of less than a hundredth of a beat is ignored.
    public var loopRange: Range<Double>? {
        get { line.present.loop }
        set {
            let isLoop =
                newValue.map { $0.lowerBound.isFinite && $0.upperBound.isFinite && $0.upperBound - $0.lowerBound >= 0.01 } ?? false
            line.change { $0.loop = isLoop ? newValue : nil }
        }
    }
}
