// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input of a unit, delayed by its latency: bypass and fallback play it instead of the output. Render thread.

/// Delays a planar signal by a fixed number of frames.
public struct DryDelay: ~Copyable {
    /// The delay in frames.
    public let latencyFrameCount: Int
    private let channelCount: Int
    private let capacity: Int
    private let history: UnsafeMutablePointer<Float>
    private let delayed: AudioBuffer
    private var position = 0

    /// `[control]` Allocates a delay for blocks of up to `maximumFrameCount` frames; a latency of zero costs nothing.
    public init(channelCount: Int, maximumFrameCount: Int, latencyFrameCount: Int) {
        self.latencyFrameCount = latencyFrameCount
        self.channelCount = latencyFrameCount > 0 ? channelCount : 0
        capacity = maximumFrameCount + latencyFrameCount
        let sampleCount = max(1, self.channelCount * capacity)
        history = .allocate(capacity: sampleCount)
        history.initialize(repeating: 0, count: sampleCount)
        delayed = AudioBuffer(channelCount: self.channelCount, frameCapacity: maximumFrameCount)
    }

    deinit { history.deallocate() }

    /// `[render]` Takes a block and returns the same number of frames from `latencyFrameCount` frames ago.
    ///
    /// The result is valid until the next call. Without latency it is `input` itself.
    @_noLocks
    public mutating func process(_ input: AudioBlock) -> AudioBlock {
        guard latencyFrameCount > 0 else { return input }
        let output = delayed.block(frameCount: input.frameCount)
        for channel in 0..<min(channelCount, input.channelCount) {
            let line = history + channel * capacity
            var write = position
            var read = position < latencyFrameCount ? position + capacity - latencyFrameCount : position - latencyFrameCount
            for frame in 0..<input.frameCount {
                line[write] = input[channel][frame]
                output[channel][frame] = line[read]
                write = write + 1 == capacity ? 0 : write + 1
                read = read + 1 == capacity ? 0 : read + 1
            }
        }
        position = (position + input.frameCount) % capacity
        return output
    }

    /// `[render]` Forgets everything.
    @_noLocks
    public mutating func reset() {
        for index in 0..<channelCount * capacity { history[index] = 0 }
    }
}
