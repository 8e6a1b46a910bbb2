// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A song in a Standard MIDI File. Any thread.

/// The contents of a Standard MIDI File: tracks of events, tempos and time signatures.
///
/// `[any]` Source: "Standard MIDI Files 1.0", MIDI Manufacturers Association, 1988.
public struct MIDIFile: Hashable, Sendable {
    /// The duration of a tick.
    public var division: MIDIDivision
    /// The tracks in the order of the file; format 0 has one.
    public var tracks: [MIDITrack]
    /// The tempo changes of all tracks, sorted by tick, the first at tick 0; by default 120 quarter notes a minute.
    ///
    /// If ticks follow a time code, that default is the only one.
    public private(set) var tempoChanges: [MIDITempoChange]
    /// The time signatures of all tracks, sorted by tick.
    public var timeSignatures: [MIDITimeSignature]
    /// The markers of all tracks, sorted by tick.
    public var markers: [MIDIMarker]
    /// The damage to the file that the song was read from; nil for none.
    public var damage: MIDIFileDamage?

    /// The last tick of a song: at 960 ticks in a quarter note and 120 of these a minute, it plays for 25 days.
    static let lastTick = 1 << 32

    /// Makes a song; all lists are sorted by tick.
    ///
    /// Of several tempos at one tick the last one counts. Tempos outside of the ranges of a file are omitted.
    public init(
        division: MIDIDivision = .ticksPerQuarter(480), tracks: [MIDITrack] = [], tempoChanges: [MIDITempoChange] = [],
        timeSignatures: [MIDITimeSignature] = [], markers: [MIDIMarker] = []
    ) {
        self.division = division
        self.tracks = tracks
        self.tempoChanges = Self.valid(division.isTimecode ? [] : tempoChanges)
        self.timeSignatures = timeSignatures.sortedByTick(\.tick)
        self.markers = markers.sortedByTick(\.tick)
    }

    private static func valid(_ changes: [MIDITempoChange]) -> [MIDITempoChange] {
        var valid = [MIDITempoChange(tick: 0, microsecondsPerQuarter: 500_000)]
        for change in changes.sortedByTick(\.tick) {
            guard (0...lastTick).contains(change.tick), (1...0xFF_FFFF).contains(change.microsecondsPerQuarter) else { continue }
            if valid.last?.tick == change.tick { valid.removeLast() }
            valid.append(change)
        }
        return valid
    }

    /// The number of ports, each of which has sixteen channels of its own.
    public var portCount: Int { tracks.reduce(1) { $1.events.reduce($0) { max($0, Int($1.port) + 1) } } }

    /// The end of the longest track, in quarter notes.
    public var lengthInBeats: Double { division.beat(atTick: tracks.map(\.endTick).max() ?? 0) }
}

/// The duration of a tick.
public enum MIDIDivision: Hashable, Sendable {
    /// A share of a quarter note: 1 to 32767 ticks make one.
    case ticksPerQuarter(Int)
    /// A share of an SMPTE frame: 24, 25, 29 (for 29.97) or 30 frames a second, and 1 to 255 ticks a frame.
    ///
    /// A damaged file may have another number of frames, from 1 to 128. Ticks then follow the clock, and tempo changes have no effect. A quarter note counts as half a second.
    case timecode(framesPerSecond: Int, ticksPerFrame: Int)

    /// The ticks of a quarter note as a fraction, so that 29.97 frames a second are exact.
    var ticksPerQuarter: (numerator: Double, denominator: Double) {
        switch self {
        case .ticksPerQuarter(let count): (Double(count), 1)
        case .timecode(29, let ticks): (15_000 * Double(ticks), 1001)
        case .timecode(let frames, let ticks): (Double(frames) * Double(ticks), 2)
        }
    }

    /// The number of quarter notes before a tick.
    public func beat(atTick tick: Int) -> Double {
        let (numerator, denominator) = ticksPerQuarter
        return Double(tick) * denominator / numerator
    }

    /// The tick nearest to a number of quarter notes, from 0 to the last tick of a file.
    public func tick(atBeat beat: Double) -> Int {
        let (numerator, denominator) = ticksPerQuarter
        let tick = (beat * numerator / denominator).rounded()
        return tick > 0 ? Int(min(tick, Double(MIDIFile.lastTick))) : 0
    }

    var isTimecode: Bool { if case .timecode = self { true } else { false } }
}

/// One track: its name, and the messages of its channels.
public struct MIDITrack: Hashable, Sendable {
    /// The name for people; empty if the file has none.
    public var name: String
    /// The messages, sorted by tick; messages at the same tick keep the order of the file.
    public var events: [MIDIFileEvent]
    /// The tick at which the track ends.
    public var endTick: Int

    /// Makes a track, which ends at `endTick` or with its last event, whichever is later.
    public init(name: String = "", events: [MIDIFileEvent] = [], endTick: Int = 0) {
        self.name = name
        self.events = events.sortedByTick(\.tick)
        self.endTick = max(endTick, self.events.last?.tick ?? 0)
    }
}

/// A change of the tempo.
public struct MIDITempoChange: Hashable, Sendable {
    /// The tick at which it takes effect.
    public var tick: Int
    /// The length of a quarter note, 1 to 16777215 µs.
    public var microsecondsPerQuarter: Int

    /// Makes a change of the tempo.
    public init(tick: Int, microsecondsPerQuarter: Int) {
        self.tick = tick
        self.microsecondsPerQuarter = microsecondsPerQuarter
    }
}

/// A change of the time signature.
public struct MIDITimeSignature: Hashable, Sendable {
    /// The tick at which it takes effect.
    public var tick: Int
    /// The number of beats in a bar, 1 to 255.
    public var numerator: Int
    /// The note value of a beat, a power of two up to 128.
    public var denominator: Int

    /// Makes a time signature.
    public init(tick: Int, numerator: Int, denominator: Int) {
        self.tick = tick
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// A named position in a song.
public struct MIDIMarker: Hashable, Sendable {
    /// The position.
    public var tick: Int
    /// The name for people.
    public var text: String

    /// Makes a marker.
    public init(tick: Int, text: String) {
        self.tick = tick
        self.text = text
    }
}

extension Array {
    /// Sorts the elements by tick; elements at the same tick keep their order.
    func sortedByTick(_ tick: KeyPath<Element, Int>) -> [Element] {
        enumerated().sorted {
            ($0.element[keyPath: tick], $0.offset) < ($1.element[keyPath: tick], $1.offset)
        }.map(\.element)
    }
}
