// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meshes of simple bodies by their radii, as older programs make them. Any thread.

import Foundation
import simd

extension MDLMesh {
    /// Makes a box around the origin.
    public class func newBox(
        withDimensions dimensions: vector_float3, segments: vector_uint3, geometryType: MDLGeometryType, inwardNormals: Bool,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            boxWithExtent: dimensions, segments: segments, inwardNormals: inwardNormals, geometryType: geometryType,
            allocator: allocator)
    }

    /// Makes an ellipsoid around the origin, or its upper half without a floor.
    public class func newEllipsoid(
        withRadii radii: vector_float3, radialSegments: Int, verticalSegments: Int, geometryType: MDLGeometryType,
        inwardNormals: Bool, hemisphere: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        let segments = vector_uint2(UInt32(clamping: radialSegments), UInt32(clamping: verticalSegments))
        if hemisphere {
            return MDLMesh(
                hemisphereWithExtent: radii, segments: segments, inwardNormals: inwardNormals, cap: false,
                geometryType: geometryType, allocator: allocator)
        }
        return MDLMesh(
            sphereWithExtent: radii, segments: segments, inwardNormals: inwardNormals, geometryType: geometryType,
            allocator: allocator)
    }

    /// Makes a closed cylinder around the origin.
    public class func newCylinder(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            cylinderWithExtent: vector_float3(2 * radii.x, height, 2 * radii.y),
            segments: vector_uint2(UInt32(clamping: radialSegments), UInt32(clamping: verticalSegments)),
            inwardNormals: inwardNormals, topCap: true, bottomCap: true, geometryType: geometryType, allocator: allocator)
    }

    /// Makes a closed cone around the origin with its point at the top.
    public class func newEllipticalCone(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            coneWithExtent: vector_float3(2 * radii.x, height, 2 * radii.y),
            segments: vector_uint2(UInt32(clamping: radialSegments), UInt32(clamping: verticalSegments)),
            inwardNormals: inwardNormals, cap: true, geometryType: geometryType, allocator: allocator)
    }

    /// Makes a capsule around the origin; the height includes both round ends.
    public class func newCapsule(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int, hemisphereSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            capsuleWithExtent: vector_float3(2 * radii.x, height, 2 * radii.y),
            cylinderSegments: vector_uint2(UInt32(clamping: radialSegments), UInt32(clamping: verticalSegments)),
            hemisphereSegments: Int32(clamping: hemisphereSegments), inwardNormals: inwardNormals, geometryType: geometryType,
            allocator: allocator)
    }

    /// Makes a plane around the origin that looks upwards.
    public class func newPlane(
        withDimensions dimensions: vector_float2, segments: vector_uint2, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            planeWithExtent: vector_float3(dimensions.x, 0, dimensions.y), segments: segments, geometryType: geometryType,
            allocator: allocator)
    }

    /// Makes a body of twenty triangles, whose corners lie on a sphere.
    public class func newIcosahedron(
        withRadius radius: Float, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        MDLMesh(
            icosahedronWithExtent: vector_float3(repeating: radius), inwardNormals: inwardNormals, geometryType: geometryType,
            allocator: allocator)
    }

    /// Makes a body of twenty triangles, whose corners lie on a sphere.
    public class func newIcosahedron(
        withRadius radius: Float, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> MDLMesh {
        newIcosahedron(withRadius: radius, inwardNormals: inwardNormals, geometryType: .triangles, allocator: allocator)
    }
}
