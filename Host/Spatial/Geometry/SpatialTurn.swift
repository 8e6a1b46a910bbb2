// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes the turns of a listener's head over time. Any thread; the render thread reads it.

import Glibc
import Realtime

/// The turns of a head through orientations at given frames, each by the shortest way, evenly or along a smooth curve.
///
/// The frames are those of the engine's sample time. Before the first orientation and after the last one the head stays there.
public struct SpatialTurn: Sendable {
    /// An orientation of the head.
    public struct Point: Hashable, Sendable {
        /// The frame of the engine's sample time.
        public var frame: Int64
        /// The orientation at that frame.
        public var axes: HeadAxes

        /// Makes a point.
        public init(frame: Int64, axes: HeadAxes) { (self.frame, self.axes) = (frame, axes) }
    }

    let table: TurnTable

    /// Makes turns; nil without points, or if a frame is not later than the one before.
    public init?(_ points: [Point], shape: SpatialPath.Shape = .lines) {
        guard !points.isEmpty, points.allSatisfy({ $0.frame.magnitude < 1 << 52 }),
            zip(points, points.dropFirst()).allSatisfy({ $0.frame < $1.frame })
        else { return nil }
        table = TurnTable(points, shape)
    }

    /// The orientation at a frame.
    public func axes(at frame: Double) -> HeadAxes { table.core.pointee.axes(at: frame) }
}

/// The pieces of a head's turns, which never change.
final class TurnTable: Sendable {
    /// A turn from a frame on: at an even speed by `angle`, or along a cubic curve of quaternions if that is 0.
    struct Piece {
        let start: Double
        let length: Double
        let angle: Double
        let coefficients: (HeadTurn, HeadTurn, HeadTurn, HeadTurn)
    }

    struct Core {
        let starts: PieceStarts
        let pieces: UnsafeMutablePointer<Piece>
        let end: Double
        let last: HeadAxes
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(_ points: [SpatialTurn.Point], _ shape: SpatialPath.Shape) {
        let turns = Self.turns(points)
        let pieces = UnsafeMutablePointer<Piece>.allocate(capacity: max(1, points.count - 1))
        for index in 0..<points.count - 1 { (pieces + index).initialize(to: Self.piece(points, turns, index, shape)) }
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(
                starts: PieceStarts(points.dropLast().map { Double($0.frame) }), pieces: pieces,
                end: Double(points[points.count - 1].frame), last: points[points.count - 1].axes))
    }

    deinit {
        core.pointee.starts.deallocate()
        core.pointee.pieces.deallocate()
        core.deallocate()
    }

    /// The quaternions of the points, each of the two signs that is nearer to the one before.
    private static func turns(_ points: [SpatialTurn.Point]) -> [HeadTurn] {
        var turns: [HeadTurn] = []
        for point in points {
            let turn = point.axes.turn
            turns.append(turns.last.map { ($0 * turn).sum() < 0 } ?? false ? -turn : turn)
        }
        return turns
    }

    private static func piece(
        _ points: [SpatialTurn.Point], _ turns: [HeadTurn], _ index: Int, _ shape: SpatialPath.Shape
    ) -> Piece {
        let start = Double(points[index].frame)
        let length = Double(points[index + 1].frame) - start
        let (from, to) = (turns[index], turns[index + 1])
        guard shape == .spline else {
            let angle = acos(max(-1, min(1, (from * to).sum())))
            // So small a turn is even on the straight line, too.
            return angle > 1e-3
                ? Piece(start: start, length: length, angle: angle, coefficients: (from, to, HeadTurn(), HeadTurn()))
                : Piece(start: start, length: length, angle: 0, coefficients: (from, to - from, HeadTurn(), HeadTurn()))
        }
        let (first, second) = (slope(points, turns, index) * length, slope(points, turns, index + 1) * length)
        let square = (to - from) * 3 - first * 2 - second
        return Piece(
            start: start, length: length, angle: 0, coefficients: (from, first, square, first + second - (to - from) * 2))
    }

    /// The change at a point for each frame: from the point before to the point after.
    private static func slope(_ points: [SpatialTurn.Point], _ turns: [HeadTurn], _ index: Int) -> HeadTurn {
        guard index > 0, index < points.count - 1 else { return HeadTurn() }
        return (turns[index + 1] - turns[index - 1]) / Double(points[index + 1].frame - points[index - 1].frame)
    }
}

extension TurnTable.Core {
    /// `[render]` The orientation at a frame.
    @_noLocks
    func axes(at frame: Double) -> HeadAxes {
        guard frame < end, starts.count > 0 else { return last }
        let piece = pieces[starts.index(at: frame)]
        let share = max(0, min(1, (frame - piece.start) / piece.length))
        let (constant, linear, square, cube) = piece.coefficients
        if piece.angle <= 0 { return HeadAxes(constant + (linear + (square + cube * share) * share) * share, else: constant) }
        // Both together have the length of the sine of the angle.
        let turn = constant * Maths.sin((1 - share) * piece.angle) + linear * Maths.sin(share * piece.angle)
        return HeadAxes(turn, else: constant)
    }

    /// `[render]` True if the head still turns after a frame.
    @_noLocks
    func isMoving(at frame: Double) -> Bool { frame < end }
}
