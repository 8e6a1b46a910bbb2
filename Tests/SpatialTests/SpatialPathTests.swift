// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where something is that moves along a way. Test thread.

import Testing

@testable import Spatial

@Suite struct SpatialPathTests {
    private func points(_ rows: [(Int64, Double)]) -> [SpatialPath.Point] {
        rows.map { SpatialPath.Point(frame: $0.0, place: SpacePoint($0.1, 0, 0)) }
    }

    @Test func linesLeadEvenlyFromPointToPoint() throws {
        let path = try #require(SpatialPath(points([(100, 0), (200, 10), (400, 0)])))
        for (frame, x) in [(0, 0), (100, 0), (150, 5), (200, 10), (300, 5), (400, 0), (1e9, 0)] as [(Double, Double)] {
            #expect(abs(path.place(at: frame).x - x) < 1e-12)
        }
    }

    @Test func aSplinePassesThroughAllPointsWithoutACorner() throws {
        let rows: [(Int64, Double)] = [(0, 0), (1000, 5), (1500, -3), (4000, 8), (5000, 8)]
        let path = try #require(SpatialPath(points(rows), shape: .spline))
        for (frame, x) in rows { #expect(abs(path.place(at: Double(frame)).x - x) < 1e-12) }
        let speeds = (0..<5000).map { path.place(at: Double($0) + 1).x - path.place(at: Double($0)).x }
        #expect(zip(speeds, speeds.dropFirst()).allSatisfy { abs($0 - $1) < 3e-4 })
        #expect(abs(speeds[0]) < 1e-4 && abs(speeds[4999]) < 1e-4)
    }

    @Test func waysThatCannotBeAreRefused() {
        #expect(SpatialPath([]) == nil && SpatialPath(points([(5, 0), (5, 1)])) == nil && SpatialPath(points([(5, .nan)])) == nil)
        #expect(SpatialPath(points([(.max, 0)])) == nil && SpatialPath(points([(7, 3)]))?.place(at: 0).x == 3)
    }
}
