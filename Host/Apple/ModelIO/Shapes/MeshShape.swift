// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The vertices and triangles of a simple body. Any thread.

import simd

/// The vertices and triangles of a simple body.
struct MeshShape {
    /// A vertex.
    struct Vertex {
        var point: simd_float3
        var normal: simd_float3
        var texture: simd_float2
    }

    /// The most pieces along one direction.
    static let mostSegments = 1024

    private(set) var vertices: [Vertex] = []
    /// Three indices for each triangle, against the clock as seen from outside.
    private(set) var indices: [UInt32] = []

    /// Takes a number of pieces to one that is possible.
    static func segments(_ wanted: some BinaryInteger, atLeast least: Int = 1) -> Int {
        max(least, min(mostSegments, Int(clamping: wanted)))
    }

    /// Adds a vertex, and returns its index.
    mutating func add(_ vertex: Vertex) -> UInt32 {
        vertices.append(vertex)
        return UInt32(truncatingIfNeeded: vertices.count - 1)
    }

    /// Adds a triangle, unless two of its corners lie at one point.
    mutating func addTriangle(_ a: UInt32, _ b: UInt32, _ c: UInt32) {
        let points = [a, b, c].map { vertices[Int($0)].point }
        guard points[0] != points[1], points[1] != points[2], points[2] != points[0] else { return }
        indices += [a, b, c]
    }

    /// Adds a surface of rows and columns of vertices.
    ///
    /// The outside is where the way along the rows, crossed with the way along the columns, leads.
    mutating func addGrid(columns: Int, rows: Int, _ vertex: (_ column: Int, _ row: Int) -> Vertex) {
        let first = UInt32(truncatingIfNeeded: vertices.count)
        for row in 0...rows {
            for column in 0...columns { vertices.append(vertex(column, row)) }
        }
        let width = UInt32(truncatingIfNeeded: columns + 1)
        for row in 0..<UInt32(truncatingIfNeeded: rows) {
            for column in 0..<width - 1 {
                let a = first + row * width + column
                addTriangle(a, a + width, a + 1)
                addTriangle(a + width, a + width + 1, a + 1)
            }
        }
    }

    /// The same body, seen from inside.
    var inverted: MeshShape {
        var other = self
        for index in vertices.indices { other.vertices[index].normal = -vertices[index].normal }
        for start in stride(from: 0, to: indices.count, by: 3) { other.indices.swapAt(start + 1, start + 2) }
        return other
    }

    /// A direction of length 1; upwards for one without a length.
    static func unit(_ direction: simd_float3) -> simd_float3 {
        let unit = simd_normalize(direction)
        return unit.x.isFinite && unit.y.isFinite && unit.z.isFinite ? unit : simd_float3(0, 1, 0)
    }
}
