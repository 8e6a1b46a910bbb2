// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places and directions in space by the names of Apple's systems. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A place in space, in metres.
public typealias AVAudio3DPoint = Audio3DPoint
/// A direction in space.
public typealias AVAudio3DVector = Audio3DVector
/// Where a listener looks, by two directions.
public typealias AVAudio3DVectorOrientation = Audio3DVectorOrientation
/// Where a listener looks, by three angles in degrees.
public typealias AVAudio3DAngularOrientation = Audio3DAngularOrientation

/// A place in space, in metres.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }

/// A direction in space.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: y, z: z) }

/// Where a listener looks, by two directions.
public func AVAudioMake3DVectorOrientation(_ forward: AVAudio3DVector, _ up: AVAudio3DVector) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// Where a listener looks, by three angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation {
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
