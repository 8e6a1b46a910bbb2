// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parts of a mesh's vertices, added and read. Any thread that alone uses the mesh.

import Foundation
import simd

extension MDLMesh {
    /// Adds a part of each vertex in a buffer of its own.
    ///
    /// The first one that is added decides how many vertices there are; without a stride they lie side by side.
    public func addAttribute(withName name: String, format: MDLVertexFormat, type: String, data: Data, stride: Int) {
        let stride = stride > 0 ? stride : format.byteCount
        if vertexCount == 0, stride > 0 { vertexCount = (data.count + stride - format.byteCount) / stride }
        add(
            allocator.newBuffer(with: data, type: .vertex),
            MDLVertexAttribute(name: name, format: format, offset: 0, bufferIndex: 0), stride)
    }

    /// Adds a part of zeros to each vertex, in a buffer of its own.
    public func addAttribute(withName name: String, format: MDLVertexFormat) {
        let (byteCount, isTooLarge) = format.byteCount.multipliedReportingOverflow(by: max(0, vertexCount))
        guard !isTooLarge else { return }
        add(
            allocator.newBuffer(byteCount, type: .vertex),
            MDLVertexAttribute(name: name, format: format, offset: 0, bufferIndex: 0), format.byteCount)
    }

    private func add(_ buffer: any MDLMeshBuffer, _ attribute: MDLVertexAttribute, _ stride: Int) {
        attribute.bufferIndex = vertexBuffers.count
        vertexBuffers.append(buffer)
        vertexDescriptor.addOrReplaceAttribute(attribute)
        vertexDescriptor.setStride(stride, ofBuffer: attribute.bufferIndex)
    }

    /// Access to one part of all vertices; nil if there is none, or if a buffer is too small for it.
    public func vertexAttributeData(forAttributeNamed name: String) -> MDLVertexAttributeData? {
        guard let attribute = vertexDescriptor.attributeNamed(name), vertexBuffers.indices.contains(attribute.bufferIndex),
            let stride = vertexDescriptor.stride(ofBuffer: attribute.bufferIndex)
        else { return nil }
        let (buffer, offset) = (vertexBuffers[attribute.bufferIndex], attribute.offset)
        guard offset >= 0, offset <= buffer.length else { return nil }
        let byteCount = buffer.length - offset
        guard vertexCount <= 0 || holds(byteCount, stride, attribute.format.byteCount) else { return nil }
        return MDLVertexAttributeData(
            buffer.map(), offset: offset, stride: stride, format: attribute.format, byteCount: byteCount)
    }

    /// Whether so many bytes hold a part of all vertices.
    private func holds(_ byteCount: Int, _ stride: Int, _ size: Int) -> Bool {
        guard stride >= 0 else { return false }
        let (span, isTooLong) = stride.multipliedReportingOverflow(by: vertexCount - 1)
        return !isTooLong && byteCount >= size && span <= byteCount - size
    }

    /// Three numbers of each vertex; nil if there are none.
    func vectors(_ name: String) -> [simd_float3]? {
        guard vertexCount > 0, let data = vertexAttributeData(forAttributeNamed: name),
            data.format == .float3 || data.format == .float4
        else { return nil }
        return withExtendedLifetime(data) {
            (0..<vertexCount).map { index in
                let place = UnsafeRawPointer(data.dataStart) + index * data.stride
                func number(_ lane: Int) -> Float { place.loadUnaligned(fromByteOffset: 4 * lane, as: Float.self) }
                return simd_float3(number(0), number(1), number(2))
            }
        }
    }

    /// The position of each vertex; nil if they have none.
    var positions: [simd_float3]? { vectors(MDLVertexAttributePosition) }
}
