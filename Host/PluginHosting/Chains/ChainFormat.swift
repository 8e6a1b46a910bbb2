// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What all units of a chain have in common: rate, channels, blocks. Any thread.

import Wire

/// What all units of a chain have in common.
public struct ChainFormat: Hashable, Sendable {
    /// Frames a second.
    public var sampleRate: Double
    public var maximumFrameCount: Int
    public var channelCount: Int
    /// Blocks in each ring: two are enough to play in real time.
    public var slotCount: Int

    public init(sampleRate: Double, maximumFrameCount: Int, channelCount: Int, slotCount: Int = 2) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.channelCount = channelCount
        self.slotCount = slotCount
    }

    /// Whether the protocol has numbers for it. One block is too few: the fallback for a late unit goes to another.
    var isPossible: Bool {
        sampleRate.isFinite && sampleRate > 0 && (1...WireLimits.frameCount).contains(maximumFrameCount)
            && (0...WireLimits.channelCount).contains(channelCount) && (2...WireLimits.slotCount).contains(slotCount)
            && slotCount & (slotCount - 1) == 0
    }
}

extension ChainFormat: CustomStringConvertible {
    public var description: String {
        "\(channelCount) channels at \(sampleRate) Hz, \(slotCount) blocks of \(maximumFrameCount) frames"
    }
}
