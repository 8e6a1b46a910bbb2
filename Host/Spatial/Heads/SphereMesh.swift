// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The whole sphere as triangles between directions, and the smooth mean in the middle of an edge. Control thread.

import Glibc

/// Directions, and the triangles between them, which cover the whole sphere.
struct SphereMesh {
    /// Directions of length 1.
    private(set) var directions: [SpacePoint]
    /// The corners of each triangle, anticlockwise as seen from outside.
    private(set) var triangles: [SIMD3<Int>]
    /// A triangle, and the directions in the middle of its edges, each with the number of the corner that is opposite.
    typealias Element = (corners: SIMD3<Int>, middles: SIMD3<Int>)
    /// The triangles before the last subdivision.
    private var wholes: [Element] = []

    /// The mesh of directions; nil if their triangles leave a part of the sphere open, or if a direction is no corner.
    init?(_ directions: [SpacePoint]) {
        guard let hull = ConvexHull(directions) else { return nil }
        (self.directions, triangles) = (directions, hull.triangles)
        let corners = Set(triangles.flatMap { [$0.x, $0.y, $0.z] })
        guard corners.count == directions.count, triangles.count == 2 * directions.count - 4,
            triangles.allSatisfy({ volume($0) > 1e-9 })
        else { return nil }
    }

    /// True if triangles have directions in the middle of their edges.
    var isCurved: Bool { !wholes.isEmpty }

    /// The triangles between which values are interpolated: those before the last subdivision, if there was one.
    ///
    /// Without a subdivision corners stand for the middles, which do not count.
    var elements: [Element] { isCurved ? wholes : triangles.map { ($0, $0) } }

    /// Six times the volume between a triangle and the middle of the sphere.
    private func volume(_ corners: SIMD3<Int>) -> Double {
        directions[corners.x].dot(directions[corners.y].cross(directions[corners.z]))
    }

    /// The directions beside each one.
    var neighbours: [[Int]] {
        var neighbours = [[Int]](repeating: [], count: directions.count)
        for corners in triangles { for edge in 0..<3 { neighbours[corners[edge]].append(corners[(edge + 1) % 3]) } }
        return neighbours
    }

    /// The share of the sphere that belongs to each direction: a third of the solid angle of its triangles.
    var areas: [Double] {
        var areas = [Double](repeating: 0, count: directions.count)
        for corners in triangles {
            let share = solidAngle(corners) / (12 * .pi)
            for corner in 0..<3 { areas[corners[corner]] += share }
        }
        return areas
    }

    /// The solid angle of a triangle.
    ///
    /// Source: A. van Oosterom and J. Strackee, "The Solid Angle of a Plane Triangle" (1983).
    private func solidAngle(_ corners: SIMD3<Int>) -> Double {
        let (a, b, c) = (directions[corners.x], directions[corners.y], directions[corners.z])
        return 2 * atan2(volume(corners), 1 + a.dot(b) + b.dot(c) + c.dot(a))
    }

    /// A mean of values at directions, with a weight for each.
    typealias Mean = [(index: Int, weight: Double)]

    /// Puts a direction into the middle of each edge, and returns the mean that its value is.
    ///
    /// Along an edge the value is a cubic curve, whose slopes at both ends are those of a plane through the neighbours. So a path along
    /// several edges has no bend at a measured direction. A long edge, as over an unmeasured cap, is straight.
    mutating func subdivide() -> [Mean] {
        let slopes = SphereSlopes(self)
        let (old, oldCount) = (triangles, directions.count)
        var (middles, means): ([SIMD2<Int>: Int], [Mean]) = ([:], [])
        func middle(_ a: Int, _ b: Int) -> Int {
            let edge = SIMD2(min(a, b), max(a, b))
            if let known = middles[edge] { return known }
            let sum = directions[a] + directions[b]
            directions.append(sum / sum.dot(sum).squareRoot())
            means.append(slopes.middle(a, b))
            middles[edge] = oldCount + means.count - 1
            return oldCount + means.count - 1
        }
        wholes = old.map { corners in
            let (a, b, c) = (corners.x, corners.y, corners.z)
            return (corners, SIMD3(middle(b, c), middle(c, a), middle(a, b)))
        }
        triangles = wholes.flatMap { corners, middles in
            let ((a, b, c), (bc, ca, ab)) = ((corners.x, corners.y, corners.z), (middles.x, middles.y, middles.z))
            return [SIMD3(a, ab, ca), SIMD3(ab, b, bc), SIMD3(ca, bc, c), SIMD3(ab, bc, ca)]
        }
        return means
    }
}
