// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a row is rendered in: rate, the channels of its input, blocks. Any thread.

import AudioFormats
import Wire

/// What a row is rendered in; `channelCount` is that of its first input.
package struct BlockFormat: Hashable, Sendable {
    /// Frames a second.
    package var sampleRate: Double
    package var maximumFrameCount: Int
    package var channelCount: Int
    /// The speakers of those channels; nil where they are not known.
    package var layout: ChannelLayout?
    /// Blocks in each ring; two suffice in real time.
    package var slotCount: Int

    package init(sampleRate: Double, maximumFrameCount: Int, channelCount: Int, layout: ChannelLayout? = nil, slotCount: Int = 2) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.channelCount = channelCount
        self.layout = layout
        self.slotCount = slotCount
    }

    func equalsButForChannels(_ other: BlockFormat) -> Bool {
        sampleRate == other.sampleRate && maximumFrameCount == other.maximumFrameCount && slotCount == other.slotCount
    }

    /// The sample rates that the host computes with, in hertz: far more than any device has.
    private static let sampleRates = 1...1e7

    /// Whether the protocol can carry the format.
    ///
    /// One block is too few: the fallback for a late unit goes to another block.
    var isPossible: Bool {
        Self.sampleRates.contains(sampleRate) && (1...WireLimits.frameCount).contains(maximumFrameCount)
            && (0...WireLimits.channelCount).contains(channelCount) && (2...WireLimits.slotCount).contains(slotCount)
            && slotCount & (slotCount - 1) == 0
    }
}

extension BlockFormat {
    /// What a format beyond the protocol's limits is refused with.
    var refusal: HostingError {
        .impossibleFormat(
            AudioFormat(sampleRate: sampleRate, channelCount: channelCount), maximumFrameCount: maximumFrameCount)
    }
}

extension BlockFormat: CustomStringConvertible {
    package var description: String {
        "\(channelCount) channels at \(sampleRate) Hz, \(slotCount) blocks of \(maximumFrameCount) frames"
    }
}
