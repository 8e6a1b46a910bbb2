// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where each channel of each block lies in audio memory that one producer writes and others read. Any thread.

import CWireLayout

/// The geometry of an audio memory: a ring of `slotCount` blocks, planar, the buses one after another.
public struct AudioMemoryLayout: Hashable, Sendable {
    /// Blocks in the ring.
    public let slotCount: Int
    /// Channels of all buses together.
    public let channelCount: Int
    /// Frames from the start of one channel to the start of the next; a multiple of 16.
    public let frameStride: Int

    /// The layout for blocks of up to `maximumFrameCount` frames.
    public init(slotCount: Int, channelCount: Int, maximumFrameCount: Int) {
        self.slotCount = slotCount
        self.channelCount = channelCount
        frameStride = (maximumFrameCount + 15) & ~15
    }

    /// A layout as a peer states it; nil when a number is beyond the protocol's limits.
    public init?(slotCount: UInt32, channelCount: UInt32, frameStride: UInt32) {
        guard slotCount > 0, slotCount <= CWireLayout_maximumSlotCount,
            channelCount <= CWireLayout_maximumChannelCount,
            frameStride > 0, frameStride <= CWireLayout_maximumFrameCount, frameStride % 16 == 0
        else { return nil }
        self.slotCount = Int(slotCount)
        self.channelCount = Int(channelCount)
        self.frameStride = Int(frameStride)
    }

    /// Bytes in whole pages, at least one page.
    public var byteCount: Int {
        let page = Int(CWireLayout_pageByteCount)
        let bytes = slotCount * channelCount * frameStride * MemoryLayout<Float>.stride
        return max(page, (bytes + page - 1) / page * page)
    }

    /// Samples from the start of the memory to a channel of a block.
    @_noLocks
    public func sampleOffset(slot: Int, channel: Int) -> Int { (slot &* channelCount &+ channel) &* frameStride }
}
