// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tempos and time signatures along a song, with conversions between beats and seconds. Any thread.

/// Tempos and time signatures along a song.
///
/// A beat is a quarter note. A tempo holds until the next one; the first one also holds before its beat. A late change is as
/// exact as an early one.
public struct TempoMap: Hashable, Sendable {
    /// A tempo that holds from a beat on.
    public struct Tempo: Hashable, Sendable {
        /// The beat at which it begins.
        public var beat: Double
        /// Quarter notes a minute.
        public var beatsPerMinute: Double

        /// Makes a tempo that begins at a beat.
        public init(beat: Double, beatsPerMinute: Double) { (self.beat, self.beatsPerMinute) = (beat, beatsPerMinute) }
    }

    /// A time signature that holds from a beat on.
    public struct Signature: Hashable, Sendable {
        /// The beat at which it begins.
        public var beat: Double
        /// The number of notes in a bar.
        public var numerator: UInt16
        /// The value of those notes: 4 is a quarter note.
        public var denominator: UInt16

        /// Makes a time signature that begins at a beat.
        @_noLocks public init(beat: Double, numerator: UInt16, denominator: UInt16) {
            (self.beat, self.numerator, self.denominator) = (beat, numerator, denominator)
        }
    }

    /// The tempos that a program may request, in quarter notes a minute; a MIDI file may have others.
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

    /// Makes a song of one tempo in four-four time; a tempo outside `tempos` is clamped.
    public init(beatsPerMinute: Double = 120) {
        let held = beatsPerMinute.isNaN ? 120 : max(Self.tempos.lowerBound, min(Self.tempos.upperBound, beatsPerMinute))
        self.init(checked: [Tempo(beat: 0, beatsPerMinute: held)], [])
    }

    /// Takes tempos and signatures in any order.
    ///
    /// Returns nil if a beat is not finite, a tempo lies outside `tempos`, or a signature has a 0.
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
        segments = Self.segments(self.tempos)
    }

    /// Takes tempos from a file or a changed rate: every one above 0 counts, within `tempos` or not.
    package init(unlimited tempos: [Tempo], signatures: [Signature] = []) {
        // The bounds include the slowest and the fastest tempo of a file at any rate.
        let valid = tempos.filter { $0.beat.isFinite && (1e-3...1e10).contains($0.beatsPerMinute) }
        let known = signatures.filter { $0.beat.isFinite && $0.numerator > 0 && $0.denominator > 0 }
        self.init(checked: valid.isEmpty ? [Tempo(beat: 0, beatsPerMinute: 120)] : valid, known)
    }

    /// The same song at `rate` times the speed.
    package func scaled(by rate: Double) -> TempoMap {
        TempoMap(
            unlimited: tempos.map { Tempo(beat: $0.beat, beatsPerMinute: $0.beatsPerMinute * rate) }, signatures: signatures)
    }

    private static func ordered<Element>(_ elements: [Element], _ beat: KeyPath<Element, Double>) -> [Element] {
        var last: [Double: Element] = [:]
        for element in elements { last[element[keyPath: beat]] = element }
        return last.values.sorted { $0[keyPath: beat] < $1[keyPath: beat] }
    }

    /// The stretches of these tempos, with beat 0 at 0 seconds.
    ///
    /// The rounding error of each sum is carried on, so that a late tempo begins as exactly as an early one (Kahan and Neumaier).
    private static func segments(_ tempos: [Tempo]) -> [Segment] {
        var segments: [Segment] = []
        var (sum, rest) = (0.0, 0.0)
        var lost: [Double] = []
        for (index, tempo) in tempos.enumerated() {
            if index > 0 {
                let former = tempos[index - 1]
                let length = (tempo.beat - former.beat) / (former.beatsPerMinute / 60)
                let next = sum + length
                rest += abs(sum) >= abs(length) ? (sum - next) + length : (length - next) + sum
                sum = next
            }
            segments.append(Segment(beat: tempo.beat, seconds: sum, beatsPerMinute: tempo.beatsPerMinute))
            lost.append(rest)
        }
        let first = segments.lastIndex { $0.beat <= 0 } ?? 0
        // The time of beat 0 is subtracted from each in the same way.
        let origin = -segments[first].beat / segments[first].beatsPerSecond
        return segments.indices.map { index in
            let seconds = (segments[index].seconds - segments[first].seconds) + (lost[index] - lost[first]) - origin
            return Segment(beat: segments[index].beat, seconds: seconds, beatsPerMinute: segments[index].beatsPerMinute)
        }
    }

    /// The last stretch that has begun; the first one if none has.
    private func last(_ hasBegun: (Segment) -> Bool) -> Segment {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if hasBegun(segments[middle]) { low = middle + 1 } else { high = middle }
        }
        return segments[max(0, low - 1)]
    }

    /// The seconds from beat 0 to a beat.
    public func seconds(atBeat beat: Double) -> Double {
        let segment = last { $0.beat <= beat }
        return segment.seconds + (beat - segment.beat) / segment.beatsPerSecond
    }

    /// The beat at this number of seconds from beat 0.
    public func beat(atSeconds seconds: Double) -> Double {
        let segment = last { $0.seconds <= seconds }
        return segment.beat + (seconds - segment.seconds) * segment.beatsPerSecond
    }

    /// The tempo at a beat, in quarter notes a minute.
    public func beatsPerMinute(atBeat beat: Double) -> Double { last { $0.beat <= beat }.beatsPerMinute }
}
