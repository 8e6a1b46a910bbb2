// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How layouts become stereo: the gain of each channel to the left and to the right. Test thread.

import AudioFormats
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

    /// 4.0 has a centre where quadraphony has the left speaker behind.
    @Test func aLayoutDecidesWhereAChannelGoes() throws {
        let fourZero = try #require(ChannelLayout([.frontLeft, .frontRight, .frontCenter, .backCenter]))
        let folded = ChannelMap.routes(from: 4, fourZero, to: 2)
        #expect(folded.filter { $0.source == 2 }.map(\.gain) == [0.707_106_77, 0.707_106_77])
        #expect(folded.filter { $0.source == 3 }.map(\.gain) == [0.5, 0.5])
        let wide = ChannelMap.routes(from: 4, fourZero, to: 6)
        #expect(wide.filter { $0.source == 2 }.map(\.destination) == [2])
        #expect(wide.filter { $0.source == 3 }.map(\.destination) == [4, 5])
        // A layout of other channels says nothing.
        #expect(ChannelMap.routes(from: 6, fourZero, to: 2) == ChannelMap.routes(from: 6, to: 2))
    }
}
