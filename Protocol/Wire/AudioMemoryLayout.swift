// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The layout of audio memory with one writer and several readers. Any thread.

import CWireLayout

/// The layout of audio memory: a ring of `slotCount` planar blocks, with the buses one after another.
public struct AudioMemoryLayout: Hashable, Sendable {
    /// The number of blocks in the ring.
    public let slotCount: Int
    /// The number of channels of all buses together.
    public let channelCount: Int
    /// The distance in frames from one channel to the next; a multiple of 16.
    public let frameStride: Int

    /// Makes the layout for blocks of up to `maximumFrameCount` frames.
    public init(slotCount: Int, channelCount: Int, maximumFrameCount: Int) {
        self.slotCount = slotCount
        self.channelCount = channelCount
        frameStride = (maximumFrameCount + 15) & ~15
    }

    /// Takes a layout from a peer; nil if a number exceeds the protocol's limits.
    public init?(slotCount: UInt32, channelCount: UInt32, frameStride: UInt32) {
        guard slotCount > 0, slotCount <= CWireLayout_maximumSlotCount,
            channelCount <= CWireLayout_maximumChannelCount,
            frameStride > 0, frameStride <= CWireLayout_maximumFrameCount, frameStride % 16 == 0
        else { return nil }
        self.slotCount = Int(slotCount)
        self.channelCount = Int(channelCount)
        self.frameStride = Int(frameStride)
    }

    /// The size in bytes: whole pages, at least one.
    public var byteCount: Int {
        let page = Int(CWireLayout_pageByteCount)
        let bytes = slotCount * channelCount * frameStride * MemoryLayout<Float>.stride
        return max(page, (bytes + page - 1) / page * page)
    }

    /// `[any]` The number of samples from the start of the memory to a channel of a block.
    @_noLocks
    public func sampleOffset(slot: Int, channel: Int) -> Int { (slot &* channelCount &+ channel) &* frameStride }
}
