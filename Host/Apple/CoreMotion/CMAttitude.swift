// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The orientation of a head: as a matrix, as a quaternion and by angles. Any thread.

import Foundation
import Spatial
import Synchronization

/// A matrix of three rows: the orientation of a head.
///
/// It takes a direction from the axes of the room to those of the head. Its rows are the head's own axes as the room sees them.
public struct CMRotationMatrix: Sendable {
    /// The first row, the direction of the right ear: its part along the first axis.
    public var m11 = 0.0
    /// The first row: its part along the second axis.
    public var m12 = 0.0
    /// The first row: its part along the third axis.
    public var m13 = 0.0
    /// The second row, the direction of the nose: its part along the first axis.
    public var m21 = 0.0
    /// The second row: its part along the second axis.
    public var m22 = 0.0
    /// The second row: its part along the third axis.
    public var m23 = 0.0
    /// The third row, the direction of the top of the head: its part along the first axis.
    public var m31 = 0.0
    /// The third row: its part along the second axis.
    public var m32 = 0.0
    /// The third row: its part along the third axis.
    public var m33 = 0.0

    /// Makes a matrix of zeros.
    public init() {}

    /// Makes a matrix, row by row.
    public init(
        m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double, m32: Double, m33: Double
    ) {
        (self.m11, self.m12, self.m13) = (m11, m12, m13)
        (self.m21, self.m22, self.m23) = (m21, m22, m23)
        (self.m31, self.m32, self.m33) = (m31, m32, m33)
    }
}

/// A quaternion of length 1: the turn of a head from the front.
public struct CMQuaternion: Sendable {
    /// The part along the first axis.
    public var x = 0.0
    /// The part along the second axis.
    public var y = 0.0
    /// The part along the third axis.
    public var z = 0.0
    /// The real part.
    public var w = 0.0

    /// Makes a quaternion of zeros.
    public init() {}

    /// Makes a quaternion of its parts.
    public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}

/// The orientation of a head in a room.
///
/// The first axis points to the right, the second one to the front, and the third one upwards. Engines and environments have others: x to
/// the right, y upwards, z to the back.
public final class CMAttitude: NSObject, NSCopying, Sendable {
    private let head: Mutex<HeadDirections>

    init(_ head: HeadDirections) { self.head = Mutex(head) }

    private var directions: HeadDirections { head.withLock { $0 } }

    /// The tilt to the right side around the nose, in radians from −π to π.
    public var roll: Double { directions.roll }

    /// The nod upwards around the ears, in radians from −π/2 to π/2.
    public var pitch: Double { directions.pitch }

    /// The turn to the left around the top, in radians from −π to π.
    public var yaw: Double { directions.yaw }

    /// The matrix that takes a direction from the axes of the room to those of the head.
    public var rotationMatrix: CMRotationMatrix { directions.matrix }

    /// The turn of the head from the front: it takes a direction from the axes of the head to those of the room.
    public var quaternion: CMQuaternion { directions.quaternion }

    /// Makes this orientation relative to another one, which becomes the front.
    public func multiply(byInverseOf attitude: CMAttitude) {
        let other = attitude.directions
        head.withLock { $0 = $0.relative(to: other) }
    }

    /// A copy, which stays as it is if this one changes.
    public func copy(with zone: NSZone? = nil) -> Any { CMAttitude(directions) }
}
