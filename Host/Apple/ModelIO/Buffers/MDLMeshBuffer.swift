// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The protocols of memory for the vertices and indices of meshes. Any thread that alone uses the mesh.

import Foundation

/// The content of a buffer.
public enum MDLMeshBufferType: UInt, Sendable {
    /// Vertices.
    case vertex = 1
    /// Indices of vertices.
    case index = 2
}

/// The memory of vertices or indices.
public protocol MDLMeshBuffer: NSObjectProtocol {
    /// The size in bytes.
    var length: Int { get }
    /// The maker of the memory.
    var allocator: any MDLMeshBufferAllocator { get }
    /// The content.
    var type: MDLMeshBufferType { get }

    /// Writes bytes from a place on; those beyond the end are left out.
    func fill(_ data: Data, offset: Int)
    /// Gives access to the memory, as long as the result lives.
    func map() -> MDLMeshBufferMap
}

/// Makes memory for vertices and indices.
public protocol MDLMeshBufferAllocator: NSObjectProtocol {
    /// Makes memory of zeros.
    func newBuffer(_ length: Int, type: MDLMeshBufferType) -> any MDLMeshBuffer
    /// Makes memory with a content.
    func newBuffer(with data: Data, type: MDLMeshBufferType) -> any MDLMeshBuffer
}

/// Access to the memory of a buffer.
public final class MDLMeshBufferMap: NSObject {
    /// The first byte.
    public let bytes: UnsafeMutableRawPointer
    private let deallocator: (() -> Void)?

    /// Takes the first byte, and an action for the end of the access.
    public init(bytes: UnsafeMutableRawPointer, deallocator: (() -> Void)? = nil) {
        (self.bytes, self.deallocator) = (bytes, deallocator)
    }

    deinit { deallocator?() }
}
