// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes the way of a source or a listener through space over time. Any thread; the render thread reads it.

import Realtime

/// A way through points at given frames, in straight lines or along a smooth curve.
///
/// The frames are those of the engine's sample time. Before the first point and after the last one, what moves stays there.
public struct SpatialPath: Sendable {
    /// The shape between two points.
    public enum Shape: Hashable, Sendable {
        /// Straight lines at an even speed.
        case lines
        /// A curve through all points without a corner (Catmull and Rom); the speed is even in time, and 0 at both ends of the way.
        case spline
    }

    /// A point of a way.
    public struct Point: Hashable, Sendable {
        /// The frame of the engine's sample time.
        public var frame: Int64
        /// The place at that frame.
        public var place: SpacePoint

        /// Makes a point.
        public init(frame: Int64, place: SpacePoint) { (self.frame, self.place) = (frame, place) }
    }

    let table: PathTable

    /// Makes a way; nil without points, for a place beyond ten thousand kilometres, or if a frame is not later than the one before.
    public init?(_ points: [Point], shape: Shape = .lines) {
        guard !points.isEmpty, points.allSatisfy({ $0.place.isNear && ($0.frame.magnitude < 1 << 52) }),
            zip(points, points.dropFirst()).allSatisfy({ $0.frame < $1.frame })
        else { return nil }
        table = PathTable(points, shape)
    }

    /// The place at a frame.
    public func place(at frame: Double) -> SpacePoint { table.core.pointee.place(at: frame) }
}

extension SpacePoint {
    /// True if all three coordinates are numbers.
    public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// True for a place within ten thousand kilometres of the origin in each direction.
    var isNear: Bool { abs(x) <= 1e7 && abs(y) <= 1e7 && abs(z) <= 1e7 }
}

/// The pieces of a way, which never change.
final class PathTable: Sendable {
    /// A cubic curve from a frame on.
    struct Piece {
        let start: Double
        let length: Double
        let coefficients: (SpacePoint, SpacePoint, SpacePoint, SpacePoint)
    }

    struct Core {
        let starts: PieceStarts
        let pieces: UnsafeMutablePointer<Piece>
        let end: Double
        let last: SpacePoint
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(_ points: [SpatialPath.Point], _ shape: SpatialPath.Shape) {
        let pieces = UnsafeMutablePointer<Piece>.allocate(capacity: max(1, points.count - 1))
        for index in 0..<points.count - 1 { (pieces + index).initialize(to: Self.piece(points, index, shape)) }
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(
                starts: PieceStarts(points.dropLast().map { Double($0.frame) }), pieces: pieces,
                end: Double(points[points.count - 1].frame),
                last: points[points.count - 1].place))
    }

    deinit {
        core.pointee.starts.deallocate()
        core.pointee.pieces.deallocate()
        core.deallocate()
    }

    private static func piece(_ points: [SpatialPath.Point], _ index: Int, _ shape: SpatialPath.Shape) -> Piece {
        let (from, to) = (points[index], points[index + 1])
        let length = Double(to.frame - from.frame)
        let way = to.place - from.place
        guard shape == .spline else {
            return Piece(start: Double(from.frame), length: length, coefficients: (from.place, way, SpacePoint(), SpacePoint()))
        }
        let (first, second) = (slope(points, index) * length, slope(points, index + 1) * length)
        let square = way * 3 - first * 2 - second
        return Piece(
            start: Double(from.frame), length: length, coefficients: (from.place, first, square, first + second - way * 2))
    }

    /// The speed at a point in metres a frame: from the point before to the point after.
    private static func slope(_ points: [SpatialPath.Point], _ index: Int) -> SpacePoint {
        guard index > 0, index < points.count - 1 else { return SpacePoint() }
        let (before, after) = (points[index - 1], points[index + 1])
        return (after.place - before.place) / Double(after.frame - before.frame)
    }
}

extension PathTable.Core {
    /// `[render]` The place at a frame.
    @_noLocks
    func place(at frame: Double) -> SpacePoint {
        guard frame < end, starts.count > 0 else { return last }
        let piece = pieces[starts.index(at: frame)]
        let share = max(0, min(1, (frame - piece.start) / piece.length))
        let (constant, linear, square, cube) = piece.coefficients
        return constant + (linear + (square + cube * share) * share) * share
    }

    /// `[render]` True if the place still changes after a frame.
    @_noLocks
    func isMoving(at frame: Double) -> Bool { frame < end }
}
