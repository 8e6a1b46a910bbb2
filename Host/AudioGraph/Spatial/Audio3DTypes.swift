// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places and directions in space, and how a listener turns, by the names of Apple's systems. Any thread.

import Spatial

/// A place in space, in metres: x to the right, y upwards, z to the back.
public struct Audio3DPoint: Hashable, Sendable {
    /// To the right.
    public var x: Float
    /// Upwards.
    public var y: Float
    /// To the back.
    public var z: Float

    /// A place.
    public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }

    /// The origin.
    public init() { self.init(x: 0, y: 0, z: 0) }

    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// A direction in space; its length does not matter.
public typealias Audio3DVector = Audio3DPoint

extension Audio3DPoint: CustomStringConvertible {
    /// The three numbers, such as `(1.0, 0.0, -2.0)`.
    public var description: String { "(\(x), \(y), \(z))" }
}

/// Where a listener looks, by two directions.
public struct Audio3DVectorOrientation: Hashable, Sendable {
    /// Where the nose points.
    public var forward: Audio3DVector
    /// Where the top of the head points.
    public var up: Audio3DVector

    /// An orientation.
    public init(forward: Audio3DVector, up: Audio3DVector) { (self.forward, self.up) = (forward, up) }

    /// To the front.
    public init() { self.init(forward: Audio3DVector(x: 0, y: 0, z: -1), up: Audio3DVector(x: 0, y: 1, z: 0)) }
}

/// Where a listener looks, by three angles in degrees.
///
/// The head turns to the right first, then nods upwards, then tilts to the right side.
public struct Audio3DAngularOrientation: Hashable, Sendable {
    /// To the right.
    public var yaw: Float
    /// Upwards.
    public var pitch: Float
    /// To the right side.
    public var roll: Float

    /// An orientation.
    public init(yaw: Float, pitch: Float, roll: Float) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }

    /// To the front.
    public init() { self.init(yaw: 0, pitch: 0, roll: 0) }
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

    /// The nose and the top of the head.
    var vectors: Audio3DVectorOrientation {
        Audio3DVectorOrientation(forward: Audio3DVector(forward), up: Audio3DVector(up))
    }

    /// The angles that turn a head this way.
    var angularOrientation: Audio3DAngularOrientation {
        let angles = angles
        return Audio3DAngularOrientation(yaw: Float(angles.yaw), pitch: Float(angles.pitch), roll: Float(angles.roll))
    }
}
