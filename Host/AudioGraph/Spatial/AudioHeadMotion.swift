// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The turns of a listener's head, by frames of the engine's sample time. Any thread.

import Spatial

/// The turns of a listener's head: orientations at frames, each reached by the shortest turn.
///
/// The frames are those of the environment's sample time. Before the first orientation and after the last one, the head stays there.
public struct AudioHeadMotion: Hashable, Sendable {
    /// An orientation at a frame.
    public struct Pose: Hashable, Sendable {
        /// The frame of the environment's sample time.
        public var sampleTime: Int64
        /// The orientation.
        public var orientation: Audio3DAngularOrientation

        /// Makes an orientation at a frame.
        public init(sampleTime: Int64, orientation: Audio3DAngularOrientation) {
            (self.sampleTime, self.orientation) = (sampleTime, orientation)
        }
    }

    /// The orientations, in the order of their frames.
    public let poses: [Pose]
    /// The turns between them: evenly, or along a curve without a corner.
    public let shape: AudioPath.Shape
    let turn: SpatialTurn

    /// Makes turns; nil without orientations, for an angle that is not finite, or if a frame is not later than the one before.
    public init?(_ poses: [Pose], shape: AudioPath.Shape = .lines) {
        guard poses.allSatisfy({ $0.orientation.isFinite }) else { return nil }
        let points = poses.map { SpatialTurn.Point(frame: $0.sampleTime, axes: HeadAxes($0.orientation)) }
        guard let turn = SpatialTurn(points, shape: shape == .lines ? .lines : .spline) else { return nil }
        (self.poses, self.shape, self.turn) = (poses, shape, turn)
    }

    /// True if both have the same orientations and the same shape.
    public static func == (left: AudioHeadMotion, right: AudioHeadMotion) -> Bool {
        left.poses == right.poses && left.shape == right.shape
    }

    /// Hashes the orientations and the shape.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(poses)
        hasher.combine(shape)
    }
}
