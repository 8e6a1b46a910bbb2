// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which channels belong together, for units that have an instance for each channel or for each pair. Any thread.

/// The channels of a chain in groups: each by itself, in pairs of left and right, or all together.
///
/// Pairs follow the usual order of channels for their number, that of WAV files. In 5.1 the pairs are the fronts and the
/// surrounds; the centre and the LFE have no partner. Beyond eight channels each even one is the left one of a pair.
public struct ChannelGroups: Hashable, Sendable {
    /// The number of channels in all groups.
    public let channelCount: Int
    /// The number of groups.
    public let count: Int
    /// A bit for each channel that begins a pair; channel 0 is the lowest.
    private let pairs: UInt64
    private let isWhole: Bool

    /// `[any]` Makes groups of at most `width` channels: 1 or 2; any other number makes one group of all.
    ///
    /// There are 64 channels at most.
    public init(width: Int, channelCount: Int) {
        self.channelCount = max(1, channelCount)
        isWhole = width != 1 && width != 2
        pairs = width == 2 ? Self.pairs(of: self.channelCount) : 0
        count = isWhole ? 1 : self.channelCount - pairs.nonzeroBitCount
    }

    /// `[render]` The number of channels in the group that begins at a channel.
    @_noLocks
    public func size(at channel: Int) -> Int {
        isWhole ? channelCount : pairs &>> UInt64(truncatingIfNeeded: channel) & 1 == 1 ? 2 : 1
    }

    /// The channels of each group.
    public var ranges: [Range<Int>] {
        var (ranges, channel) = ([Range<Int>](), 0)
        while channel < channelCount {
            ranges.append(channel..<channel + size(at: channel))
            channel += size(at: channel)
        }
        return ranges
    }

    private static func pairs(of channelCount: Int) -> UInt64 {
        switch channelCount {
        case ..<2: 0
        // Front left and right, alone or with a centre.
        case 2, 3: 0b1
        case 4: 0b101
        // A centre, and before the surrounds perhaps LFE and a rear centre.
        case 5: 0b1001
        case 6: 0b1_0001
        case 7: 0b10_0001
        case 8: 0b101_0001
        default: stride(from: 0, to: min(channelCount, 64) - 1, by: 2).reduce(0) { $0 | 1 << UInt64($1) }
        }
    }
}

extension UnitDescription {
    /// How the unit's instances share so many channels; nil for a unit that is one instance, or says nothing of it.
    public func channelGroups(of channelCount: Int) -> ChannelGroups? {
        if flags.contains(.instancePerChannel) { return ChannelGroups(width: 1, channelCount: channelCount) }
        return flags.contains(.instancePerPair) ? ChannelGroups(width: 2, channelCount: channelCount) : nil
    }
}
