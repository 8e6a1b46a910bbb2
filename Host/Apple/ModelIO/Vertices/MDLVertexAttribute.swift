// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A part of each vertex: its name, its form and its place. Any thread that alone uses the mesh.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation

/// The position of a vertex.
public let MDLVertexAttributePosition = "position"
/// The direction that a surface looks to.
public let MDLVertexAttributeNormal = "normal"
/// The place in a texture.
public let MDLVertexAttributeTextureCoordinate = "textureCoordinate"

/// The form of a part of a vertex.
public enum MDLVertexFormat: UInt, Sendable {
    /// No form.
    case invalid = 0
    /// One number in single precision.
    case float = 0xC0001
    /// Two numbers in single precision.
    case float2 = 0xC0002
    /// Three numbers in single precision.
    case float3 = 0xC0003
    /// Four numbers in single precision.
    case float4 = 0xC0004

    /// The size in bytes.
    var byteCount: Int { Int(rawValue & 0xFF) * MemoryLayout<Float>.size }
}

/// A part of each vertex.
public final class MDLVertexAttribute: NSObject, NSCopying {
    /// The name, such as `MDLVertexAttributePosition`.
    public var name: String
    /// The form.
    public var format: MDLVertexFormat
    /// The place in bytes after the beginning of the vertex.
    public var offset: Int
    /// The number of the buffer.
    public var bufferIndex: Int

    /// Describes a part of each vertex.
    public init(name: String, format: MDLVertexFormat, offset: Int, bufferIndex: Int) {
        (self.name, self.format, self.offset, self.bufferIndex) = (name, format, offset, bufferIndex)
    }

    /// Describes no part.
    public override convenience init() { self.init(name: "", format: .invalid, offset: 0, bufferIndex: 0) }

    /// A copy.
    public func copy(with zone: NSZone? = nil) -> Any {
        MDLVertexAttribute(name: name, format: format, offset: offset, bufferIndex: bufferIndex)
    }
}

/// The distance between the vertices of a buffer.
public final class MDLVertexBufferLayout: NSObject, NSCopying {
    /// The bytes from one vertex to the next one.
    public var stride: Int

    /// Takes the bytes from one vertex to the next one.
    public init(stride: Int) { self.stride = stride }

    /// Makes a layout of no bytes.
    public override convenience init() { self.init(stride: 0) }

    /// A copy.
    public func copy(with zone: NSZone? = nil) -> Any { MDLVertexBufferLayout(stride: stride) }
}
