// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The newest frames of the input, found by their number. Render thread.

import Realtime

/// A ring of the newest frames; frames before the first one, and those that have been overwritten, are silent.
public struct InputHistory: ~Copyable {
    private let samples: UnsafeMutablePointer<Float>
    private let channelCount: Int
    private let capacity: Int
    private let clock: UnsafeMutablePointer<Clock>

    private struct Clock {
        /// The number of the next frame, and the first frame since the last `forget`.
        public var end: Int64 = 0
        var start: Int64 = 0
    }

    /// `[control]` Allocates for at least `frameCount` frames.
    public init(channelCount: Int, frameCount: Int) {
        var capacity = 1024
        while capacity < frameCount { capacity *= 2 }
        (self.channelCount, self.capacity) = (channelCount, capacity)
        samples = .allocate(capacity: max(1, channelCount * capacity))
        samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
        clock = .allocate(capacity: 1)
        clock.initialize(to: Clock())
    }

    deinit {
        samples.deallocate()
        clock.deallocate()
    }

    /// `[render]` The number of frames so far.
    public var end: Int64 { @_noLocks get { clock.pointee.end } }

    /// `[render]` Appends the next frames; subnormal samples become silence.
    @_noLocks
    public func append(_ block: AudioBlock) {
        for channel in 0..<min(channelCount, block.channelCount) {
            let (line, from) = (samples + channel &* capacity, block[channel])
            var place = Int(truncatingIfNeeded: clock.pointee.end) & (capacity &- 1)
            for frame in 0..<block.frameCount {
                line[place] = abs(from[frame]) >= Float.leastNormalMagnitude ? from[frame] : 0
                place = (place &+ 1) & (capacity &- 1)
            }
        }
        clock.pointee.end &+= Int64(block.frameCount)
    }

    /// `[render]` Copies frames, beginning with frame `start`.
    @_noLocks
    public func copy(from number: Int64, _ count: Int, to output: AudioBlock, at frame: Int) {
        let oldest = max(clock.pointee.start, clock.pointee.end &- Int64(capacity))
        for channel in 0..<min(channelCount, output.channelCount) {
            let (line, to) = (samples + channel &* capacity, output[channel] + frame)
            for index in 0..<count {
                let wanted = number &+ Int64(index)
                let isThere = wanted >= oldest && wanted < clock.pointee.end
                to[index] = isThere ? line[Int(truncatingIfNeeded: wanted) & (capacity &- 1)] : 0
            }
        }
    }

    /// `[render]` Counts from 0 again, in silence.
    @_noLocks public func forget() { clock.pointee = Clock() }
}
