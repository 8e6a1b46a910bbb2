// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mapping of a signal's channels to a bus with another number of channels. Control thread.

import AudioFormats

/// One channel of a signal on its way into one channel of a bus.
package struct ChannelRoute: Equatable {
    /// The effect of a pan on the channel.
    package enum Side: UInt8 {
        /// A pan applies its gain for the left, its gain for the right, or none.
        case left, right, neither
    }

    package let source: Int
    package let destination: Int
    package let gain: Float
    let side: Side
}

/// The routes between two numbers of channels.
///
/// Mono goes to the left and the right channel. To mono all channels are averaged. Three and five to eight channels stand for the
/// speakers that WAV has for their number. They become two by the coefficients of ITU-R BS.775, as `Speaker` has them. Four
/// channels fold back into front. Otherwise more than two channels go alternately to the left and to the right. Further channels
/// of the bus stay silent.
package enum ChannelMap {
    /// The routes between two signals; a layout with another number of channels, or with channels without speakers, is ignored.
    package static func routes(
        from sourceCount: Int, _ sourceLayout: ChannelLayout? = nil, to count: Int, _ layout: ChannelLayout? = nil
    ) -> [ChannelRoute] {
        let source = sourceLayout.flatMap { $0.speakers.count == sourceCount ? $0 : nil }
        if let source, sourceCount > 2, count == 2 { return folded(source.speakers) }
        let destination = layout.flatMap { $0.channelCount == count ? $0 : nil } ?? ChannelLayout.usual(count)
        // A channel without a speaker is mixed by its number, and so is everything that goes into such a channel.
        if destination?.isDiscrete == true { return routes(from: sourceCount, to: count) }
        if let source, let destination, sourceCount > 2, count > 2 {
            return source.gains(to: destination).map {
                ChannelRoute(source: $0.source, destination: $0.destination, gain: $0.gain, side: .neither)
            }
        }
        return routes(from: sourceCount, to: count)
    }

    /// The routes of channels of which only the number is known.
    private static func routes(from sourceCount: Int, to count: Int) -> [ChannelRoute] {
        switch (sourceCount, count) {
        case (0, _), (_, 0): []
        case (let same, count) where same == count:
            (0..<count).map { ChannelRoute(source: $0, destination: $0, gain: 1, side: count == 2 ? side(of: $0) : .neither) }
        case (1, _): (0..<min(2, count)).map { ChannelRoute(source: 0, destination: $0, gain: 1, side: side(of: $0)) }
        case (_, 1):
            (0..<sourceCount).map { ChannelRoute(source: $0, destination: 0, gain: 1 / Float(sourceCount), side: .neither) }
        case (4, 2):
            (0..<4).map { ChannelRoute(source: $0, destination: $0 % 2, gain: 0.5, side: .neither) }
        case (2, _): (0..<2).map { ChannelRoute(source: $0, destination: $0, gain: 1, side: side(of: $0)) }
        case (_, 2): ChannelLayout.usual(sourceCount).map { folded($0.speakers) } ?? alternately(sourceCount)
        default: (0..<sourceCount).map { ChannelRoute(source: $0, destination: $0 % count, gain: 1, side: .neither) }
        }
    }

    private static func alternately(_ sourceCount: Int) -> [ChannelRoute] {
        (0..<sourceCount).map { ChannelRoute(source: $0, destination: $0 % 2, gain: 1, side: .neither) }
    }

    /// The routes of channels that stand for these speakers, to the left and the right.
    private static func folded(_ speakers: [Speaker]) -> [ChannelRoute] {
        speakers.enumerated().flatMap { channel, speaker in
            let gains = speaker.stereoGains
            return [(0, gains.left), (1, gains.right)].filter { $0.1 > 0 }.map { destination, gain in
                ChannelRoute(source: channel, destination: destination, gain: gain, side: .neither)
            }
        }
    }

    private static func side(of channel: Int) -> ChannelRoute.Side { channel == 0 ? .left : .right }
}
