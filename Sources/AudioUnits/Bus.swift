// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of a unit, its named audio inputs and outputs, and their formats. Any thread.

import AudioFormats

/// The format of one bus.
///
/// Samples are 32-bit floats at the unit's sample rate. Each channel lies in a buffer of its own.
public struct BusFormat: Hashable, Sendable {
    /// The number of channels; zero if an optional bus is not connected.
    public var channelCount: Int
    /// The speaker of each channel; nil if they are unknown.
    public var layout: ChannelLayout?

    /// Makes a format of `channelCount` channels without a layout.
    public init(channelCount: Int) { self.channelCount = channelCount }

    /// Makes a format of `channelCount` channels; a layout that is discrete or has another channel count is dropped.
    public init(channelCount: Int, layout: ChannelLayout?) {
        self.channelCount = channelCount
        self.layout = layout.flatMap { $0.speakers.count == channelCount ? $0 : nil }
    }
}

/// One audio input or output of a unit.
public struct Bus: Hashable, Sendable {
    /// The name for people, such as `Side chain`.
    public var name: String
    /// The format that a host uses unless the user chooses another.
    public var defaultFormat: BusFormat
    /// The channel counts that the bus accepts; empty if it accepts any count.
    public var supportedChannelCounts: [Int]
    /// True if the unit also renders without this bus, as with a side chain or an auxiliary output.
    public var isOptional: Bool

    /// Describes a bus; by default it is stereo, required, and accepts any channel count.
    public init(_ name: String, channelCount: Int = 2, supportedChannelCounts: [Int] = [], isOptional: Bool = false) {
        self.name = name
        defaultFormat = BusFormat(channelCount: channelCount)
        self.supportedChannelCounts = supportedChannelCounts
        self.isOptional = isOptional
    }

    /// True if the bus accepts the channel count of `format`.
    public func supports(_ format: BusFormat) -> Bool {
        supportedChannelCounts.isEmpty || supportedChannelCounts.contains(format.channelCount)
    }
}
