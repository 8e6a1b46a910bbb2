// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Spherical harmonics, their rotation and their weights. Test thread.

import Glibc
import TestSupport
import Testing

@testable import Spatial

@Suite struct SoundFieldTests {
    private func random(_ seed: inout UInt64) -> Double {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(seed >> 11) / Double(1 << 53)
    }

    private func direction(_ seed: inout UInt64) -> SpacePoint {
        let (height, angle) = (2 * random(&seed) - 1, 2 * Double.pi * random(&seed))
        let radius = (1 - height * height).squareRoot()
        return SpacePoint(radius * sin(angle), height, -radius * cos(angle))
    }

    @Test func theFirstOrderIsLeftUpAndFront() {
        #expect(SphericalHarmonics.encode(SpacePoint(-1, 0, 0)).prefix(4) == [1, 1, 0, 0])
        #expect(SphericalHarmonics.encode(SpacePoint(0, 1, 0)).prefix(4) == [1, 0, 1, 0])
        let front = SphericalHarmonics.encode(SpacePoint(0, 0, -1))
        #expect(front.prefix(4) == [1, 0, 0, 1] && abs(front[8] - 0.866_025_403_8) < 1e-9 && abs(front[15] - 0.790_569_415) < 1e-9)
        #expect(SphericalHarmonics.order(channelCount: 9) == 2 && SphericalHarmonics.order(channelCount: 5) == nil)
    }

    @Test func theChannelsOfN3DAreOrthonormal() {
        for first in 0..<16 {
            for second in 0..<16 {
                let sum = EvenDirections.quadrature.reduce(0.0) { sum, point in
                    let field = SphericalHarmonics.encode(point.direction, .n3d)
                    return sum + point.weight * field[first] * field[second]
                }
                #expect(abs(sum - (first == second ? 1 : 0)) < 1e-12, "\(first), \(second)")
            }
        }
    }

    /// A source that stands still, encoded as the turned head sees it, is the field of the head before, rotated.
    @Test func aRotatedFieldIsThatOfRotatedSources() {
        var seed: UInt64 = 47
        var greatest = 0.0
        for _ in 0..<50 {
            let angles = HeadAngles(yaw: 360 * random(&seed), pitch: 180 * random(&seed) - 90, roll: 360 * random(&seed))
            let axes = HeadAxes(angles)
            let rotation = FieldRotation(listener: axes)
            let source = direction(&seed)
            let (field, wanted) = (SphericalHarmonics.encode(source), SphericalHarmonics.encode(axes.local(source)))
            for row in 0..<16 {
                let turned = (0..<16).reduce(0.0) { $0 + rotation.entry(row, $1) * field[$1] }
                greatest = max(greatest, abs(turned - wanted[row]))
                #expect(abs(turned - wanted[row]) < 1e-12, "channel \(row) at \(angles)")
            }
        }
        Figures.note(
            "sound field of order 3: rotated field against the field of rotated sources", greatest, "", wanted: "below 1e-6")
    }

    @Test func theWeightsAreThoseOfTheExactRoots() {
        #expect(abs(MaximumEnergyWeights.length(order: 1) - 0.577_350_269) < 1e-9)
        #expect(abs(MaximumEnergyWeights.length(order: 2) - 0.774_596_669) < 1e-9)
        let weights = MaximumEnergyWeights.weights(order: 3)
        var greatest = 0.0
        for (weight, wanted) in zip(weights, [1, 0.861_136_312, 0.612_333_621, 0.304_746_985]) {
            greatest = max(greatest, abs(weight - wanted))
            #expect(abs(weight - wanted) < 1e-9)
        }
        Figures.note("max-rE weights of order 3 against the exact roots", greatest, "", wanted: "below 1e-6")
        // The next Legendre polynomial is 0 there.
        let x = weights[1]
        #expect(abs(35 * x * x * x * x - 30 * x * x + 3) < 1e-12 && weights.count == 4)
    }
}
