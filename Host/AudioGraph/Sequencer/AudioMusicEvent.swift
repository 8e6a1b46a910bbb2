// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events in a track of a sequencer: notes, controllers, tempos. Any thread.

import AudioUnits
import Rendering

/// A number of beats from the start of a song or of a track; a beat is a quarter note.
public typealias AudioMusicTimeStamp = Double

/// A range of beats.
public struct AudioBeatRange: Hashable, Sendable {
    /// The first beat.
    public var start: AudioMusicTimeStamp
    /// The length in beats.
    public var length: AudioMusicTimeStamp

    /// Makes a range of beats.
    public init(start: AudioMusicTimeStamp, length: AudioMusicTimeStamp) { (self.start, self.length) = (start, length) }

    /// Returns true if a beat lies in the range; the end does not.
    public func contains(_ beat: AudioMusicTimeStamp) -> Bool { beat >= start && beat < start + length }

    /// The range from start to end; nil if it is empty or not finite.
    var range: Range<Double>? {
        guard start.isFinite, length.isFinite, length > 0, (start + length).isFinite else { return nil }
        return start..<(start + length)
    }
}

/// An event at a beat of a track.
///
/// Channels are 0 to 15; keys, velocities, controllers, programs and values 0 to 127. Other numbers are clamped.
public enum AudioMusicEvent: Hashable, Sendable {
    /// A note with a length in beats; key 60 is the middle C. A note without a velocity is silent.
    case note(channel: Int, key: Int, velocity: Int, duration: AudioMusicTimeStamp)
    /// A new value of a controller.
    case controlChange(channel: Int, controller: Int, value: Int)
    /// Another program on the channel.
    case programChange(channel: Int, program: Int)
    /// A move of the pitch wheel, −8192 to 8191; 0 is the middle.
    case pitchBend(channel: Int, value: Int)
    /// A new pressure on the whole keyboard.
    case channelPressure(channel: Int, pressure: Int)
    /// A new pressure on one key.
    case keyPressure(channel: Int, key: Int, pressure: Int)
    /// A system-exclusive message for all devices of the track, from the byte F0 to the byte F7; other bytes are left out.
    case systemExclusive([UInt8])
    /// A new tempo of the song, in quarter notes a minute; has an effect only in the tempo track.
    case tempo(beatsPerMinute: Double)
    /// A new time signature of the song, such as 6 and 8; has an effect only in the tempo track.
    case timeSignature(numerator: Int, denominator: Int)

    /// The duration in beats.
    var duration: Double {
        guard case .note(_, _, _, let duration) = self, duration.isFinite else { return 0 }
        return max(0, min(AudioMusicTrack.mostBeats, duration))
    }

    /// Returns the messages for a unit, from a beat on; `end` cuts a note short.
    func messages(at beat: Double, end: Double) -> [SequencedMessage] {
        switch self {
        case .note(let channel, let key, let velocity, _):
            let (on, off) = (status(9, channel), status(8, channel))
            guard velocity > 0 else { return [] }
            return [
                SequencedMessage(beat: beat, on, data(key), data(velocity)),
                SequencedMessage(beat: min(end, beat + duration), off, data(key), 64),
            ]
        case .controlChange(let channel, let controller, let value):
            return [SequencedMessage(beat: beat, status(0xB, channel), data(controller), data(value))]
        case .programChange(let channel, let program):
            return [SequencedMessage(beat: beat, status(0xC, channel), data(program))]
        case .pitchBend(let channel, let value):
            let bend = max(0, min(16_383, max(-8192, min(8191, value)) + 8192))
            return [SequencedMessage(beat: beat, status(0xE, channel), UInt8(bend & 127), UInt8(bend >> 7))]
        case .channelPressure(let channel, let pressure):
            return [SequencedMessage(beat: beat, status(0xD, channel), data(pressure))]
        case .keyPressure(let channel, let key, let pressure):
            return [SequencedMessage(beat: beat, status(0xA, channel), data(key), data(pressure))]
        case .systemExclusive(let bytes):
            return MIDIMessage.isSystemExclusive(bytes) ? SequencedMessage.packets(of: bytes, beat: beat) : []
        case .tempo, .timeSignature: return []
        }
    }

    private func status(_ kind: UInt8, _ channel: Int) -> UInt8 { kind << 4 | UInt8(max(0, min(15, channel))) }
    private func data(_ value: Int) -> UInt8 { UInt8(max(0, min(127, value))) }
}
