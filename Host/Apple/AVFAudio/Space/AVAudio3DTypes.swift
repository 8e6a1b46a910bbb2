// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Positions and directions in space by the names of Apple's systems. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A position in space, in metres.
public typealias AVAudio3DPoint = Audio3DPoint
/// A direction in space.
public typealias AVAudio3DVector = Audio3DVector
/// The orientation of a listener, by two directions.
public typealias AVAudio3DVectorOrientation = Audio3DVectorOrientation
/// The orientation of a listener, by three angles in degrees.
public typealias AVAudio3DAngularOrientation = Audio3DAngularOrientation

/// Makes a position in space, in metres.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }

/// Makes a direction in space.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: y, z: z) }

/// Makes the orientation of a listener from two directions.
public func AVAudioMake3DVectorOrientation(_ forward: AVAudio3DVector, _ up: AVAudio3DVector) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// Makes the orientation of a listener from three angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation {
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
