// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The surface of a mesh as a test sees it: edges, volume, area. Test thread.

import ModelIO

/// The triangles of a mesh, with their corners as points.
struct Surface {
    let triangles: [[simd_float3]]

    init(_ mesh: MDLMesh) throws {
        let geometry = try mesh.geometry()
        triangles = geometry.parts.flatMap { $0 }.map { corners in
            [corners.x, corners.y, corners.z].map { geometry.points[$0] }
        }
    }

    /// An edge from one point to another.
    private struct Edge: Hashable {
        let from, to: simd_float3
    }

    private var edges: [Edge: Int] {
        triangles.reduce(into: [:]) { edges, corners in
            for side in 0..<3 { edges[Edge(from: corners[side], to: corners[(side + 1) % 3]), default: 0] += 1 }
        }
    }

    /// The number of edges that have no neighbour in the other direction, or several.
    var openEdgeCount: Int {
        let edges = edges
        return edges.count { edge, count in count != 1 || edges[Edge(from: edge.to, to: edge.from)] != 1 }
    }

    /// Corners − edges + triangles: 2 for a closed body without a hole.
    var eulerCharacteristic: Int { Set(triangles.flatMap { $0 }).count - edges.count / 2 + triangles.count }

    /// The volume inside; negative if the triangles look inwards.
    var volume: Float { triangles.reduce(0) { $0 + simd_dot($1[0], simd_cross($1[1], $1[2])) / 6 } }

    /// The area of all triangles.
    var area: Float { triangles.reduce(0) { $0 + simd_length(simd_cross($1[1] - $1[0], $1[2] - $1[0])) / 2 } }
}
