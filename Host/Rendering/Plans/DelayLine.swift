// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Delays a signal so that it meets another one on the same frame; a change of the delay is faded. Render thread.

import CRealtimeShims
import Realtime

/// The memory of a delay line: a ring for each channel.
///
/// The control thread allocates it and frees it.
final class DelayMemory: @unchecked Sendable {
    // SAFETY: after init only the render thread uses the samples.
    let core: UnsafeMutablePointer<Core>

    struct Core {
        let samples: UnsafeMutablePointer<Float>
        let channelCount: Int
        /// A power of two.
        let frameCount: Int

        @_noLocks
        func channel(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index * frameCount }
    }

    /// Allocates memory for a delay of `delayFrameCount` frames, with blocks of `maximumFrameCount`.
    init(channelCount: Int, delayFrameCount: Int, maximumFrameCount: Int) {
        var frameCount = 1024
        while frameCount < delayFrameCount + maximumFrameCount { frameCount *= 2 }
        let count = max(1, channelCount * frameCount)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
        core = .allocate(capacity: 1)
        core.initialize(to: Core(samples: samples, channelCount: channelCount, frameCount: frameCount))
    }

    deinit {
        core.pointee.samples.deallocate()
        core.deallocate()
    }

    /// True if the memory suffices for another delay.
    func holds(channelCount: Int, delayFrameCount: Int, maximumFrameCount: Int) -> Bool {
        core.pointee.channelCount >= channelCount && core.pointee.frameCount >= delayFrameCount + maximumFrameCount
    }
}

/// A delay line in use.
///
/// It reads at one delay, and during a change at two, between which it crossfades.
struct DelayLine {
    private var memory: UnsafeMutablePointer<DelayMemory.Core>?
    private var writePosition = 0
    /// The number of written frames, up to the ring's length.
    private var fedFrameCount = 0
    private var delay = 0
    private var formerDelay = 0
    /// The share of `delay` beside `formerDelay`.
    private var cross = SmoothedValue(1)

    /// True if the delay has this length.
    @_noLocks
    func delays(_ frameCount: Int) -> Bool { delay == frameCount }

    /// True if a signal passes through unchanged, so that no frame must be written.
    @_noLocks
    func isIdle(_ wanted: Int) -> Bool { wanted == 0 && delay == 0 && !cross.isMoving }

    /// Clears the line; the delay is `wanted` at once.
    @_noLocks
    mutating func reset(to wanted: Int) {
        (delay, formerDelay, fedFrameCount) = (wanted, wanted, 0)
        cross.jump(to: 1)
    }

    /// Takes larger memory, and copies the written frames into it.
    @_noLocks
    private mutating func adopt(_ new: UnsafeMutablePointer<DelayMemory.Core>) {
        defer { memory = new }
        guard let memory, fedFrameCount > 0 else {
            writePosition = 0
            return clear(new.pointee)
        }
        let (old, new) = (memory.pointee, new.pointee)
        let count = min(fedFrameCount, min(old.frameCount, new.frameCount))
        clear(new)
        for channel in 0..<min(old.channelCount, new.channelCount) {
            for frame in 0..<count {
                let position = writePosition &- count &+ frame
                new.channel(channel)[frame] = old.channel(channel)[position & (old.frameCount &- 1)]
            }
        }
        (writePosition, fedFrameCount) = (count, count)
    }

    @_noLocks
    private func clear(_ memory: DelayMemory.Core) {
        CRealtimeShims_clearSamples(memory.samples, memory.channelCount * memory.frameCount)
    }

    /// Writes `input`, and reads the frames from `wanted` frames earlier into `output`.
    ///
    /// A longer delay begins at the frame at which enough frames have been written, and any other one after the present fade:
    /// until then the former one holds. So it does not depend on the length of blocks.
    @_noLocks
    mutating func process(
        _ input: BusAudio, into output: AudioBlock, delayedBy wanted: Int, _ newest: UnsafeMutablePointer<DelayMemory.Core>,
        fadeFrameCount: Int
    ) {
        if memory != newest { adopt(newest) }
        let frameCount = output.frameCount
        write(input, newest.pointee, frameCount)
        var start = 0
        while start < frameCount {
            var end = frameCount
            if wanted != delay, !cross.isMoving, wanted <= fedFrameCount &+ start {
                (formerDelay, delay) = (delay, wanted)
                cross.jump(to: 0)
                cross.ramp(to: 1, over: fadeFrameCount)
            } else if wanted != delay {
                let rest = cross.isMoving ? cross.framesRemaining : wanted &- fedFrameCount &- start
                end = min(end, start &+ rest)
            }
            read(into: output, from: start, to: end, newest.pointee)
            start = end
        }
        writePosition = (writePosition &+ frameCount) & (newest.pointee.frameCount &- 1)
        fedFrameCount = min(fedFrameCount &+ frameCount, newest.pointee.frameCount)
        if delay == 0, wanted == 0, !cross.isMoving { fedFrameCount = 0 }
    }

    @_noLocks
    private func write(_ input: BusAudio, _ memory: DelayMemory.Core, _ frameCount: Int) {
        let first = min(frameCount, memory.frameCount &- writePosition)
        for channel in 0..<min(memory.channelCount, input.block.channelCount) {
            let ring = memory.channel(channel)
            CRealtimeShims_copySamples(ring + writePosition, input.block[channel], first)
            CRealtimeShims_copySamples(ring, input.block[channel] + first, frameCount - first)
        }
    }

    @_noLocks
    private mutating func read(into output: AudioBlock, from first: Int, to end: Int, _ memory: DelayMemory.Core) {
        let mask = memory.frameCount &- 1
        let ramp = cross
        for channel in 0..<min(memory.channelCount, output.channelCount) {
            let ring = memory.channel(channel)
            let position = (writePosition &+ first &- delay) & mask
            copy(ring, from: position, memory.frameCount, to: output[channel] + first, end &- first)
            guard ramp.isMoving else { continue }
            cross = ramp
            let start = writePosition &- formerDelay
            for frame in first..<end {
                let share = cross.next()
                let former = ring[(start &+ frame) & mask]
                output[channel][frame] = former + (output[channel][frame] - former) * share
            }
        }
    }

    @_noLocks
    private func copy(
        _ ring: UnsafeMutablePointer<Float>, from position: Int, _ length: Int, to output: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        let first = min(count, length &- position)
        CRealtimeShims_copySamples(output, ring + position, first)
        CRealtimeShims_copySamples(output + first, ring, count - first)
    }
}
