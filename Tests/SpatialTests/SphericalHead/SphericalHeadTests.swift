// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a sphere does to level and time at its ears. Test thread.

import Glibc
import TestSupport
import Testing

@testable import Spatial

@Suite struct SphericalHeadTests {
    private let head = SphericalHead()

    /// The time in seconds at which a response first reaches half of its peak, between two samples.
    private func onset(_ response: [Float], _ sampleRate: Double) -> Double {
        let limit = 0.5 * (response.map(abs).max() ?? 0)
        let index = response.firstIndex { abs($0) >= limit } ?? 0
        guard index > 0 else { return 0 }
        let share = (limit - abs(response[index - 1])) / (abs(response[index]) - abs(response[index - 1]))
        return (Double(index - 1) + Double(share)) / sampleRate
    }

    @Test func theOnsetsOfASourceAtTheSideAre656MicrosecondsApart() {
        let ears = head.impulseResponses(toward: SpacePoint(1, 0, 0), sampleRate: 192_000)
        let delay = 1e6 * (onset(ears.left, 192_000) - onset(ears.right, 192_000))
        Figures.note("spherical head: interaural delay of a source at the side, at the onset", delay, "µs", wanted: "656 ± 5")
        #expect(abs(delay - 656) < 5, "\(delay) µs")
    }

    @Test(arguments: [0, 20, 45, 70, 90, 120, 180] as [Double])
    func theDelaysAreTheWaysAroundTheSphere(degrees: Double) {
        let angle = degrees * .pi / 180
        let wanted = angle < .pi / 2 ? -cos(angle) : angle - .pi / 2
        let ear = head.ear(cosine: cos(angle), distance: 1e5)
        #expect(abs(ear.delay - wanted * 0.0875 / 343.2) < 2e-7)
    }

    /// The gain of a steady pressure as a series over 200 orders.
    @Test(arguments: [1.5, 2, 3, 20] as [Double], [-1, -0.7, 0, 0.3, 0.9, 1] as [Double])
    func lowFrequenciesHaveTheGainOfTheSeries(range: Double, cosine: Double) {
        var (former, last, sum) = (1.0, cosine, 1 + 1.5 * cosine / range)
        for order in 2...200 {
            let m = Double(order)
            let next = ((2 * m - 1) * cosine * last - (m - 1) * former) / m
            sum += (2 * m + 1) / (m + 1) * pow(range, -m) * next
            (former, last) = (last, next)
        }
        #expect(abs(head.ear(cosine: cosine, distance: range * 0.0875).lowGain - sum) < 1e-6)
    }

    /// The levels of the exact series at 500, 2000 and 8000 Hz for a distant source, in decibels.
    @Test(
        arguments: [
            (0, [2.3, 5.2, 6.0]), (30, [1.9, 4.8, 5.9]), (60, [0.9, 3.8, 5.1]), (90, [-0.4, 1.5, 2.4]), (120, [-0.8, -0.7, -2.9]),
            (150, [-0.1, -5.4, -7.2]),
        ] as [(Double, [Double])])
    func theShadowIsThatOfASphere(degrees: Double, levels: [Double]) {
        let ear = head.ear(cosine: cos(degrees * .pi / 180), distance: 8.75)
        for (hertz, level) in zip([500.0, 2000, 8000], levels) {
            let ratio = 2 * Double.pi * hertz / head.corner
            let power = (pow(ear.lowGain, 2) + pow(ear.highGain * ratio, 2)) / (1 + ratio * ratio)
            #expect(abs(10 * log10(power) - level) < 3.1, "\(hertz) Hz at \(degrees)°")
        }
    }

    @Test func aNearSourceIsLouderAtItsEarAndNothingIsInfinite() {
        let (near, far) = (head.ear(cosine: 1, distance: 0.15), head.ear(cosine: 1, distance: 2))
        #expect(near.lowGain > 2 * far.lowGain && head.ear(cosine: -1, distance: 0.15).lowGain < 1)
        for distance in [0, 0.0875, 1e-300, 1e6] as [Double] {
            for cosine in stride(from: -1.0, through: 1, by: 0.125) {
                let ear = head.ear(cosine: cosine, distance: distance)
                #expect(ear.delay.isFinite && ear.lowGain > 0 && ear.lowGain < 30 && ear.highGain > 0 && ear.highGain < 30)
            }
        }
    }
}
