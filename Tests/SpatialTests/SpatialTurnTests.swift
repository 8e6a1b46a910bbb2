// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The turns of a head over time. Test thread.

import Testing

@testable import Spatial

@Suite struct SpatialTurnTests {
    private func turn(_ rows: [(Int64, HeadAngles)], _ shape: SpatialPath.Shape = .lines) throws -> SpatialTurn {
        try #require(SpatialTurn(rows.map { SpatialTurn.Point(frame: $0.0, axes: HeadAxes($0.1)) }, shape: shape))
    }

    private func distance(_ left: HeadAxes, _ right: HeadAxes) -> Double {
        let apart = [left.right - right.right, left.up - right.up, left.forward - right.forward]
        return apart.map { ($0 * $0).sum() }.reduce(0, +).squareRoot()
    }

    @Test func aQuaternionTurnsAHeadToItsAxes() {
        for yaw in stride(from: -180.0, through: 180, by: 30) {
            for pitch in stride(from: -90.0, through: 90, by: 30) {
                for roll in stride(from: -180.0, through: 180, by: 45) {
                    let axes = HeadAxes(HeadAngles(yaw: yaw, pitch: pitch, roll: roll))
                    let again = HeadAxes(axes.turn, else: HeadTurn(0, 0, 0, 1))
                    #expect(distance(axes, again) < 1e-12, "\(yaw), \(pitch), \(roll)")
                }
            }
        }
    }

    @Test func aHeadTurnsEvenlyAndTheShorterWay() throws {
        let turn = try turn([
            (0, HeadAngles(yaw: 170)), (1000, HeadAngles(yaw: -170)), (3000, HeadAngles(yaw: -20, pitch: 0)),
        ])
        for (frame, yaw) in [(-5, 170), (250, 175), (500, 180), (1000, -170), (1500, -132.5), (2000, -95), (9000, -20)] {
            let wanted = HeadAxes(HeadAngles(yaw: Double(yaw)))
            #expect(distance(turn.axes(at: Double(frame)), wanted) < 1e-9, "frame \(frame)")
        }
    }

    @Test func aSplineTurnsThroughAllPosesWithoutACorner() throws {
        let rows: [(Int64, HeadAngles)] = [
            (0, HeadAngles()), (1000, HeadAngles(yaw: 60, pitch: 20)), (1500, HeadAngles(yaw: 100, pitch: -30, roll: 10)),
            (4000, HeadAngles(yaw: -150)), (5000, HeadAngles(yaw: -150)),
        ]
        let turn = try turn(rows, .spline)
        for (frame, angles) in rows { #expect(distance(turn.axes(at: Double(frame)), HeadAxes(angles)) < 1e-9) }
        let places = (0...5000).map { turn.axes(at: Double($0)).forward }
        let speeds = zip(places, places.dropFirst()).map { $1 - $0 }
        let bends = zip(speeds, speeds.dropFirst()).map { ((($1 - $0) * ($1 - $0)).sum()).squareRoot() }
        #expect((bends.max() ?? 1) < 5e-5)
        #expect((speeds[0] * speeds[0]).sum() < 1e-10)
    }

    @Test func turnsThatCannotBeAreRefused() {
        let front = SpatialTurn.Point(frame: 5, axes: HeadAxes())
        #expect(SpatialTurn([]) == nil && SpatialTurn([front, front]) == nil)
        #expect(SpatialTurn([SpatialTurn.Point(frame: .max, axes: HeadAxes())]) == nil)
        #expect(SpatialTurn([front])?.axes(at: 0) == HeadAxes())
    }
}
