// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Audio between a producer and a consumer whose blocks have different sizes. Render thread.

import CRealtimeShims

/// A queue of frames; blocks that arrive and blocks that leave may have different sizes.
public struct BlockQueue: ~Copyable {
    private let channelCount: Int
    /// The capacity in frames, a power of two.
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The numbers of frames that have arrived and left, modulo 2⁶⁴.
    private var end: UInt64
    private var start: UInt64 = 0

    /// `[control]` Makes a queue that holds `delay` frames of silence.
    ///
    /// No call may append or take more than `maximumFrameCount` frames.
    public init(channelCount: Int, delay: Int, maximumFrameCount: Int) {
        self.channelCount = channelCount
        var capacity = 1
        while capacity < delay + 2 * maximumFrameCount { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: max(1, channelCount * capacity))
        samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
        end = UInt64(delay)
    }

    deinit { samples.deallocate() }

    /// `[render]` The number of frames that can be taken.
    public var frameCount: Int {
        @_noLocks get { Int(truncatingIfNeeded: end &- start) }
    }

    /// `[render]` Appends a block; the oldest frames are dropped if there is no room.
    ///
    /// Channels that the block lacks become silent.
    @_noLocks
    public mutating func append(_ block: AudioBlock) {
        let position = Int(truncatingIfNeeded: end) & (capacity - 1)
        let first = min(block.frameCount, capacity &- position)
        for channel in 0..<channelCount {
            let own = samples + channel &* capacity
            if channel < block.channelCount {
                CRealtimeShims_copySamples(own + position, block[channel], first)
                CRealtimeShims_copySamples(own, block[channel] + first, block.frameCount &- first)
            } else {
                CRealtimeShims_clearSamples(own + position, first)
                CRealtimeShims_clearSamples(own, block.frameCount &- first)
            }
        }
        end &+= UInt64(block.frameCount)
        if frameCount > capacity { start = end &- UInt64(capacity) }
    }

    /// `[render]` Fills a block with the oldest frames; if there are too few, it begins with silence.
    @_noLocks
    public mutating func take(_ block: AudioBlock) {
        let silence = max(0, block.frameCount &- frameCount)
        let position = Int(truncatingIfNeeded: start) & (capacity - 1)
        let rest = block.frameCount &- silence
        let first = min(rest, capacity &- position)
        for channel in 0..<block.channelCount {
            CRealtimeShims_clearSamples(block[channel], channel < channelCount ? silence : block.frameCount)
            guard channel < channelCount else { continue }
            let own = samples + channel &* capacity
            CRealtimeShims_copySamples(block[channel] + silence, own + position, first)
            CRealtimeShims_copySamples(block[channel] + (silence &+ first), own, rest &- first)
        }
        start &+= UInt64(rest)
    }
}
