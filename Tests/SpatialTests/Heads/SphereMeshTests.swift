// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The triangles of the whole sphere, and the means in the middle of edges. Test thread.

import Glibc
import Testing

@testable import Spatial

@Suite struct SphereMeshTests {
    private var grid: [SpacePoint] { SyntheticHead().directions + [SpacePoint(0, -1, 0)] }

    @Test func aGridIsClosedWithoutALostDirection() throws {
        let mesh = try #require(SphereMesh(grid))
        #expect(mesh.triangles.count == 2 * grid.count - 4)
        var edges: [SIMD2<Int>: Int] = [:]
        for corners in mesh.triangles {
            for edge in 0..<3 { edges[SIMD2(corners[edge], corners[(edge + 1) % 3]), default: 0] += 1 }
        }
        // Each edge has a triangle at each side, which goes the other way.
        #expect(edges.allSatisfy { $0.value == 1 && edges[SIMD2($0.key.y, $0.key.x)] == 1 })
        #expect(abs(mesh.areas.reduce(0, +) - 1) < 1e-9)
    }

    @Test func roundingDoesNotChooseTheTriangles() throws {
        let exact = try #require(SphereMesh(grid))
        let rounded = try #require(SphereMesh(grid.map { SpacePoint(SIMD3<Float>($0)).unit ?? $0 }))
        func sets(_ mesh: SphereMesh) -> Set<Set<Int>> { Set(mesh.triangles.map { [$0.x, $0.y, $0.z] }) }
        #expect(sets(exact) == sets(rounded))
        // Without the shift by index, four points of a grid in one plane have no diagonal of their own.
        #expect(ConvexHull.shift(ofPointCount: grid.count) > 1e-6)
    }

    @Test func directionsOfHalfASphereAreRefused() {
        #expect(SphereMesh(grid.filter { $0.z < -0.1 }) == nil)
        #expect(SphereMesh([SpacePoint(0, 1, 0), SpacePoint(1, 0, 0), SpacePoint(-1, 0, 0)]) == nil)
    }

    /// A smooth function, which is known everywhere.
    private func value(_ direction: SpacePoint) -> Double {
        sin(2 * direction.x) + direction.y * direction.z + cos(3 * direction.z)
    }

    @Test func theMiddleOfAnEdgeIsCloserThanAStraightLine() throws {
        var mesh = try #require(SphereMesh(grid))
        let (old, known) = (mesh, grid.map(value))
        let means = mesh.subdivide()
        #expect(mesh.directions.count == 4 * old.directions.count - 6 && mesh.triangles.count == 4 * old.triangles.count)
        var (curved, straight) = (0.0, 0.0)
        for (index, mean) in means.enumerated() {
            #expect(abs(mean.reduce(0) { $0 + $1.weight } - 1) < 1e-9)
            let wanted = value(mesh.directions[old.directions.count + index])
            let corners = mean.filter { $0.weight > 0.4 }.map(\.index)
            // A long edge leads over the cap without measurements.
            guard corners.count == 2, grid[corners[0]].dot(grid[corners[1]]) > 0.9 else { continue }
            let ends = corners.map { known[$0] }
            curved += pow(mean.reduce(0) { $0 + $1.weight * known[$1.index] } - wanted, 2)
            straight += pow((ends[0] + ends[1]) / 2 - wanted, 2)
        }
        #expect(straight > 0 && curved < 0.25 * straight, "\(curved) and \(straight)")
    }
}
