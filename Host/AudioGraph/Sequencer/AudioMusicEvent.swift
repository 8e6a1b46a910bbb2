// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What happens in a track of a sequencer: notes, controllers, tempos. Any thread.

import Rendering

/// A number of beats from the start of a song or of a track; a beat is a quarter note.
public typealias AudioMusicTimeStamp = Double

/// A stretch of beats.
public struct AudioBeatRange: Hashable, Sendable {
    /// Where it begins.
    public var start: AudioMusicTimeStamp
    /// How long it is, in beats.
    public var length: AudioMusicTimeStamp

    /// A stretch of so many beats.
    public init(start: AudioMusicTimeStamp, length: AudioMusicTimeStamp) { (self.start, self.length) = (start, length) }

    /// Whether a beat lies in it; the end does not.
    public func contains(_ beat: AudioMusicTimeStamp) -> Bool { beat >= start && beat < start + length }

    /// Nil where it has no beats, or is not finite.
    var range: Range<Double>? {
        guard start.isFinite, length.isFinite, length > 0, (start + length).isFinite else { return nil }
        return start..<(start + length)
    }
}

/// Something that happens at a beat of a track.
///
/// Channels are 0 to 15; keys, velocities, controllers, programs and values 0 to 127. What lies beyond is held within.
public enum AudioMusicEvent: Hashable, Sendable {
    /// A note of so many beats; key 60 is the middle C. A note without a velocity is not heard.
    case note(channel: Int, key: Int, velocity: Int, duration: AudioMusicTimeStamp)
    /// A controller gets a value.
    case controlChange(channel: Int, controller: Int, value: Int)
    /// The channel gets another program.
    case programChange(channel: Int, program: Int)
    /// The pitch wheel moves, −8192 to 8191; 0 is the middle.
    case pitchBend(channel: Int, value: Int)
    /// The pressure on the whole keyboard changes.
    case channelPressure(channel: Int, pressure: Int)
    /// The pressure on one key changes.
    case keyPressure(channel: Int, key: Int, pressure: Int)
    /// The song gets another tempo, in quarter notes a minute; counts in the tempo track alone.
    case tempo(beatsPerMinute: Double)
    /// The song gets another time signature, such as 6 and 8; counts in the tempo track alone.
    case timeSignature(numerator: Int, denominator: Int)

    /// How long it lasts, in beats.
    var duration: Double {
        guard case .note(_, _, _, let duration) = self, duration.isFinite else { return 0 }
        return max(0, min(AudioMusicTrack.mostBeats, duration))
    }

    /// The messages that a unit hears, from a beat on; `end` cuts a note short.
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
        case .tempo, .timeSignature: return []
        }
    }

    private func status(_ kind: UInt8, _ channel: Int) -> UInt8 { kind << 4 | UInt8(max(0, min(15, channel))) }
    private func data(_ value: Int) -> UInt8 { UInt8(max(0, min(127, value))) }
}
