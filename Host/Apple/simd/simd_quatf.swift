// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A quaternion in single precision: a turn in space. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Glibc

/// A quaternion; with the length 1 it turns vectors around an axis.
///
/// Positive angles turn by the rule of the right hand. A quaternion and its negative are the same turn.
public struct simd_quatf: Equatable, Sendable {
    /// The three imaginary parts, and then the real one.
    public var vector: simd_float4

    /// Makes a quaternion of zeros.
    public init() { vector = .zero }

    /// Makes a quaternion of three imaginary parts and a real one.
    public init(vector: simd_float4) { self.vector = vector }

    /// Makes a quaternion of its parts.
    public init(ix: Float, iy: Float, iz: Float, r: Float) { vector = simd_float4(ix, iy, iz, r) }

    /// Makes a quaternion of its parts.
    public init(real: Float, imag: simd_float3) { vector = simd_float4(imag, real) }

    /// Makes the turn by an angle in radians around an axis of length 1.
    public init(angle: Float, axis: simd_float3) { self.init(real: cos(angle / 2), imag: axis * sin(angle / 2)) }

    /// Makes the shortest turn from one direction to another, both of length 1.
    ///
    /// For opposite directions it is half a turn around one of the axes at right angles to them. It is computed in double precision,
    /// because the middle of two directions that are nearly opposite is what their lengths differ by.
    public init(from: simd_float3, to: simd_float3) {
        let (start, end) = (simd_normalize(simd_double3(from)), simd_normalize(simd_double3(to)))
        let half = start + end
        guard simd_length(half) > 1e-7 else {
            let other = abs(from.x) < 0.6 ? simd_float3(1, 0, 0) : simd_float3(0, 1, 0)
            self.init(real: 0, imag: simd_normalize(simd_cross(from, other)))
            return
        }
        let middle = simd_normalize(half)
        self.init(real: Float(simd_dot(start, middle)), imag: simd_float3(simd_cross(start, middle)))
    }

    /// Makes the turn of a matrix, whose columns have the length 1 and are at right angles.
    public init(_ matrix: simd_float3x3) {
        let (a, b, c) = matrix.columns
        // Four times the square of each part; the largest part is the most exact one.
        let squares = simd_float4(1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z, 1 - a.x - b.y + c.z, 1 + a.x + b.y + c.z)
        let sums = simd_float3(b.z + c.y, c.x + a.z, a.y + b.x)
        let differences = simd_float3(b.z - c.y, c.x - a.z, a.y - b.x)
        let parts =
            switch squares.max() {
            case squares.w: simd_float4(differences, squares.w)
            case squares.x: simd_float4(squares.x, sums.z, sums.y, differences.x)
            case squares.y: simd_float4(sums.z, squares.y, sums.x, differences.y)
            default: simd_float4(sums.y, sums.x, squares.z, differences.z)
            }
        vector = simd_normalize(parts)
    }

    /// Makes the turn of a transform, whose first three columns have the length 1 and are at right angles.
    public init(_ matrix: simd_float4x4) {
        let (a, b, c, _) = matrix.columns
        self.init(simd_float3x3(simd_make_float3(a), simd_make_float3(b), simd_make_float3(c)))
    }

    /// The real part.
    public var real: Float {
        get { vector.w }
        set { vector.w = newValue }
    }

    /// The imaginary parts.
    public var imag: simd_float3 {
        get { simd_make_float3(vector) }
        set { vector = simd_float4(newValue, real) }
    }

    /// The angle of the turn in radians, from 0 to two π.
    public var angle: Float { 2 * atan2(simd_length(imag), real) }

    /// The axis of the turn, of length 1; NaN for no turn.
    public var axis: simd_float3 { simd_normalize(imag) }

    /// The length.
    public var length: Float { simd_length(vector) }

    /// The quaternion of the same turn with the length 1.
    public var normalized: simd_quatf { simd_quatf(vector: simd_normalize(vector)) }

    /// The quaternion with the axis reversed.
    public var conjugate: simd_quatf { simd_quatf(real: real, imag: -imag) }

    /// The quaternion that takes this one back.
    public var inverse: simd_quatf { simd_quatf(vector: conjugate.vector / simd_length_squared(vector)) }

    /// Turns a vector; the quaternion has the length 1.
    public func act(_ vector: simd_float3) -> simd_float3 {
        let twice = 2 * simd_cross(imag, vector)
        return vector + real * twice + simd_cross(imag, twice)
    }
}
