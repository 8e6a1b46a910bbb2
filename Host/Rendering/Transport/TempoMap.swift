// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tempos and time signatures along a song, and the way from beats to seconds and back. Any thread.

/// Tempos and time signatures along a song.
///
/// A beat is a quarter note. A tempo holds until the next one, and the first one before it, too.
public struct TempoMap: Hashable, Sendable {
    /// A tempo, from a beat on.
    public struct Tempo: Hashable, Sendable {
        /// Where it begins.
        public var beat: Double
        /// Quarter notes a minute.
        public var beatsPerMinute: Double

        /// A tempo from a beat on.
        public init(beat: Double, beatsPerMinute: Double) { (self.beat, self.beatsPerMinute) = (beat, beatsPerMinute) }
    }

    /// A time signature, from a beat on.
    public struct Signature: Hashable, Sendable {
        /// Where it begins.
        public var beat: Double
        /// The notes in a bar, and their value: 4 is a quarter note.
        public var numerator: UInt16
        /// The value of those notes.
        public var denominator: UInt16

        /// A time signature from a beat on.
        public init(beat: Double, numerator: UInt16, denominator: UInt16) {
            (self.beat, self.numerator, self.denominator) = (beat, numerator, denominator)
        }
    }

    /// The tempos that a map may have, in quarter notes a minute.
    public static let tempos = 1.0...1000.0

    /// The tempos, in order of their beats.
    public let tempos: [Tempo]
    /// The time signatures, in order of their beats.
    public let signatures: [Signature]
    let segments: [Segment]

    /// A stretch of one tempo.
    struct Segment: Hashable, Sendable {
        let beat: Double
        let seconds: Double
        let beatsPerMinute: Double

        var beatsPerSecond: Double { @_noLocks get { beatsPerMinute / 60 } }
    }

    /// One tempo for the whole song, in four-four time; tempos outside `tempos` are held within.
    public init(beatsPerMinute: Double = 120) {
        let held = beatsPerMinute.isNaN ? 120 : max(Self.tempos.lowerBound, min(Self.tempos.upperBound, beatsPerMinute))
        self.init(checked: [Tempo(beat: 0, beatsPerMinute: held)], [])
    }

    /// Tempos and signatures in any order; nil where a beat is not finite, a tempo lies outside `tempos`, or a signature has a 0.
    public init?(tempos: [Tempo], signatures: [Signature] = []) {
        let areTempos = tempos.allSatisfy { $0.beat.isFinite && Self.tempos.contains($0.beatsPerMinute) }
        let areSignatures = signatures.allSatisfy { $0.beat.isFinite && $0.numerator > 0 && $0.denominator > 0 }
        guard areTempos, areSignatures else { return nil }
        self.init(checked: tempos.isEmpty ? [Tempo(beat: 0, beatsPerMinute: 120)] : tempos, signatures)
    }

    private init(checked tempos: [Tempo], _ signatures: [Signature]) {
        // Of several at one beat the last counts.
        self.tempos = Self.ordered(tempos, \.beat)
        self.signatures = Self.ordered(signatures, \.beat)
        var segments: [Segment] = []
        for tempo in self.tempos {
            let speed = tempo.beatsPerMinute / 60
            // Beat 0 is at 0 seconds, wherever the first tempo begins.
            let seconds = segments.last.map { $0.seconds + (tempo.beat - $0.beat) / $0.beatsPerSecond } ?? tempo.beat / speed
            segments.append(Segment(beat: tempo.beat, seconds: seconds, beatsPerMinute: tempo.beatsPerMinute))
        }
        let origin = Self.seconds(atBeat: 0, segments)
        self.segments = segments.map { Segment(beat: $0.beat, seconds: $0.seconds - origin, beatsPerMinute: $0.beatsPerMinute) }
    }

    private static func ordered<Element>(_ elements: [Element], _ beat: KeyPath<Element, Double>) -> [Element] {
        var last: [Double: Element] = [:]
        for element in elements { last[element[keyPath: beat]] = element }
        return last.values.sorted { $0[keyPath: beat] < $1[keyPath: beat] }
    }

    private static func seconds(atBeat beat: Double, _ segments: [Segment]) -> Double {
        let segment = segments.last { $0.beat <= beat } ?? segments[0]
        return segment.seconds + (beat - segment.beat) / segment.beatsPerSecond
    }

    /// The seconds from beat 0 to a beat.
    public func seconds(atBeat beat: Double) -> Double { Self.seconds(atBeat: beat, segments) }

    /// The beat at a number of seconds from beat 0.
    public func beat(atSeconds seconds: Double) -> Double {
        let segment = segments.last { $0.seconds <= seconds } ?? segments[0]
        return segment.beat + (seconds - segment.seconds) * segment.beatsPerSecond
    }

    /// The tempo at a beat, in quarter notes a minute.
    public func beatsPerMinute(atBeat beat: Double) -> Double { (segments.last { $0.beat <= beat } ?? segments[0]).beatsPerMinute }
}
