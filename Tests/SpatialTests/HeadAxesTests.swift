// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which way a head looks. Test thread.

import Spatial
import Testing

@Suite struct HeadAxesTests {
    private func isClose(_ left: SpacePoint, _ right: SpacePoint) -> Bool {
        let gap = left - right
        return (gap * gap).sum() < 1e-24
    }

    @Test func aHeadThatTurnsRightLooksToTheRight() {
        let axes = HeadAxes(HeadAngles(yaw: 90))
        #expect(isClose(axes.forward, SpacePoint(1, 0, 0)) && isClose(axes.right, SpacePoint(0, 0, 1)))
    }

    @Test func aHeadThatNodsUpwardsLooksUp() {
        let axes = HeadAxes(HeadAngles(pitch: 90))
        #expect(isClose(axes.forward, SpacePoint(0, 1, 0)) && isClose(axes.up, SpacePoint(0, 0, 1)))
    }

    @Test func aHeadThatTiltsHasItsRightEarBelow() {
        let axes = HeadAxes(HeadAngles(roll: 90))
        #expect(isClose(axes.up, SpacePoint(1, 0, 0)) && isClose(axes.right, SpacePoint(0, -1, 0)))
    }

    @Test func anglesComeBackFromTheAxes() {
        for yaw in stride(from: -170.0, through: 170, by: 34) {
            for pitch in stride(from: -85.0, through: 85, by: 17) {
                for roll in stride(from: -170.0, through: 170, by: 68) {
                    let angles = HeadAxes(HeadAngles(yaw: yaw, pitch: pitch, roll: roll)).angles
                    #expect(abs(angles.yaw - yaw) < 1e-9 && abs(angles.pitch - pitch) < 1e-9 && abs(angles.roll - roll) < 1e-9)
                }
            }
        }
    }

    @Test func directionsNeedNotBeAtRightAngles() {
        let axes = HeadAxes(forward: SpacePoint(0, 0, -3), up: SpacePoint(0, 2, -5))
        #expect(axes == HeadAxes())
        #expect(HeadAxes(forward: SpacePoint(0, 0, 0), up: SpacePoint(0, 1, 0)) == nil)
        #expect(HeadAxes(forward: SpacePoint(0, 1, 0), up: SpacePoint(0, -2, 0)) == nil)
        #expect(HeadAxes(forward: SpacePoint(.nan, 1, 0), up: SpacePoint(0, 1, 0)) == nil)
    }
}
