// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which channels belong together, for units that have an instance for each channel or for each pair. Any thread.

import AudioFormats

/// The channels of a chain in groups: each by itself, in pairs of left and right, or all together.
///
/// Where a layout is known, a pair is a speaker on the left and its counterpart on the right, wherever their channels lie; all other
/// speakers are alone. Without a layout pairs follow the usual order of channels for their number, that of WAV files: in six channels
/// they are the fronts and the surrounds. Beyond eight channels each even one is the left one of a pair then.
public struct ChannelGroups: Hashable, Sendable {
    /// The number of channels in all groups.
    public let channelCount: Int
    /// The number of groups.
    public private(set) var count = 0
    /// The first channel of each group, and its last one; they are the same in a group of one.
    private var firsts = SIMD64<UInt8>(repeating: 0)
    private var lasts = SIMD64<UInt8>(repeating: 0)
    private let isWhole: Bool

    /// `[any]` Makes groups of at most `width` channels: 1 or 2; any other number makes one group of all.
    ///
    /// There are 64 channels at most. A layout of other channels counts as none.
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

    /// `[render]` The channel that is the group's member of a number, from 0 on.
    @_noLocks
    public func channel(_ member: Int, of group: Int) -> Int {
        isWhole ? member : Int(member == 0 ? firsts[group] : lasts[group])
    }

    /// The channels of each group.
    public var channels: [[Int]] { (0..<count).map { group in (0..<size(of: group)).map { channel($0, of: group) } } }

    /// The channel on the right for each one on the left.
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
    /// How the unit's instances share the channels of a format; nil for a unit that is one instance, or says nothing of it.
    public func channelGroups(of format: BusFormat) -> ChannelGroups? {
        let width = flags.contains(.instancePerChannel) ? 1 : flags.contains(.instancePerPair) ? 2 : 0
        return width == 0 ? nil : ChannelGroups(width: width, channelCount: format.channelCount, layout: format.layout)
    }
}
