// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arithmetic of quaternions. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

extension simd_quatf {
    /// The turn by the right quaternion first, and then by the left one.
    public static func * (left: simd_quatf, right: simd_quatf) -> simd_quatf {
        simd_quatf(
            real: left.real * right.real - simd_dot(left.imag, right.imag),
            imag: left.real * right.imag + right.real * left.imag + simd_cross(left.imag, right.imag))
    }

    /// All parts times a number.
    public static func * (left: simd_quatf, right: Float) -> simd_quatf { simd_quatf(vector: left.vector * right) }

    /// All parts times a number.
    public static func * (left: Float, right: simd_quatf) -> simd_quatf { right * left }

    /// The product with the inverse of the right quaternion.
    public static func / (left: simd_quatf, right: simd_quatf) -> simd_quatf { left * right.inverse }

    /// The sum, part by part.
    public static func + (left: simd_quatf, right: simd_quatf) -> simd_quatf { simd_quatf(vector: left.vector + right.vector) }

    /// The difference, part by part.
    public static func - (left: simd_quatf, right: simd_quatf) -> simd_quatf { simd_quatf(vector: left.vector - right.vector) }

    /// The negative of all parts, which is the same turn.
    public static prefix func - (quaternion: simd_quatf) -> simd_quatf { simd_quatf(vector: -quaternion.vector) }

    /// Multiplies with a quaternion on the right.
    public static func *= (left: inout simd_quatf, right: simd_quatf) { left = left * right }
}
