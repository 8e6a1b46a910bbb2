// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input of a unit, delayed by its latency; bypass and fallback play it in place of the output. Render thread.

/// Delays a planar signal by a number of frames, which may change.
public struct DryDelay: ~Copyable {
    /// The delay in frames.
    public private(set) var latencyFrameCount: Int
    /// The longest delay that fits into the memory, in frames.
    public let longestFrameCount: Int
    private let channelCount: Int
    private let capacity: Int
    private let history: UnsafeMutablePointer<Float>
    private let delayed: AudioBuffer
    private var position = 0
    /// The number of frames written since the last reset, at most the capacity.
    private var heldCount = 0

    /// The delay to which any signal can change, in frames: 43 ms at 192 kHz.
    public static let reservedFrameCount = 8192

    /// `[control]` Allocates a delay for blocks of up to `maximumFrameCount` frames; a latency of zero takes no time.
    public init(channelCount: Int, maximumFrameCount: Int, latencyFrameCount: Int) {
        self.latencyFrameCount = latencyFrameCount
        self.channelCount = channelCount
        longestFrameCount = max(latencyFrameCount, Self.reservedFrameCount)
        capacity = maximumFrameCount + longestFrameCount
        let sampleCount = max(1, self.channelCount * capacity)
        history = .allocate(capacity: sampleCount)
        history.initialize(repeating: 0, count: sampleCount)
        delayed = AudioBuffer(channelCount: self.channelCount, frameCapacity: maximumFrameCount)
    }

    deinit { history.deallocate() }

    /// `[render]` Changes the delay from the next block on, up to the longest one.
    ///
    /// Without latency the signal is not recorded; after that, silence takes its place. The change is not faded.
    @inline(__always) @_noLocks
    public mutating func follow(latencyFrameCount: Int) {
        if latencyFrameCount != self.latencyFrameCount { change(to: min(max(0, latencyFrameCount), longestFrameCount)) }
    }

    @inline(never) @_noLocks
    private mutating func change(to frameCount: Int) {
        if latencyFrameCount == 0 { heldCount = 0 }
        latencyFrameCount = frameCount
    }

    /// `[render]` Takes a block and returns the same number of frames from `latencyFrameCount` frames ago.
    ///
    /// The result is valid until the next call. Without latency it is `input` itself.
    @_noLocks
    public mutating func process(_ input: AudioBlock) -> AudioBlock {
        guard latencyFrameCount > 0 else { return input }
        let output = delayed.block(frameCount: input.frameCount)
        let silentCount = min(input.frameCount, max(0, latencyFrameCount - heldCount))
        for channel in 0..<min(channelCount, input.channelCount) {
            let line = history + channel * capacity
            var write = position
            var read = position < latencyFrameCount ? position + capacity - latencyFrameCount : position - latencyFrameCount
            for frame in 0..<input.frameCount {
                line[write] = input[channel][frame]
                output[channel][frame] = frame < silentCount ? 0 : line[read]
                write = write + 1 == capacity ? 0 : write + 1
                read = read + 1 == capacity ? 0 : read + 1
            }
        }
        position = (position + input.frameCount) % capacity
        heldCount = min(capacity, heldCount + input.frameCount)
        return output
    }

    /// `[render]` Forgets everything.
    @_noLocks
    public mutating func reset() { heldCount = 0 }
}
