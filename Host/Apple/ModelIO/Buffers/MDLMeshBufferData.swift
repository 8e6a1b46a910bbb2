// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Memory of this process for the vertices and indices of meshes. Any thread that alone uses the mesh.

import Foundation

/// Memory of this process for vertices or indices.
public final class MDLMeshBufferData: NSObject, MDLMeshBuffer {
    private let memory: UnsafeMutableRawBufferPointer
    /// The content.
    public let type: MDLMeshBufferType

    /// Makes memory of zeros.
    public init(type: MDLMeshBufferType, length: Int) {
        // At least a byte, so that there is an address.
        memory = .allocate(byteCount: max(1, length), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        (self.type, self.length) = (type, max(0, length))
    }

    /// Makes memory with a content.
    public convenience init(type: MDLMeshBufferType, data: Data?) {
        self.init(type: type, length: data?.count ?? 0)
        if let data { fill(data, offset: 0) }
    }

    deinit { memory.deallocate() }

    /// The size in bytes.
    public let length: Int

    /// The maker of the memory.
    public var allocator: any MDLMeshBufferAllocator { MDLMeshBufferDataAllocator() }

    /// A copy of the bytes.
    public var data: Data { Data(memory.prefix(length)) }

    /// Writes bytes from a place on; those beyond the end are left out.
    public func fill(_ data: Data, offset: Int) {
        guard offset >= 0, offset < length else { return }
        data.prefix(length - offset).withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
        }
    }

    /// Gives access to the memory, which lives as long as the result.
    public func map() -> MDLMeshBufferMap {
        let kept = self
        // Cannot trap: there is at least a byte.
        return MDLMeshBufferMap(bytes: memory.baseAddress!) { withExtendedLifetime(kept) {} }
    }
}

/// Makes buffers in the memory of this process.
public final class MDLMeshBufferDataAllocator: NSObject, MDLMeshBufferAllocator {
    /// Makes an allocator.
    public override init() {}

    /// Makes memory of zeros.
    public func newBuffer(_ length: Int, type: MDLMeshBufferType) -> any MDLMeshBuffer {
        MDLMeshBufferData(type: type, length: length)
    }

    /// Makes memory with a content.
    public func newBuffer(with data: Data, type: MDLMeshBufferType) -> any MDLMeshBuffer {
        MDLMeshBufferData(type: type, data: data)
    }
}
