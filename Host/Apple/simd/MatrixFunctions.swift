// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Matrices by functions, as programs in C have them. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// Makes a matrix from its columns.
public func simd_matrix(_ first: simd_float3, _ second: simd_float3, _ third: simd_float3) -> simd_float3x3 {
    simd_float3x3(first, second, third)
}

/// Makes a matrix from its columns.
public func simd_matrix(
    _ first: simd_float4, _ second: simd_float4, _ third: simd_float4, _ fourth: simd_float4
) -> simd_float4x4 { simd_float4x4(first, second, third, fourth) }

/// Makes the matrix that turns a vector as a quaternion of length 1 does.
public func simd_matrix3x3(_ quaternion: simd_quatf) -> simd_float3x3 { simd_float3x3(quaternion) }

/// Makes the matrix that turns a point around the origin as a quaternion of length 1 does.
public func simd_matrix4x4(_ quaternion: simd_quatf) -> simd_float4x4 { simd_float4x4(quaternion) }

/// The matrix that does as the right one does first, and then as the left one.
public func simd_mul(_ left: simd_float3x3, _ right: simd_float3x3) -> simd_float3x3 { left * right }

/// The vector behind a matrix.
public func simd_mul(_ left: simd_float3x3, _ right: simd_float3) -> simd_float3 { left * right }

/// The matrix that does as the right one does first, and then as the left one.
public func simd_mul(_ left: simd_float4x4, _ right: simd_float4x4) -> simd_float4x4 { left * right }

/// The vector behind a matrix.
public func simd_mul(_ left: simd_float4x4, _ right: simd_float4) -> simd_float4 { left * right }

/// The matrix that does as the right one does first, and then as the left one.
public func matrix_multiply(_ left: simd_float3x3, _ right: simd_float3x3) -> simd_float3x3 { left * right }

/// The vector behind a matrix.
public func matrix_multiply(_ left: simd_float3x3, _ right: simd_float3) -> simd_float3 { left * right }

/// The matrix that does as the right one does first, and then as the left one.
public func matrix_multiply(_ left: simd_float4x4, _ right: simd_float4x4) -> simd_float4x4 { left * right }

/// The vector behind a matrix.
public func matrix_multiply(_ left: simd_float4x4, _ right: simd_float4) -> simd_float4 { left * right }

/// The matrix that takes another one back; its numbers are not finite if the determinant is 0.
public func simd_inverse(_ matrix: simd_float3x3) -> simd_float3x3 { matrix.inverse }

/// The matrix that takes another one back; its numbers are not finite if the determinant is 0.
public func simd_inverse(_ matrix: simd_float4x4) -> simd_float4x4 { matrix.inverse }

/// A matrix with rows and columns exchanged.
public func simd_transpose(_ matrix: simd_float3x3) -> simd_float3x3 { matrix.transpose }

/// A matrix with rows and columns exchanged.
public func simd_transpose(_ matrix: simd_float4x4) -> simd_float4x4 { matrix.transpose }

/// The volume of a cube of volume 1 behind a matrix; negative if the matrix mirrors.
public func simd_determinant(_ matrix: simd_float3x3) -> Float { matrix.determinant }

/// The volume of a cube of volume 1 behind a matrix; negative if the matrix mirrors.
public func simd_determinant(_ matrix: simd_float4x4) -> Float { matrix.determinant }

/// Whether all numbers of two matrices are equal.
public func simd_equal(_ left: simd_float3x3, _ right: simd_float3x3) -> Bool { left == right }

/// Whether all numbers of two matrices are equal.
public func simd_equal(_ left: simd_float4x4, _ right: simd_float4x4) -> Bool { left == right }
