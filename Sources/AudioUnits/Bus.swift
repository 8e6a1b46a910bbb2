// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buses: the named audio inputs and outputs of a unit, and their formats. Any thread.

/// The format of one bus. Samples are 32-bit floats, planar, at the unit's sample rate.
public struct BusFormat: Hashable, Sendable {
    public var channelCount: Int

    public init(channelCount: Int) { self.channelCount = channelCount }
}

/// One input or output of a unit.
public struct Bus: Hashable, Sendable {
    public var name: String
    /// Channels when nobody asks for another number.
    public var defaultFormat: BusFormat
    /// Channel counts that the bus takes; empty for any number.
    public var supportedChannelCounts: [Int]
    /// The unit renders without it: a side chain, an auxiliary output.
    public var isOptional: Bool

    public init(_ name: String, channelCount: Int = 2, supportedChannelCounts: [Int] = [], isOptional: Bool = false) {
        self.name = name
        defaultFormat = BusFormat(channelCount: channelCount)
        self.supportedChannelCounts = supportedChannelCounts
        self.isOptional = isOptional
    }

    public func supports(_ format: BusFormat) -> Bool {
        supportedChannelCounts.isEmpty || supportedChannelCounts.contains(format.channelCount)
    }
}
