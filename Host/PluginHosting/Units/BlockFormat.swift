// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The format in which a unit renders: rate, channels of each bus, blocks. Any thread.

import AudioFormats
import Wire

/// The format of a unit's blocks.
package struct BlockFormat: Hashable, Sendable {
    /// Frames a second.
    package var sampleRate: Double
    /// The most frames in one block.
    package var maximumFrameCount: Int
    /// The channels of the first input; of the first output, for a unit without inputs.
    package var channelCount: Int
    /// The speakers of those channels; nil if they are unknown.
    package var layout: ChannelLayout?
    /// The channels of the input buses from the second one on; a bus of 0 channels stays unconnected.
    package var sideInputs: [Int]
    /// The channels of each output bus; with nil the first has those of the first input, and each other one its own.
    package var outputs: [Int]?
    /// The number of blocks in each ring; two suffice in real time.
    package var slotCount: Int

    /// Makes a format.
    package init(
        sampleRate: Double, maximumFrameCount: Int, channelCount: Int, layout: ChannelLayout? = nil, sideInputs: [Int] = [],
        outputs: [Int]? = nil, slotCount: Int = 2
    ) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.channelCount = channelCount
        self.layout = layout
        self.sideInputs = sideInputs
        self.outputs = outputs
        self.slotCount = slotCount
    }

    /// True if both formats have the same rate and blocks.
    func equalsButForChannels(_ other: BlockFormat) -> Bool {
        sampleRate == other.sampleRate && maximumFrameCount == other.maximumFrameCount && slotCount == other.slotCount
    }

    /// The sample rates that the host computes with, in hertz: far beyond those of any device.
    private static let sampleRates = 1...1e7

    /// True if the protocol can carry the format.
    ///
    /// It needs more than one block: the fallback for a late unit goes to another block.
    var isPossible: Bool {
        Self.sampleRates.contains(sampleRate) && (1...WireLimits.frameCount).contains(maximumFrameCount)
            && (0...WireLimits.channelCount).contains(channelCount) && (2...WireLimits.slotCount).contains(slotCount)
            && slotCount & (slotCount - 1) == 0
            && (sideInputs + (outputs ?? [])).allSatisfy { (0...WireLimits.channelCount).contains($0) }
    }
}

extension BlockFormat {
    /// The error for a format beyond the protocol's limits.
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
