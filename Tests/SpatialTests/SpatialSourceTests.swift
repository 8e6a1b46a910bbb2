// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What follows from a place for the gains of a panner. Test thread.

import Spatial
import Testing

@Suite struct SpatialSourceTests {
    private func gains(_ x: Double, _ y: Double = 0, _ z: Double = 0, _ change: (inout SpatialSource) -> Void = { _ in })
        -> PannerGains
    {
        var source = SpatialSource()
        source.position = SpacePoint(x, y, z)
        change(&source)
        return source.pannerGains(for: SpatialListener())
    }

    @Test func thePowersOfBothSidesAddUpToTheSameInEveryDirection() {
        for step in 0..<100 {
            let angle = Double(step) / 100
            let gains = gains(1 - 2 * angle, 0, (1 - (1 - 2 * angle) * (1 - 2 * angle)).squareRoot())
            #expect(abs(gains.left * gains.left + gains.right * gains.right - 1) < 1e-6)
            #expect(step >= 50 || gains.right >= gains.left)
        }
    }

    @Test func aListenerWhoTurnsHearsASourceOnTheOtherSide() {
        var (source, listener) = (SpatialSource(), SpatialListener())
        source.position = SpacePoint(1, 0, 0)
        #expect(source.pannerGains(for: listener).left == 0)
        listener.axes = HeadAxes(HeadAngles(yaw: 180))
        let gains = source.pannerGains(for: listener)
        #expect(abs(gains.left - 1) < 1e-6 && gains.right < 1e-6)
    }

    @Test func aSourceInsideTheHeadStaysOnePointOrGoesThrough() {
        let point = gains(0)
        #expect(point.left == point.right && abs(point.left - Float(0.5).squareRoot()) < 1e-6 && point.through == 0)
        let bypassed = gains(0) { $0.inHeadMode = .bypass }
        #expect(bypassed.left == 0 && bypassed.right == 0 && bypassed.through == 1)
    }

    @Test func whatHasNoPlaceGoesThrough() {
        let gains = gains(5) { $0.placing = .none }
        #expect(gains.left == 0 && gains.right == 0 && gains.through == 1 && gains.passesChannels)
        #expect(self.gains(5).passesChannels && !self.gains(5) { $0.placing = .mean }.passesChannels)
    }

    @Test func whatStandsInTheWayTakesLevelAndTreble() {
        let gains = gains(-1) { $0.dampingDecibels = -24 }
        #expect(abs(gains.left - 0.063_095_7) < 1e-6 && abs(gains.cutoffHertz - 5000) < 0.01)
        #expect(self.gains(-1).cutoffHertz == .infinity && self.gains(-1) { $0.dampingDecibels = -100 }.cutoffHertz == 200)
    }
}
