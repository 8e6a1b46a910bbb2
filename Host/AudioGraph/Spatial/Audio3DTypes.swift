// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places and directions in space, and how a listener turns. Any thread.

import Glibc

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

/// The three directions of a head, of length 1 and at right angles.
struct HeadAxes: Hashable, Sendable {
    private(set) var right = Vector(1, 0, 0)
    private(set) var up = Vector(0, 1, 0)
    private(set) var forward = Vector(0, 0, -1)

    typealias Vector = SIMD3<Double>

    /// To the front.
    init() {}

    /// The axes of three angles.
    init(_ angles: Audio3DAngularOrientation) {
        let (yaw, pitch, roll) = (Self.radians(angles.yaw), Self.radians(angles.pitch), Self.radians(angles.roll))
        forward = Vector(sin(yaw) * cos(pitch), sin(pitch), -cos(yaw) * cos(pitch))
        let levelUp = Vector(-sin(yaw) * sin(pitch), cos(pitch), cos(yaw) * sin(pitch))
        let levelRight = Vector(cos(yaw), 0, sin(yaw))
        up = levelUp * cos(roll) + levelRight * sin(roll)
        right = Self.cross(forward, up)
    }

    /// The axes of two directions; nil if there is none, or if both lie in one line.
    ///
    /// Where they are not at right angles, the nose counts, and the top of the head is tilted.
    init?(_ vectors: Audio3DVectorOrientation) {
        guard let forward = Self.unit(Vector(vectors.forward)), let wanted = Self.unit(Vector(vectors.up)),
            let right = Self.unit(Self.cross(forward, wanted))
        else { return nil }
        (self.forward, self.right, up) = (forward, right, Self.cross(right, forward))
    }

    /// The angles that turn a head this way; a head that looks straight up or down has no roll.
    var angles: Audio3DAngularOrientation {
        let pitch = asin(max(-1, min(1, forward.y)))
        let isSteep = forward.x * forward.x + forward.z * forward.z < 1e-12
        let side = pitch < 0 ? -1.0 : 1
        let yaw = isSteep ? atan2(-up.x * side, up.z * side) : atan2(forward.x, -forward.z)
        let levelUp = Vector(-sin(yaw) * sin(pitch), cos(pitch), cos(yaw) * sin(pitch))
        let roll = isSteep ? 0 : atan2(Self.dot(up, Vector(cos(yaw), 0, sin(yaw))), Self.dot(up, levelUp))
        return Audio3DAngularOrientation(yaw: Self.degrees(yaw), pitch: Self.degrees(pitch), roll: Self.degrees(roll))
    }

    /// The nose and the top of the head.
    var vectors: Audio3DVectorOrientation {
        Audio3DVectorOrientation(forward: Audio3DVector(forward), up: Audio3DVector(up))
    }

    static func dot(_ a: Vector, _ b: Vector) -> Double { (a * b).sum() }

    private static func cross(_ a: Vector, _ b: Vector) -> Vector {
        Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    /// The direction at length 1; nil for none.
    private static func unit(_ vector: Vector) -> Vector? {
        let length = dot(vector, vector).squareRoot()
        return length.isFinite && length > 1e-9 ? vector / length : nil
    }

    private static func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }
    private static func degrees(_ radians: Double) -> Float { Float(radians * 180 / .pi) }
}

extension SIMD3<Double> {
    init(_ point: Audio3DPoint) { self.init(Double(point.x), Double(point.y), Double(point.z)) }
}

extension Audio3DPoint {
    fileprivate init(_ vector: SIMD3<Double>) { self.init(x: Float(vector.x), y: Float(vector.y), z: Float(vector.z)) }
}
