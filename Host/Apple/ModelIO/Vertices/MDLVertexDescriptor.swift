// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parts of each vertex and the layouts of the buffers. Any thread that alone uses the mesh.

import Foundation

/// The parts of each vertex, and the layouts of the buffers that hold them.
public final class MDLVertexDescriptor: NSObject {
    /// The most parts of a vertex, and the most buffers.
    static let mostEntries = 31

    /// Objects of the class `MDLVertexAttribute`; those without a name do not count.
    public var attributes: NSMutableArray
    /// Objects of the class `MDLVertexBufferLayout`, one for each buffer.
    public var layouts: NSMutableArray

    /// Makes a description without parts.
    public override init() {
        attributes = NSMutableArray(array: (0..<Self.mostEntries).map { _ in MDLVertexAttribute() })
        layouts = NSMutableArray(array: (0..<Self.mostEntries).map { _ in MDLVertexBufferLayout() })
    }

    /// Makes a copy.
    public convenience init(vertexDescriptor: MDLVertexDescriptor) {
        self.init()
        attributes.setArray(vertexDescriptor.attributes.map { ($0 as? MDLVertexAttribute)?.copy() ?? $0 })
        layouts.setArray(vertexDescriptor.layouts.map { ($0 as? MDLVertexBufferLayout)?.copy() ?? $0 })
    }

    /// The part of a name; nil if there is none.
    public func attributeNamed(_ name: String) -> MDLVertexAttribute? {
        attributes.lazy.compactMap { $0 as? MDLVertexAttribute }.first { $0.name == name && $0.format != .invalid }
    }

    /// Adds a part, or puts it in the place of the part with the same name.
    public func addOrReplaceAttribute(_ attribute: MDLVertexAttribute) {
        let names = attributes.map { ($0 as? MDLVertexAttribute)?.name ?? "" }
        if let index = names.firstIndex(of: attribute.name) ?? names.firstIndex(of: "") {
            attributes.replaceObject(at: index, with: attribute)
        } else {
            attributes.add(attribute)
        }
    }

    /// The bytes between the vertices of a buffer; nil without a layout.
    func stride(ofBuffer index: Int) -> Int? {
        guard index >= 0, index < layouts.count else { return nil }
        return (layouts[index] as? MDLVertexBufferLayout)?.stride
    }

    /// Sets the bytes between the vertices of a buffer.
    func setStride(_ stride: Int, ofBuffer index: Int) {
        while layouts.count <= index { layouts.add(MDLVertexBufferLayout()) }
        layouts.replaceObject(at: index, with: MDLVertexBufferLayout(stride: stride))
    }
}

/// Access to one part of all vertices.
public final class MDLVertexAttributeData: NSObject {
    /// The access to the memory.
    public let map: MDLMeshBufferMap
    /// The part of the first vertex.
    public let dataStart: UnsafeMutableRawPointer
    /// The bytes from one vertex to the next one.
    public let stride: Int
    /// The form.
    public let format: MDLVertexFormat
    /// The bytes from `dataStart` to the end.
    public let bufferSize: Int

    init(_ map: MDLMeshBufferMap, offset: Int, stride: Int, format: MDLVertexFormat, byteCount: Int) {
        (self.map, dataStart) = (map, map.bytes + offset)
        (self.stride, self.format, bufferSize) = (stride, format, byteCount)
    }
}
