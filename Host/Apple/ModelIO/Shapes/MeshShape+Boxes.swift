// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Boxes, planes and icosahedra. Any thread.

import simd

extension MeshShape {
    /// A box around the origin.
    static func box(_ extent: simd_float3, _ segments: SIMD3<Int>) -> MeshShape {
        var shape = MeshShape()
        // The axes of each side: of its columns, of its rows, and outwards; rows crossed with columns lead outwards.
        for (column, row, out) in [(2, 1, 0), (0, 2, 1), (1, 0, 2)] {
            for sign in [Float(1), -1] {
                shape.addGrid(columns: segments[column], rows: segments[row]) { x, y in
                    let place = (sign > 0 ? x : segments[column] - x, y)
                    var (point, normal) = (simd_float3.zero, simd_float3.zero)
                    // The same numbers for two sides that meet.
                    point[column] = extent[column] * (Float(place.0) / Float(segments[column]) - 0.5)
                    point[row] = extent[row] * (Float(place.1) / Float(segments[row]) - 0.5)
                    point[out] = extent[out] * 0.5 * sign
                    normal[out] = sign
                    return Vertex(
                        point: point, normal: normal,
                        texture: simd_float2(Float(x) / Float(segments[column]), Float(y) / Float(segments[row])))
                }
            }
        }
        return shape
    }

    /// A plane around the origin that looks upwards.
    static func plane(_ width: Float, _ depth: Float, _ segments: SIMD2<Int>) -> MeshShape {
        var shape = MeshShape()
        shape.addGrid(columns: segments.x, rows: segments.y) { x, z in
            let (u, v) = (Float(x) / Float(segments.x), Float(z) / Float(segments.y))
            return Vertex(
                point: simd_float3(width * (u - 0.5), 0, depth * (v - 0.5)), normal: simd_float3(0, 1, 0),
                texture: simd_float2(u, v))
        }
        return shape
    }

    /// A body of twenty triangles, whose corners lie on an ellipsoid.
    static func icosahedron(_ radii: simd_float3) -> MeshShape {
        let golden = (1 + Float(5).squareRoot()) / 2
        var corners: [simd_float3] = []
        for sign in [Float(1), -1] {
            for other in [golden, -golden] {
                corners += [simd_float3(0, sign, other), simd_float3(sign, other, 0), simd_float3(other, 0, sign)]
            }
        }
        var shape = MeshShape()
        for corner in corners {
            let unit = simd_normalize(corner)
            let texture = simd_float2(atan2(unit.z, unit.x) / (2 * .pi) + 0.5, unit.y / 2 + 0.5)
            _ = shape.add(Vertex(point: unit * radii, normal: MeshShape.unit(unit / radii), texture: texture))
        }
        // Neighbours are two apart, where the others are more.
        func near(_ a: Int, _ b: Int) -> Bool { a < b && simd_distance(corners[a], corners[b]) < 2.5 }
        for a in corners.indices {
            for b in corners.indices where near(a, b) {
                for c in corners.indices where near(b, c) && near(a, c) {
                    let out = simd_dot(corners[a], simd_cross(corners[b], corners[c])) > 0
                    let (second, third) = out ? (b, c) : (c, b)
                    shape.addTriangle(UInt32(a), UInt32(second), UInt32(third))
                }
            }
        }
        return shape
    }
}
