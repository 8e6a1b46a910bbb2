// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The channels that belong together, for units with an instance for each channel or each pair. Any thread.

import AudioFormats

/// The channels of a chain in groups: single channels, pairs of left and right, or one group of all.
///
/// With a layout, a pair is a speaker on the left and its counterpart on the right, at any positions. All other speakers are
/// alone.
///
/// Without a layout, pairs follow the usual WAV order for the channel count: six channels have front and surround pairs. Beyond
/// eight channels, channels 0 and 1 are a pair, 2 and 3, and so on.
public struct ChannelGroups: Hashable, Sendable {
    /// The number of channels in all groups.
    public let channelCount: Int
    /// The number of groups.
    public private(set) var count = 0
    /// The first and the last channel of each group; they are the same in a group of one.
    private var firsts = SIMD64<UInt8>(repeating: 0)
    private var lasts = SIMD64<UInt8>(repeating: 0)
    private let isWhole: Bool

    /// `[any]` Makes groups of at most `width` channels: 1 or 2; any other number makes one group of all channels.
    ///
    /// There are at most 64 channels. A layout with another channel count is ignored.
    public init(width: Int, channelCount: Int, layout: ChannelLayout? = nil) {
        self.channelCount = min(max(1, channelCount), 64)
        isWhole = width != 1 && width != 2
        if isWhole {
            count = 1
            lasts[0] = UInt8(self.channelCount - 1)
            return
        }
        let partners = width == 2 ? Self.partners(self.channelCount, layout) : [:]
        let rights = Set(partners.values)
        for channel in 0..<self.channelCount where !rights.contains(channel) {
            firsts[count] = UInt8(channel)
            lasts[count] = UInt8(partners[channel] ?? channel)
            count += 1
        }
    }

    /// `[render]` The number of channels in a group.
    @_noLocks
    public func size(of group: Int) -> Int { isWhole ? channelCount : firsts[group] == lasts[group] ? 1 : 2 }

    /// `[render]` The channel at a position in a group; positions count from 0.
    @_noLocks
    public func channel(_ member: Int, of group: Int) -> Int {
        isWhole ? member : Int(member == 0 ? firsts[group] : lasts[group])
    }

    /// The channels of each group.
    public var channels: [[Int]] { (0..<count).map { group in (0..<size(of: group)).map { channel($0, of: group) } } }

    /// Maps each channel on the left to its partner on the right.
    private static func partners(_ channelCount: Int, _ layout: ChannelLayout?) -> [Int: Int] {
        guard let speakers = layout?.speakers, speakers.count == channelCount else { return usualPartners(channelCount) }
        let pairs = speakers.enumerated().compactMap { channel, speaker in
            speaker.counterpart.flatMap { speakers.firstIndex(of: $0) }.map { (channel, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func usualPartners(_ channelCount: Int) -> [Int: Int] {
        if let layout = ChannelLayout.usual(channelCount) { return partners(channelCount, layout) }
        let lefts = stride(from: 0, to: channelCount - 1, by: 2)
        return Dictionary(uniqueKeysWithValues: lefts.map { ($0, $0 + 1) })
    }
}

extension UnitDescription {
    /// The share of each instance in the channels of a format; nil if the unit does not declare several instances.
    public func channelGroups(of format: BusFormat) -> ChannelGroups? {
        let width = flags.contains(.instancePerChannel) ? 1 : flags.contains(.instancePerPair) ? 2 : 0
        return width == 0 ? nil : ChannelGroups(width: width, channelCount: format.channelCount, layout: format.layout)
    }
}
