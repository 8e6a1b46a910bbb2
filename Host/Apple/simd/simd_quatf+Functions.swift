// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Quaternions by functions, as programs in C have them. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Glibc

/// Makes a quaternion of its parts.
public func simd_quaternion(_ ix: Float, _ iy: Float, _ iz: Float, _ r: Float) -> simd_quatf {
    simd_quatf(ix: ix, iy: iy, iz: iz, r: r)
}

/// Makes the turn by an angle in radians around an axis of length 1.
public func simd_quaternion(_ angle: Float, _ axis: simd_float3) -> simd_quatf { simd_quatf(angle: angle, axis: axis) }

/// Makes the shortest turn from one direction to another, both of length 1.
public func simd_quaternion(_ from: simd_float3, _ to: simd_float3) -> simd_quatf { simd_quatf(from: from, to: to) }

/// Makes the turn of a matrix, whose columns have the length 1 and are at right angles.
public func simd_quaternion(_ matrix: simd_float3x3) -> simd_quatf { simd_quatf(matrix) }

/// Makes the turn of a transform, whose first three columns have the length 1 and are at right angles.
public func simd_quaternion(_ matrix: simd_float4x4) -> simd_quatf { simd_quatf(matrix) }

/// Turns a vector by a quaternion of length 1.
public func simd_act(_ quaternion: simd_quatf, _ vector: simd_float3) -> simd_float3 { quaternion.act(vector) }

/// The turn by the right quaternion first, and then by the left one.
public func simd_mul(_ left: simd_quatf, _ right: simd_quatf) -> simd_quatf { left * right }

/// The quaternion that takes another one back.
public func simd_inverse(_ quaternion: simd_quatf) -> simd_quatf { quaternion.inverse }

/// A quaternion with the axis reversed.
public func simd_conjugate(_ quaternion: simd_quatf) -> simd_quatf { quaternion.conjugate }

/// The quaternion of the same turn with the length 1.
public func simd_normalize(_ quaternion: simd_quatf) -> simd_quatf { quaternion.normalized }

/// The length of a quaternion.
public func simd_length(_ quaternion: simd_quatf) -> Float { quaternion.length }

/// The dot product of the parts: for the length 1, the cosine of half the angle between both turns.
public func simd_dot(_ left: simd_quatf, _ right: simd_quatf) -> Float { simd_dot(left.vector, right.vector) }

/// The turn between two others at an even speed, by the shorter way: the first one at 0, the second one at 1.
///
/// Both have the length 1 (Shoemake 1985).
public func simd_slerp(_ first: simd_quatf, _ second: simd_quatf, _ t: Float) -> simd_quatf {
    let near = simd_dot(first, second) < 0 ? -second : second
    let angle = 2 * atan2(simd_length(near - first), simd_length(near + first))
    // The sines of small angles are the angles, and both weights are then those of a straight line.
    guard angle > 1e-3 else { return (first * (1 - t) + near * t).normalized }
    return (first * sin((1 - t) * angle) + near * sin(t * angle)).normalized
}
