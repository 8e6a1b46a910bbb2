// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The triangles of a mesh, checked, for those who build on them. Any thread that alone uses the mesh.

import Foundation
import simd

/// The points of a mesh, and the triangles of each of its parts.
package struct MeshGeometry: Sendable {
    /// The position of each vertex.
    package var points: [simd_float3]
    /// The corners of the triangles of each part, against the clock as seen from outside.
    package var parts: [[SIMD3<Int>]]
}

/// The reason why a mesh has no triangles.
package struct MeshDefect: Error, Hashable {
    /// The reason in one sentence.
    package let sentence: String
}

extension MDLMesh {
    /// The triangles of all parts; each index is one of a point, and each coordinate a number.
    package func geometry() throws(MeshDefect) -> MeshGeometry {
        guard let points = positions else {
            throw MeshDefect(sentence: "The mesh \"\(name)\" has no positions in three numbers for its \(vertexCount) vertices.")
        }
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }) else {
            throw MeshDefect(sentence: "The mesh \"\(name)\" has a position that is not a number.")
        }
        var parts: [[SIMD3<Int>]] = []
        for part in submeshes ?? [] {
            guard let part = part as? MDLSubmesh else {
                throw MeshDefect(sentence: "The mesh \"\(name)\" has a part that is no MDLSubmesh.")
            }
            parts.append(try part.triangles(amongst: points.count))
        }
        return MeshGeometry(points: points, parts: parts)
    }
}

extension MDLSubmesh {
    fileprivate func triangles(amongst count: Int) throws(MeshDefect) -> [SIMD3<Int>] {
        let indices = try indices()
        if let wrong = indices.first(where: { $0 >= count }) {
            throw MeshDefect(sentence: "The part \"\(name)\" of a mesh has the index \(wrong), and there are \(count) vertices.")
        }
        func corners(_ steps: Int, _ length: Int) -> [Int] { Array(stride(from: 0, through: indices.count - length, by: steps)) }
        switch geometryType {
        case .triangles: return corners(3, 3).map { SIMD3(indices[$0], indices[$0 + 1], indices[$0 + 2]) }
        case .triangleStrips:
            // Every other triangle goes the other way round.
            return corners(1, 3).map { SIMD3(indices[$0], indices[$0 + 1 + $0 % 2], indices[$0 + 2 - $0 % 2]) }
        case .quads:
            return corners(4, 4).flatMap { start in
                let corner = indices[start...]
                return [
                    SIMD3(corner[start], corner[start + 1], corner[start + 2]),
                    SIMD3(corner[start], corner[start + 2], corner[start + 3]),
                ]
            }
        case .points, .lines, .variableTopology:
            throw MeshDefect(sentence: "The part \"\(name)\" of a mesh has no triangles; make it of triangles, strips or quads.")
        }
    }

    private func indices() throws(MeshDefect) -> [Int] {
        let size = Int(indexType.rawValue) / 8
        let (byteCount, isTooLarge) = indexCount.multipliedReportingOverflow(by: size)
        guard size > 0, indexCount >= 0, !isTooLarge, byteCount <= indexBuffer.length else {
            throw MeshDefect(
                sentence:
                    "The part \"\(name)\" of a mesh has \(indexCount) indices, and its \(indexBuffer.length) bytes hold fewer.")
        }
        let map = indexBuffer.map()
        let bytes = UnsafeRawPointer(map.bytes)
        return withExtendedLifetime(map) {
            (0..<indexCount).map { index in
                switch indexType {
                case .uInt8: Int(bytes.loadUnaligned(fromByteOffset: index, as: UInt8.self))
                case .uInt16: Int(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
                default: Int(bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
                }
            }
        }
    }
}
