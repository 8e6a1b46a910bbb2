// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How layouts become stereo: the gain of each channel to the left and to the right. Test thread.

import Testing

@testable import Rendering

@Suite struct ChannelMapTests {
    /// The gains of all channels to one side.
    private func gains(_ channelCount: Int, to side: Int) -> [Float] {
        var gains = [Float](repeating: 0, count: channelCount)
        for route in ChannelMap.routes(from: channelCount, to: 2) where route.destination == side {
            gains[route.source] += route.gain
        }
        return gains.map { ($0 * 1000).rounded() / 1000 }
    }

    @Test(
        arguments: [
            (3, [1, 0, 0.707], [0, 1, 0.707]),
            (5, [1, 0, 0.707, 0.707, 0], [0, 1, 0.707, 0, 0.707]),
            (6, [1, 0, 0.707, 0, 0.707, 0], [0, 1, 0.707, 0, 0, 0.707]),
            (7, [1, 0, 0.707, 0, 0.5, 0.707, 0], [0, 1, 0.707, 0, 0.5, 0, 0.707]),
            (8, [1, 0, 0.707, 0, 0.707, 0, 0.707, 0], [0, 1, 0.707, 0, 0, 0.707, 0, 0.707]),
        ] as [(Int, [Float], [Float])])
    func theCentreIsOnBothSidesAndTheLowFrequenciesOnNone(channelCount: Int, left: [Float], right: [Float]) {
        #expect(gains(channelCount, to: 0) == left)
        #expect(gains(channelCount, to: 1) == right)
    }
}
