// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meshes of simple bodies by their extents. Any thread.

import Foundation
import simd

extension MDLMesh {
    /// Makes a mesh of a body; all bodies are made of triangles.
    convenience init(_ shape: MeshShape, inwardNormals: Bool, _ name: String, _ allocator: (any MDLMeshBufferAllocator)?) {
        self.init(bufferAllocator: allocator)
        let shape = inwardNormals ? shape.inverted : shape
        var numbers: [Float] = []
        numbers.reserveCapacity(8 * shape.vertices.count)
        for vertex in shape.vertices {
            numbers += [vertex.point.x, vertex.point.y, vertex.point.z, vertex.normal.x, vertex.normal.y, vertex.normal.z]
            numbers += [vertex.texture.x, vertex.texture.y]
        }
        self.name = name
        vertexCount = shape.vertices.count
        vertexBuffers = [self.allocator.newBuffer(with: Data(bytes: numbers, count: 4 * numbers.count), type: .vertex)]
        let parts = [
            (MDLVertexAttributePosition, MDLVertexFormat.float3, 0), (MDLVertexAttributeNormal, .float3, 12),
            (MDLVertexAttributeTextureCoordinate, .float2, 24),
        ]
        for (name, format, offset) in parts {
            vertexDescriptor.addOrReplaceAttribute(
                MDLVertexAttribute(name: name, format: format, offset: offset, bufferIndex: 0))
        }
        vertexDescriptor.setStride(32, ofBuffer: 0)
        let indices = self.allocator.newBuffer(
            with: Data(bytes: shape.indices, count: 4 * shape.indices.count), type: .index)
        submeshes?.add(
            MDLSubmesh(
                name: name, indexBuffer: indices, indexCount: shape.indices.count, indexType: .uInt32, geometryType: .triangles,
                material: nil))
    }

    /// Makes a box around the origin.
    ///
    /// Like all bodies here it is made of triangles, whatever the type, and of at most 1024 pieces along a direction.
    public convenience init(
        boxWithExtent extent: vector_float3, segments: vector_uint3, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        let pieces = SIMD3(MeshShape.segments(segments.x), MeshShape.segments(segments.y), MeshShape.segments(segments.z))
        self.init(.box(extent, pieces), inwardNormals: inwardNormals, "box", allocator)
    }

    /// Makes an ellipsoid around the origin; its extent is that from the middle, its three radii.
    public convenience init(
        sphereWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) { self.init(.ellipsoid(extent, Self.around(segments, 2)), inwardNormals: inwardNormals, "sphere", allocator) }

    /// Makes the upper half of an ellipsoid, with its three radii and perhaps a floor.
    public convenience init(
        hemisphereWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, cap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        let shape = MeshShape.ellipsoid(extent, Self.around(segments, 1), isHalf: true, hasFloor: cap)
        self.init(shape, inwardNormals: inwardNormals, "hemisphere", allocator)
    }

    /// Makes a cylinder around the origin, as wide, high and deep as its extent.
    public convenience init(
        cylinderWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, topCap: Bool, bottomCap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        let shape = MeshShape.cylinder(extent, Self.around(segments, 1), hasTop: topCap, hasFloor: bottomCap)
        self.init(shape, inwardNormals: inwardNormals, "cylinder", allocator)
    }

    /// Makes a capsule around the origin, as wide, high and deep as its extent, both round ends included.
    public convenience init(
        capsuleWithExtent extent: vector_float3, cylinderSegments segments: vector_uint2, hemisphereSegments: Int32,
        inwardNormals: Bool, geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        let shape = MeshShape.capsule(extent, Self.around(segments, 1), ends: MeshShape.segments(hemisphereSegments))
        self.init(shape, inwardNormals: inwardNormals, "capsule", allocator)
    }

    /// Makes a cone around the origin with its point at the top, as wide, high and deep as its extent.
    public convenience init(
        coneWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, cap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(
            .cone(extent, Self.around(segments, 1), hasFloor: cap), inwardNormals: inwardNormals, "cone", allocator)
    }

    /// Makes a plane around the origin that looks upwards; its extent is the width, and the depth as the last number.
    public convenience init(
        planeWithExtent extent: vector_float3, segments: vector_uint2, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        let pieces = SIMD2(MeshShape.segments(segments.x), MeshShape.segments(segments.y))
        self.init(.plane(extent.x, extent.z, pieces), inwardNormals: false, "plane", allocator)
    }

    /// Makes a body of twenty triangles around the origin; its extent is that from the middle, its three radii.
    public convenience init(
        icosahedronWithExtent extent: vector_float3, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) { self.init(.icosahedron(extent), inwardNormals: inwardNormals, "icosahedron", allocator) }

    /// The pieces around the axis, three at least, and along it.
    private static func around(_ segments: vector_uint2, _ least: Int) -> SIMD2<Int> {
        SIMD2(MeshShape.segments(segments.x, atLeast: 3), MeshShape.segments(segments.y, atLeast: least))
    }
}
