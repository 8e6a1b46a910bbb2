// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes the orientation of a head by directions and by angles. Any thread.

import Glibc

/// A place in space in metres, or a direction: x to the right, y upwards, z to the back.
public typealias SpacePoint = SIMD3<Double>

/// The orientation of a head by three angles in degrees.
///
/// The head turns to the right first, then nods upwards, then tilts to the right side.
public struct HeadAngles: Hashable, Sendable {
    /// To the right.
    public var yaw: Double
    /// Upwards.
    public var pitch: Double
    /// To the right side.
    public var roll: Double

    /// The angles of a head; without arguments it looks to the front.
    public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }
}

/// The three directions of a head, of length 1 and at right angles.
public struct HeadAxes: Hashable, Sendable {
    /// The direction of the right ear.
    public private(set) var right = SpacePoint(1, 0, 0)
    /// The direction of the top of the head.
    public private(set) var up = SpacePoint(0, 1, 0)
    /// The direction of the nose.
    public private(set) var forward = SpacePoint(0, 0, -1)

    /// The axes of a head that looks to the front.
    public init() {}

    /// The axes of three angles.
    public init(_ angles: HeadAngles) {
        let (yaw, pitch, roll) = (Self.radians(angles.yaw), Self.radians(angles.pitch), Self.radians(angles.roll))
        forward = SpacePoint(sin(yaw) * cos(pitch), sin(pitch), -cos(yaw) * cos(pitch))
        let levelRight = SpacePoint(cos(yaw), 0, sin(yaw))
        up = Self.levelUp(yaw, pitch) * cos(roll) + levelRight * sin(roll)
        right = forward.cross(up)
    }

    /// The axes of two directions; nil if one has no length, or both lie on one line.
    ///
    /// If they are not at right angles, the nose keeps its direction, and the top of the head is tilted.
    public init?(forward: SpacePoint, up: SpacePoint) {
        guard let forward = forward.unit, let wanted = up.unit, let right = forward.cross(wanted).unit else { return nil }
        (self.forward, self.right, self.up) = (forward, right, right.cross(forward))
    }

    /// The axes as the columns of a rotation; the caller sees to lengths and right angles.
    @_noLocks
    init(right: SpacePoint, up: SpacePoint, back: SpacePoint) { (self.right, self.up, forward) = (right, up, -back) }

    /// The angles of this orientation; a head that looks straight up or down has no roll.
    public var angles: HeadAngles {
        let pitch = asin(max(-1, min(1, forward.y)))
        let isSteep = forward.x * forward.x + forward.z * forward.z < 1e-12
        let side = pitch < 0 ? -1.0 : 1
        let yaw = isSteep ? atan2(-up.x * side, up.z * side) : atan2(forward.x, -forward.z)
        let roll = isSteep ? 0 : atan2(up.dot(SpacePoint(cos(yaw), 0, sin(yaw))), up.dot(Self.levelUp(yaw, pitch)))
        return HeadAngles(yaw: Self.degrees(yaw), pitch: Self.degrees(pitch), roll: Self.degrees(roll))
    }

    /// The direction of the top of a head without roll.
    private static func levelUp(_ yaw: Double, _ pitch: Double) -> SpacePoint {
        SpacePoint(-sin(yaw) * sin(pitch), cos(pitch), cos(yaw) * sin(pitch))
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}

extension SpacePoint {
    /// The dot product: both lengths times the cosine between them.
    @_noLocks
    func dot(_ other: SpacePoint) -> Double { (self * other).sum() }

    /// The direction at right angles to both; its length is the area between them.
    @_noLocks
    public func cross(_ other: SpacePoint) -> SpacePoint {
        SpacePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The direction at length 1; nil for length 0.
    var unit: SpacePoint? {
        let length = dot(self).squareRoot()
        return length.isFinite && length > 1e-9 ? self / length : nil
    }
}
