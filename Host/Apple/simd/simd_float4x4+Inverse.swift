// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The determinant and the inverse of a matrix of four columns, by the volumes of three columns each. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

extension simd_float4x4 {
    /// The volume of a cube of volume 1 behind the matrix; negative if the matrix mirrors.
    public var determinant: Float {
        let (a, b, c, d) = columns
        return simd_dot(a, Self.normal(b, c, d))
    }

    /// The matrix that takes this one back; its numbers are not finite if the determinant is 0.
    public var inverse: simd_float4x4 {
        let (a, b, c, d) = columns
        let rows = [Self.normal(b, c, d), -Self.normal(a, c, d), Self.normal(a, b, d), -Self.normal(a, b, c)]
        return simd_float4x4(rows: rows) * (1 / simd_dot(a, rows[0]))
    }

    /// The vector at right angles to three others; its length is the volume between them.
    private static func normal(_ u: simd_float4, _ v: simd_float4, _ w: simd_float4) -> simd_float4 {
        func volume(_ lanes: SIMD3<Int>) -> Float {
            func part(_ vector: simd_float4) -> simd_float3 { simd_float3(vector[lanes.x], vector[lanes.y], vector[lanes.z]) }
            return simd_dot(part(u), simd_cross(part(v), part(w)))
        }
        return simd_float4(
            volume(SIMD3(1, 2, 3)), -volume(SIMD3(0, 2, 3)), volume(SIMD3(0, 1, 3)), -volume(SIMD3(0, 1, 2)))
    }
}
