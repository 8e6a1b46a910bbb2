// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mesh: vertices in buffers, and parts that name them by their indices. Any thread that alone uses the mesh.

import Foundation
import simd

/// The smallest box along the axes around a mesh.
public struct MDLAxisAlignedBoundingBox: Sendable {
    /// The corner with the greatest coordinates.
    public var maxBounds: vector_float3
    /// The corner with the least coordinates.
    public var minBounds: vector_float3

    /// Makes a box of two corners.
    public init(maxBounds: vector_float3, minBounds: vector_float3) {
        (self.maxBounds, self.minBounds) = (maxBounds, minBounds)
    }

    /// Makes a box without a size at the origin.
    public init() { self.init(maxBounds: .zero, minBounds: .zero) }
}

/// A mesh: vertices in buffers, and parts that name them by their indices.
public final class MDLMesh: NSObject {
    /// The name.
    public var name = ""
    /// The buffers of vertices.
    public var vertexBuffers: [any MDLMeshBuffer]
    /// The number of vertices.
    public var vertexCount: Int
    /// The parts of each vertex and their places.
    public var vertexDescriptor: MDLVertexDescriptor
    /// Objects of the class `MDLSubmesh`.
    public var submeshes: NSMutableArray?
    /// The maker of new buffers.
    public let allocator: any MDLMeshBufferAllocator

    /// Makes a mesh of vertices in several buffers.
    public init(
        vertexBuffers: [any MDLMeshBuffer], vertexCount: Int, descriptor: MDLVertexDescriptor, submeshes: [MDLSubmesh]
    ) {
        (self.vertexBuffers, self.vertexCount, vertexDescriptor) = (vertexBuffers, vertexCount, descriptor)
        self.submeshes = NSMutableArray(array: submeshes)
        allocator = vertexBuffers.first?.allocator ?? MDLMeshBufferDataAllocator()
    }

    /// Makes a mesh of vertices in one buffer.
    public convenience init(
        vertexBuffer: any MDLMeshBuffer, vertexCount: Int, descriptor: MDLVertexDescriptor, submeshes: [MDLSubmesh]
    ) {
        self.init(vertexBuffers: [vertexBuffer], vertexCount: vertexCount, descriptor: descriptor, submeshes: submeshes)
    }

    /// Makes a mesh without vertices.
    public init(bufferAllocator: (any MDLMeshBufferAllocator)?) {
        (vertexBuffers, vertexCount, vertexDescriptor) = ([], 0, MDLVertexDescriptor())
        (submeshes, allocator) = (NSMutableArray(), bufferAllocator ?? MDLMeshBufferDataAllocator())
    }

    /// Makes a mesh without vertices.
    public override convenience init() { self.init(bufferAllocator: nil) }

    /// The smallest box along the axes around all vertices; without a size if none has a position.
    public var boundingBox: MDLAxisAlignedBoundingBox {
        guard let points = positions, let first = points.first else { return MDLAxisAlignedBoundingBox() }
        return points.reduce(into: MDLAxisAlignedBoundingBox(maxBounds: first, minBounds: first)) { box, point in
            box.maxBounds = pointwiseMax(box.maxBounds, point)
            box.minBounds = pointwiseMin(box.minBounds, point)
        }
    }
}
