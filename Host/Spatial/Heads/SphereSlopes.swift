// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The slopes of a function on a sphere that is known at some directions. Control thread.

import Glibc

/// The slopes at each direction of a mesh, as means of the values around it.
struct SphereSlopes {
    private let directions: [SpacePoint]
    private let neighbours: [[Int]]
    /// The longest edge in radians along which a value is curved.
    private static let longestAngle = 0.5

    init(_ mesh: SphereMesh) { (directions, neighbours) = (mesh.directions, mesh.neighbours) }

    /// The value in the middle of an edge.
    func middle(_ a: Int, _ b: Int) -> SphereMesh.Mean {
        var weights: [Int: Double] = [a: 0.5, b: 0.5]
        if acos(max(-1, min(1, directions[a].dot(directions[b])))) < Self.longestAngle {
            for (index, weight) in slope(at: a, towards: b) + slope(at: b, towards: a) { weights[index, default: 0] += weight / 8 }
        }
        return weights.sorted { $0.key < $1.key }.map { (index: $0.key, weight: $0.value) }
    }

    /// The way from one direction to another in the plane that touches the sphere at the first.
    private func way(_ from: Int, _ to: Int, _ axes: (SpacePoint, SpacePoint)) -> SIMD2<Double> {
        let cosine = directions[from].dot(directions[to])
        let flat = SIMD2(directions[to].dot(axes.0), directions[to].dot(axes.1))
        let length = (flat * flat).sum().squareRoot()
        return length > 0 ? flat * (atan2(length, cosine) / length) : flat
    }

    /// The change from `a` to `b` if the slope at `a` held all the way: of the plane that fits the neighbours best.
    private func slope(at a: Int, towards b: Int) -> SphereMesh.Mean {
        let up = directions[a]
        let side = abs(up.x) < 0.6 ? SpacePoint(1, 0, 0) : SpacePoint(0, 1, 0)
        let first = up.cross(side) / up.cross(side).dot(up.cross(side)).squareRoot()
        let axes = (first, up.cross(first))
        let ways = neighbours[a].map { way(a, $0, axes) }
        // The sums of squares, the nearer the heavier.
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for way in ways {
            let weight = 1 / (way * way).sum()
            xx += weight * way.x * way.x
            xy += weight * way.x * way.y
            yy += weight * way.y * way.y
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-3 * xx * yy else { return [] }
        let wanted = way(a, b, axes)
        let x = (wanted.x * yy - wanted.y * xy) / determinant
        let y = (wanted.y * xx - wanted.x * xy) / determinant
        var mean: SphereMesh.Mean = []
        for (index, way) in zip(neighbours[a], ways) {
            let weight = (x * way.x + y * way.y) / (way * way).sum()
            mean.append((index: index, weight: weight))
            mean.append((index: a, weight: -weight))
        }
        return mean
    }
}
