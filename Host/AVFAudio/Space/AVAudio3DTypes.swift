// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places and directions in space. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A place in space, in metres.
public struct AVAudio3DPoint: Hashable, Sendable {
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
}

/// A direction in space.
public typealias AVAudio3DVector = AVAudio3DPoint

/// A place in space, in metres.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }

/// A direction in space.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: y, z: z) }

/// Where a listener looks, by two directions.
public struct AVAudio3DVectorOrientation: Hashable, Sendable {
    /// Where the nose points.
    public var forward: AVAudio3DVector
    /// Where the top of the head points.
    public var up: AVAudio3DVector

    /// An orientation.
    public init(forward: AVAudio3DVector, up: AVAudio3DVector) { (self.forward, self.up) = (forward, up) }

    /// To the front.
    public init() { self.init(forward: AVAudio3DVector(x: 0, y: 0, z: -1), up: AVAudio3DVector(x: 0, y: 1, z: 0)) }
}

/// Where a listener looks, by three angles in degrees.
public struct AVAudio3DAngularOrientation: Hashable, Sendable {
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
