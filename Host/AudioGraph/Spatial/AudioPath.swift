// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of a source or a listener through space, by frames of the engine's sample time. Any thread.

import Spatial

/// A way through space: places at frames, in straight lines or along a smooth curve.
///
/// The frames are those of the environment's sample time. Before the first place and after the last one, what moves stays there.
public struct AudioPath: Hashable, Sendable {
    /// The shape between two places.
    public enum Shape: Hashable, Sendable {
        /// Straight lines at an even speed.
        case lines
        /// A curve through all places, without a corner.
        case spline
    }

    /// A place at a frame.
    public struct Point: Hashable, Sendable {
        /// The frame of the environment's sample time.
        public var sampleTime: Int64
        /// The place in metres.
        public var position: Audio3DPoint

        /// Makes a place at a frame.
        public init(sampleTime: Int64, position: Audio3DPoint) { (self.sampleTime, self.position) = (sampleTime, position) }
    }

    /// The places, in the order of their frames.
    public let points: [Point]
    /// The shape between them.
    public let shape: Shape
    let spatial: SpatialPath

    /// Makes a way; nil without places, for a place that is not finite, or if a frame is not later than the one before.
    public init?(_ points: [Point], shape: Shape = .lines) {
        let rows = points.map { SpatialPath.Point(frame: $0.sampleTime, place: SpacePoint($0.position)) }
        guard let spatial = SpatialPath(rows, shape: shape == .lines ? .lines : .spline) else { return nil }
        (self.points, self.shape, self.spatial) = (points, shape, spatial)
    }

    /// True if both ways have the same places and the same shape.
    public static func == (left: AudioPath, right: AudioPath) -> Bool { left.points == right.points && left.shape == right.shape }

    /// Hashes the places and the shape.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(points)
        hasher.combine(shape)
    }
}
