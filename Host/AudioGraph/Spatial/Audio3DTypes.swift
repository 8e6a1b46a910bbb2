// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Positions and directions in space, and orientations of a listener, under the names of Apple's systems. Any thread.

import Spatial

/// A position in space, in metres: x to the right, y upwards, z to the back.
public struct Audio3DPoint: Hashable, Sendable {
    /// The distance to the right.
    public var x: Float
    /// The distance upwards.
    public var y: Float
    /// The distance to the back.
    public var z: Float

    /// Makes a position.
    public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }

    /// Makes the origin.
    public init() { self.init(x: 0, y: 0, z: 0) }

    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// A direction in space; its length does not matter.
public typealias Audio3DVector = Audio3DPoint

extension Audio3DPoint: CustomStringConvertible {
    /// The three numbers, such as `(1.0, 0.0, -2.0)`.
    public var description: String { "(\(x), \(y), \(z))" }
}

/// The orientation of a listener as two directions.
public struct Audio3DVectorOrientation: Hashable, Sendable {
    /// The direction of the nose.
    public var forward: Audio3DVector
    /// The direction of the top of the head.
    public var up: Audio3DVector

    /// Makes an orientation.
    public init(forward: Audio3DVector, up: Audio3DVector) { (self.forward, self.up) = (forward, up) }

    /// Makes the orientation to the front.
    public init() { self.init(forward: Audio3DVector(x: 0, y: 0, z: -1), up: Audio3DVector(x: 0, y: 1, z: 0)) }
}

/// The orientation of a listener as three angles in degrees.
///
/// The head turns to the right first, then nods upwards, then tilts to the right side.
public struct Audio3DAngularOrientation: Hashable, Sendable {
    /// The turn to the right.
    public var yaw: Float
    /// The nod upwards.
    public var pitch: Float
    /// The tilt to the right side.
    public var roll: Float

    /// Makes an orientation.
    public init(yaw: Float, pitch: Float, roll: Float) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }

    /// Makes the orientation to the front.
    public init() { self.init(yaw: 0, pitch: 0, roll: 0) }

    var isFinite: Bool { yaw.isFinite && pitch.isFinite && roll.isFinite }

    /// Makes the orientation to which a quaternion turns a head; nil if it has no length, or is not finite.
    ///
    /// The axes are those of an environment: x to the right, y upwards, z to the back. The length does not count.
    public init?(w: Double, x: Double, y: Double, z: Double) {
        let length = (w * w + x * x + y * y + z * z).squareRoot()
        guard length.isFinite, length > 1e-9 else { return nil }
        let (real, axis) = (w / length, SpacePoint(x, y, z) / length)
        func turned(_ direction: SpacePoint) -> SpacePoint {
            let side = axis.cross(direction) * 2
            return direction + side * real + axis.cross(side)
        }
        guard let axes = HeadAxes(forward: turned(SpacePoint(0, 0, -1)), up: turned(SpacePoint(0, 1, 0))) else { return nil }
        self = axes.angularOrientation
    }
}

extension SpacePoint {
    init(_ point: Audio3DPoint) { self.init(Double(point.x), Double(point.y), Double(point.z)) }
}

extension Audio3DPoint {
    fileprivate init(_ point: SpacePoint) { self.init(x: Float(point.x), y: Float(point.y), z: Float(point.z)) }
}

extension HeadAxes {
    init?(_ vectors: Audio3DVectorOrientation) {
        self.init(forward: SpacePoint(vectors.forward), up: SpacePoint(vectors.up))
    }

    init(_ angles: Audio3DAngularOrientation) {
        self.init(HeadAngles(yaw: Double(angles.yaw), pitch: Double(angles.pitch), roll: Double(angles.roll)))
    }

    /// The directions of the nose and the top of the head.
    var vectors: Audio3DVectorOrientation {
        Audio3DVectorOrientation(forward: Audio3DVector(forward), up: Audio3DVector(up))
    }

    /// The angles that turn a head to these directions.
    var angularOrientation: Audio3DAngularOrientation {
        let angles = angles
        return Audio3DAngularOrientation(yaw: Float(angles.yaw), pitch: Float(angles.pitch), roll: Float(angles.roll))
    }
}
