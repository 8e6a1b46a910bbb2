// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Vectors by the names of Apple's systems: products, lengths, and how they are made. Test thread.

import Testing
import simd

@Suite struct VectorTests {
    @Test func productsAreThoseOfTheFormulas() {
        let (a, b) = (simd_float3(1, 2, 3), simd_float3(-4, 5, 6))
        #expect(simd_dot(a, b) == 24 && dot(a, b) == 24)
        #expect(simd_cross(a, b) == simd_float3(-3, -18, 13) && cross(b, a) == simd_float3(3, 18, -13))
        // The rule of the right hand: x, y, z.
        #expect(simd_cross(simd_float3(1, 0, 0), simd_float3(0, 1, 0)) == simd_float3(0, 0, 1))
        #expect(simd_dot(simd_float2(3, 4), simd_float2(2, 1)) == 10 && simd_dot(simd_double4(1, 2, 3, 4), .one) == 10)
    }

    @Test func lengthsAndDistancesAreThoseOfTheFormulas() {
        #expect(simd_length(simd_float2(3, 4)) == 5 && length(simd_double2(3, 4)) == 5)
        #expect(simd_length_squared(simd_float4(1, 2, 3, 4)) == 30 && length_squared(simd_float3(1, 2, 2)) == 9)
        #expect(simd_distance(simd_float3(1, 1, 1), simd_float3(2, 3, 3)) == 3)
        #expect(distance(simd_double3(1, 1, 1), simd_double3(2, 3, 3)) == 3)
        #expect(simd_distance_squared(simd_float2(0, 0), simd_float2(3, 4)) == 25)
        #expect(distance_squared(simd_float2(0, 0), simd_float2(3, 4)) == 25)
        #expect(simd_normalize(simd_float3(0, -8, 0)) == simd_float3(0, -1, 0))
        #expect(normalize(simd_float2(3, 4)) == simd_float2(0.6, 0.8))
        #expect(simd_normalize(simd_float3.zero).x.isNaN)
    }

    @Test func mixturesLieBetween() {
        let (a, b) = (simd_float3(0, 10, -2), simd_float3(4, 20, 2))
        #expect(simd_mix(a, b, simd_float3(repeating: 0.25)) == simd_float3(1, 12.5, -1))
        #expect(mix(a, b, t: 0) == a && mix(a, b, t: 1) == b)
        #expect(simd_clamp(a, simd_float3(1, 1, 1), simd_float3(5, 5, 5)) == simd_float3(1, 5, 1))
    }

    @Test func functionsMakeVectorsOfTheirParts() {
        #expect(simd_make_float4(1, 2, 3, 4) == SIMD4<Float>(1, 2, 3, 4))
        #expect(simd_make_float4(simd_make_float3(1, 2, 3), 4) == vector_float4(1, 2, 3, 4))
        #expect(simd_make_float3(simd_make_float2(1, 2), 3) == vector_float3(1, 2, 3))
        #expect(simd_make_float3(simd_float4(1, 2, 3, 4)) == simd_float3(1, 2, 3))
        #expect(simd_make_double2(1, 2) == vector_double2(1, 2) && simd_make_double3(1, 2, 3) == vector_double3(1, 2, 3))
        #expect(simd_make_double4(1, 2, 3, 4) == vector_double4(1, 2, 3, 4) && vector_float2(1, 2) == simd_float2(1, 2))
    }
}
