// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How the channels of a signal become those of a bus with another number of channels. Control thread.

/// One channel of a signal on its way into one channel of a bus.
package struct ChannelRoute: Equatable {
    /// How a pan changes the channel.
    package enum Side: UInt8 {
        /// The channel has a pan's gain for the left, for the right, or none.
        case left, right, neither
    }

    package let source: Int
    package let destination: Int
    package let gain: Float
    let side: Side
}

/// The routes from a number of channels to another one.
///
/// Mono goes to the left and the right channel. To mono all channels are averaged. Six channels, in the order left, right, centre,
/// low frequencies, left and right surround, become two by the coefficients of ITU-R BS.775, and four by folding back into front.
/// Otherwise more than two channels go alternately to the left and to the right. Where the bus has more channels, the others stay
/// silent.
package enum ChannelMap {
    private static let minusThreeDecibels: Float = 0.707_106_77

    package static func routes(from sourceCount: Int, to count: Int) -> [ChannelRoute] {
        switch (sourceCount, count) {
        case (0, _), (_, 0): []
        case (let same, count) where same == count:
            (0..<count).map { ChannelRoute(source: $0, destination: $0, gain: 1, side: count == 2 ? side(of: $0) : .neither) }
        case (1, _): (0..<min(2, count)).map { ChannelRoute(source: 0, destination: $0, gain: 1, side: side(of: $0)) }
        case (_, 1):
            (0..<sourceCount).map { ChannelRoute(source: $0, destination: 0, gain: 1 / Float(sourceCount), side: .neither) }
        case (4, 2):
            (0..<4).map { ChannelRoute(source: $0, destination: $0 % 2, gain: 0.5, side: .neither) }
        case (6, 2):
            [
                ChannelRoute(source: 0, destination: 0, gain: 1, side: .neither),
                ChannelRoute(source: 1, destination: 1, gain: 1, side: .neither),
                ChannelRoute(source: 2, destination: 0, gain: minusThreeDecibels, side: .neither),
                ChannelRoute(source: 2, destination: 1, gain: minusThreeDecibels, side: .neither),
                ChannelRoute(source: 4, destination: 0, gain: minusThreeDecibels, side: .neither),
                ChannelRoute(source: 5, destination: 1, gain: minusThreeDecibels, side: .neither),
            ]
        case (2, _): (0..<2).map { ChannelRoute(source: $0, destination: $0, gain: 1, side: side(of: $0)) }
        case (_, 2): (0..<sourceCount).map { ChannelRoute(source: $0, destination: $0 % 2, gain: 1, side: .neither) }
        default: (0..<sourceCount).map { ChannelRoute(source: $0, destination: $0 % count, gain: 1, side: .neither) }
        }
    }

    private static func side(of channel: Int) -> ChannelRoute.Side { channel == 0 ? .left : .right }
}
