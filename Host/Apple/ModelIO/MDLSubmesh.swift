// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A part of a mesh: some of its surfaces, of one material. Any thread that alone uses the mesh.

import Foundation

/// The surfaces that the indices of a part make.
public enum MDLGeometryType: Int, Sendable {
    /// A point for each index.
    case points
    /// A line for every two indices.
    case lines
    /// A triangle for every three indices.
    case triangles
    /// A triangle for every index and the two before it.
    case triangleStrips
    /// A surface of four corners for every four indices.
    case quads
    /// Surfaces with different numbers of corners.
    case variableTopology
}

/// The size of an index.
public enum MDLIndexBitDepth: UInt, Sendable {
    /// No size.
    case invalid = 0
    /// A byte.
    case uInt8 = 8
    /// Two bytes.
    case uInt16 = 16
    /// Four bytes.
    case uInt32 = 32
}

/// A part of a mesh: some of its surfaces, of one material.
public final class MDLSubmesh: NSObject {
    /// The name.
    public var name: String
    /// The indices of the vertices.
    public let indexBuffer: any MDLMeshBuffer
    /// The number of indices.
    public let indexCount: Int
    /// The size of an index.
    public let indexType: MDLIndexBitDepth
    /// The surfaces that the indices make.
    public let geometryType: MDLGeometryType
    /// The material.
    public var material: MDLMaterial?

    /// Makes a part with a name.
    public init(
        name: String, indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth,
        geometryType: MDLGeometryType, material: MDLMaterial?
    ) {
        (self.name, self.indexBuffer, self.indexCount, self.indexType) = (name, indexBuffer, indexCount, indexType)
        (self.geometryType, self.material) = (geometryType, material)
    }

    /// Makes a part without a name.
    public convenience init(
        indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType,
        material: MDLMaterial?
    ) {
        self.init(
            name: "", indexBuffer: indexBuffer, indexCount: indexCount, indexType: indexType, geometryType: geometryType,
            material: material)
    }
}
