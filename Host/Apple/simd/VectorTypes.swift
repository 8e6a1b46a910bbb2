// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Vectors by the names of Apple's systems, and how they are made. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// Two numbers in single precision.
public typealias simd_float2 = SIMD2<Float>
/// Three numbers in single precision.
public typealias simd_float3 = SIMD3<Float>
/// Four numbers in single precision.
public typealias simd_float4 = SIMD4<Float>
/// Two numbers in double precision.
public typealias simd_double2 = SIMD2<Double>
/// Three numbers in double precision.
public typealias simd_double3 = SIMD3<Double>
/// Four numbers in double precision.
public typealias simd_double4 = SIMD4<Double>

/// Two numbers in single precision, by an older name.
public typealias vector_float2 = simd_float2
/// Three numbers in single precision, by an older name.
public typealias vector_float3 = simd_float3
/// Four numbers in single precision, by an older name.
public typealias vector_float4 = simd_float4
/// Two numbers in double precision, by an older name.
public typealias vector_double2 = simd_double2
/// Three numbers in double precision, by an older name.
public typealias vector_double3 = simd_double3
/// Four numbers in double precision, by an older name.
public typealias vector_double4 = simd_double4

/// Two whole numbers.
public typealias simd_uint2 = SIMD2<UInt32>
/// Three whole numbers.
public typealias simd_uint3 = SIMD3<UInt32>
/// Two whole numbers, by an older name.
public typealias vector_uint2 = simd_uint2
/// Three whole numbers, by an older name.
public typealias vector_uint3 = simd_uint3

/// Makes a vector of two numbers.
public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { simd_float2(x, y) }

/// Makes a vector of three numbers.
public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { simd_float3(x, y, z) }

/// Makes a vector of the first three numbers of another one.
public func simd_make_float3(_ other: simd_float4) -> simd_float3 { simd_float3(other.x, other.y, other.z) }

/// Makes a vector of two numbers and a third one.
public func simd_make_float3(_ xy: simd_float2, _ z: Float) -> simd_float3 { simd_float3(xy, z) }

/// Makes a vector of four numbers.
public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 { simd_float4(x, y, z, w) }

/// Makes a vector of three numbers and a fourth one.
public func simd_make_float4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { simd_float4(xyz, w) }

/// Makes a vector of two numbers.
public func simd_make_double2(_ x: Double, _ y: Double) -> simd_double2 { simd_double2(x, y) }

/// Makes a vector of three numbers.
public func simd_make_double3(_ x: Double, _ y: Double, _ z: Double) -> simd_double3 { simd_double3(x, y, z) }

/// Makes a vector of four numbers.
public func simd_make_double4(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> simd_double4 { simd_double4(x, y, z, w) }
