// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A level over the distance, as straight lines between points. Made on the control thread; the render thread reads it.

/// A factor of a source's level that follows its distance from the listener, beside a `DistanceLaw`.
public final class DistanceCurve: Sendable {
    struct Piece {
        let start: Double
        let gain: Double
        /// The change for each metre; at a step, and behind the last point, 0.
        let slope: Double
    }

    struct Core {
        let starts: PieceStarts
        let pieces: UnsafeMutablePointer<Piece>

        /// `[render]` The factor at a distance in metres.
        @_noLocks
        func gain(at metres: Double) -> Double {
            let piece = pieces[starts.index(at: metres)]
            return max(0, piece.gain + piece.slope * max(0, metres - piece.start))
        }
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// `[control]` Takes distances in metres, which do not fall, and the factors there; constant before the first and behind the last.
    ///
    /// Two points at one distance are a step. Nil without points, or if a number is not finite.
    public init?(_ points: [(metres: Double, gain: Double)]) {
        guard !points.isEmpty, points.allSatisfy({ $0.metres.isFinite && $0.gain.isFinite }),
            zip(points, points.dropFirst()).allSatisfy({ $0.metres <= $1.metres })
        else { return nil }
        let pieces = UnsafeMutablePointer<Piece>.allocate(capacity: points.count)
        for (index, point) in points.enumerated() {
            let next = points[min(index + 1, points.count - 1)]
            let length = next.metres - point.metres
            let slope = length > 0 ? (next.gain - point.gain) / length : 0
            (pieces + index).initialize(to: Piece(start: point.metres, gain: point.gain, slope: slope))
        }
        core = .allocate(capacity: 1)
        core.initialize(to: Core(starts: PieceStarts(points.map(\.metres)), pieces: pieces))
    }

    deinit {
        core.pointee.starts.deallocate()
        core.pointee.pieces.deallocate()
        core.deallocate()
    }

    /// The factor at a distance in metres.
    public func gain(at metres: Double) -> Double { core.pointee.gain(at: metres) }
}
