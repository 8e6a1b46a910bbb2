// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A part of a bus, for blocks that are longer than the memory of a sound. Render thread; made by the control thread.

import Realtime
import Rendering

/// A bus whose block is a part of another one's.
struct BusPart {
    private let bus: UnsafeMutablePointer<BusAudio>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// A sample for channels that are not there.
    private let nothing: UnsafeMutablePointer<Float>
    private let channelCount: Int

    /// `[control]` Allocates; `deallocate` frees it.
    init(channelCount: Int) {
        self.channelCount = channelCount
        nothing = .allocate(capacity: 1)
        nothing.initialize(to: 0)
        channels = .allocate(capacity: max(1, channelCount))
        channels.initialize(repeating: nothing, count: max(1, channelCount))
        bus = .allocate(capacity: 1)
        bus.initialize(to: BusAudio(block: AudioBlock(channels: channels, channelCount: 0, frameCount: 0)))
    }

    func deallocate() {
        bus.deallocate()
        channels.deallocate()
        nothing.deallocate()
    }

    /// Opens a bus, and returns so many of its frames.
    @_noLocks
    func take(_ whole: UnsafeMutablePointer<BusAudio>, from start: Int, _ frameCount: Int) -> UnsafeMutablePointer<BusAudio> {
        let block = whole.pointee.open()
        let count = min(channelCount, block.channelCount)
        for channel in 0..<count { channels[channel] = block[channel] + start }
        bus.pointee = BusAudio(block: AudioBlock(channels: channels, channelCount: count, frameCount: frameCount))
        return bus
    }
}
