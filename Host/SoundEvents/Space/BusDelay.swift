// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Delays a bus by a few frames, so that sounds of different latency are in step. Render thread; made by the control thread.

import CRealtimeShims
import Realtime
import Rendering

/// A delay of up to 64 frames for all channels of a bus; a change of it is a cross-fade.
struct BusDelay {
    private static var pastFrameCount: Int { @_noLocks get { 64 } }

    private let channelCount: Int
    /// For each channel the frames before, and those of the block.
    private let past: UnsafeMutablePointer<Float>
    private let work: UnsafeMutablePointer<Float>
    private var present = 0
    private var former = 0
    /// The frames of a cross-fade that are over; nil for none under way.
    private var fadedFrameCount: Int?
    /// The frames since the last sound.
    private var quietFrameCount = Int.max / 2

    /// `[control]` Allocates; `deallocate` frees it.
    init(channelCount: Int) {
        self.channelCount = channelCount
        past = .allocate(capacity: max(1, channelCount * Self.pastFrameCount))
        past.initialize(repeating: 0, count: max(1, channelCount * Self.pastFrameCount))
        work = .allocate(capacity: Self.pastFrameCount + SceneScratch.frameCount)
        work.initialize(repeating: 0, count: Self.pastFrameCount + SceneScratch.frameCount)
    }

    func deallocate() {
        past.deallocate()
        work.deallocate()
    }

    /// Delays a block in place; a delay of 0 only remembers the last frames.
    @_noLocks
    mutating func process(_ bus: UnsafeMutablePointer<BusAudio>, by wanted: Int, over fadeFrameCount: Int) {
        let frameCount = bus.pointee.block.frameCount
        if wanted != present, fadedFrameCount == nil {
            (former, present, fadedFrameCount) = (present, max(0, min(Self.pastFrameCount, wanted)), 0)
        }
        defer { advance(frameCount, fadeFrameCount) }
        guard !bus.pointee.isSilent || quietFrameCount < Self.pastFrameCount else { return }
        quietFrameCount = bus.pointee.isSilent ? quietFrameCount &+ frameCount : 0
        let block = bus.pointee.open()
        guard present > 0 || fadedFrameCount != nil else { return remember(block) }
        for channel in 0..<min(channelCount, block.channelCount) {
            delay(block[channel], frameCount, past + channel &* Self.pastFrameCount, fadeFrameCount)
        }
    }

    @_noLocks
    private func remember(_ block: AudioBlock) {
        let count = min(block.frameCount, Self.pastFrameCount)
        for channel in 0..<min(channelCount, block.channelCount) {
            let to = past + channel &* Self.pastFrameCount
            for frame in 0..<Self.pastFrameCount &- count { to[frame] = to[frame &+ count] }
            CRealtimeShims_copySamples(to + (Self.pastFrameCount &- count), block[channel] + (block.frameCount &- count), count)
        }
    }

    @_noLocks
    private mutating func advance(_ frameCount: Int, _ fadeFrameCount: Int) {
        guard let faded = fadedFrameCount else { return }
        fadedFrameCount = faded &+ frameCount < fadeFrameCount ? faded &+ frameCount : nil
    }

    @_noLocks
    private func delay(
        _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ past: UnsafeMutablePointer<Float>, _ fadeFrameCount: Int
    ) {
        CRealtimeShims_copySamples(work, past, Self.pastFrameCount)
        CRealtimeShims_copySamples(work + Self.pastFrameCount, samples, frameCount)
        let now = work + (Self.pastFrameCount &- present)
        if let faded = fadedFrameCount {
            let before = work + (Self.pastFrameCount &- former)
            for frame in 0..<frameCount {
                let share = min(1, Float(faded &+ frame &+ 1) / Float(max(1, fadeFrameCount)))
                samples[frame] = before[frame] + (now[frame] - before[frame]) * share
            }
        } else {
            CRealtimeShims_copySamples(samples, now, frameCount)
        }
        CRealtimeShims_copySamples(past, work + frameCount, Self.pastFrameCount)
    }
}
