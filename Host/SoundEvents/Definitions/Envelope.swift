// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A course of values over another value, of curved segments. Any thread.

/// A course of values from a start through the ends of segments; constant before and behind.
public struct Envelope: Hashable, Sendable {
    /// A place of the course.
    public struct Point: Hashable, Sendable {
        /// The value that leads, such as a parameter or a distance in metres.
        public let x: Double
        /// The value there.
        public let y: Double

        /// Makes a place.
        public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// The way to the next place.
    public struct Segment: Hashable, Sendable {
        /// The end of the way.
        public let end: Point
        /// The shape of the way.
        public let curve: FadeCurve

        /// Makes a way to a place.
        public init(to end: Point, _ curve: FadeCurve = .linear) { (self.end, self.curve) = (end, curve) }
    }

    /// The first place.
    public let start: Point
    /// The ways, sorted by their ends.
    public let segments: [Segment]

    /// Sorts the segments by their ends; nil if the start lies right of one of them, or a number is not finite.
    public init?(start: Point, segments: [Segment]) {
        let sorted = segments.enumerated().sorted { ($0.element.end.x, $0.offset) < ($1.element.end.x, $1.offset) }.map(\.element)
        guard (sorted.map(\.end) + [start]).allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
            start.x <= sorted.first?.end.x ?? start.x
        else { return nil }
        (self.start, self.segments) = (start, sorted)
    }

    /// The lowest and the highest value of the course.
    public var range: ClosedRange<Double> {
        let values = segments.map(\.end.y) + [start.y]
        return (values.min() ?? 0)...(values.max() ?? 0)
    }

    /// `[control]` The value at a place.
    public func value(at x: Double) -> Double {
        withExtendedLifetime(EnvelopeTable(self)) { $0.core.pointee.value(at: x) }
    }
}

/// An envelope in memory without references.
final class EnvelopeTable: Sendable {
    struct Segment {
        let start: Envelope.Point
        let end: Envelope.Point
        let curve: FadeCurve
    }

    struct Core {
        let first: Double
        let segments: UnsafeMutablePointer<Segment>
        let count: Int

        /// `[any]` The value at a place; the first one for NaN.
        @_noLocks
        func value(at x: Double) -> Double {
            var value = first
            for index in 0..<count {
                let segment = segments[index]
                guard x >= segment.start.x else { return value }
                value = segment.end.y
                guard x < segment.end.x else { continue }
                let share = segment.curve.share(at: (x - segment.start.x) / (segment.end.x - segment.start.x))
                return segment.start.y + (segment.end.y - segment.start.y) * share
            }
            return value
        }
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(_ envelope: Envelope) {
        let count = envelope.segments.count
        let segments = UnsafeMutablePointer<Segment>.allocate(capacity: max(1, count))
        var start = envelope.start
        for (index, segment) in envelope.segments.enumerated() {
            (segments + index).initialize(to: Segment(start: start, end: segment.end, curve: segment.curve))
            start = segment.end
        }
        core = .allocate(capacity: 1)
        core.initialize(to: Core(first: envelope.start.y, segments: segments, count: count))
    }

    deinit {
        core.pointee.segments.deallocate()
        core.deallocate()
    }
}

extension Envelope {
    /// The course as points with straight lines between them, which differ from it by a hundred-thousandth of its range at most.
    func points() -> [Point] {
        let tolerance = 1e-5 * (range.upperBound - range.lowerBound)
        var points = [start]
        var first = start
        for segment in segments {
            if segment.end.x > first.x {
                let way = EnvelopeTable.Segment(start: first, end: segment.end, curve: segment.curve)
                // A step stands at the beginning or at the end of its segment.
                points.append(Point(x: first.x, y: way.value(at: 0)))
                way.divide(0, 1, tolerance, 16, into: &points)
            }
            points.append(segment.end)
            first = segment.end
        }
        return points
    }
}

extension EnvelopeTable.Segment {
    /// The value at a share of the way.
    fileprivate func value(at share: Double) -> Double { start.y + (end.y - start.y) * curve.share(at: share) }

    /// Appends points between two shares until straight lines are near enough.
    fileprivate func divide(_ from: Double, _ to: Double, _ tolerance: Double, _ depth: Int, into points: inout [Envelope.Point]) {
        let (low, high) = (value(at: from), value(at: to.nextDown))
        let isStraight = [0.25, 0.5, 0.75].allSatisfy {
            abs(value(at: from + (to - from) * $0) - (low + (high - low) * $0)) <= tolerance
        }
        let middle = (from + to) / 2
        if depth > 0, !isStraight {
            divide(from, middle, tolerance, depth - 1, into: &points)
            divide(middle, to, tolerance, depth - 1, into: &points)
        } else {
            points.append(Envelope.Point(x: start.x + (end.x - start.x) * to, y: high))
        }
    }
}
