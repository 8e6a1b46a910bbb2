// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a sound between its frames. Made on the control thread, used on the render thread.

import Realtime

/// Band-limited interpolation of an input's history, at any place and for any step from frame to frame.
///
/// A step above 1 stretches the filter, so that no frequency is folded back. Images and aliases are below −90 dB, and 85 % of the
/// bandwidth passes.
public struct SincReader: ~Copyable {
    /// The frames on each side of a place that are read at a step up to 1; a larger step reads as many times more.
    public static var halfWidth: Int { @_noLocks get { 40 } }

    private let highestStep: Double
    private let kernel = SincKernel(halfWidth: SincReader.halfWidth, cutoff: 0.93, beta: 9)
    private let weights: UnsafeMutablePointer<Float>
    /// The frames around the last place, in one piece.
    private let window: AudioBuffer
    private var windowStart: Int64 = 0
    private var windowCount = 0
    /// The newest frame of the history when the window was copied.
    private var windowEnd: Int64 = -1

    /// `[control]` Makes a reader of steps up to `highestStep`.
    public init(channelCount: Int, highestStep: Double) {
        self.highestStep = max(1, highestStep)
        let tapCount = 2 * Int(Double(Self.halfWidth) * self.highestStep) + 2
        weights = .allocate(capacity: tapCount)
        weights.initialize(repeating: 0, count: tapCount)
        window = AudioBuffer(channelCount: channelCount, frameCapacity: tapCount + 512)
    }

    deinit { weights.deallocate() }

    /// `[render]` Forgets the frames that were copied; the history has begun again.
    @_noLocks public mutating func reset() { (windowCount, windowEnd) = (0, -1) }

    /// `[render]` Writes one frame of each channel, the sound at a place of the history.
    ///
    /// The filter is as wide as for a step of `stretch`, and reads `halfWidth` times that on each side.
    @_noLocks
    public mutating func read(
        _ past: borrowing InputHistory, at place: Double, stretch: Double, to output: AudioBlock, frame: Int
    ) {
        let stretch = max(1, min(highestStep, stretch))
        let (start, count) = kernel.window(at: place, stretch: stretch)
        if past.end != windowEnd || start < windowStart || start &+ Int64(count) > windowStart &+ Int64(windowCount) {
            copyWindow(past, from: start)
        }
        kernel.weigh(count, from: Double(start) - place, stretch: stretch, to: weights)
        let first = Int(start &- windowStart)
        let block = window.block(frameCount: windowCount)
        for channel in 0..<output.channelCount {
            output[channel][frame] =
                channel < block.channelCount ? SIMD16.product(block[channel] + first, weights, count: count) : 0
        }
    }

    @_noLocks
    private mutating func copyWindow(_ past: borrowing InputHistory, from start: Int64) {
        (windowStart, windowCount, windowEnd) = (start, window.frameCapacity, past.end)
        past.copy(from: start, windowCount, to: window.block(frameCount: windowCount), at: 0)
    }
}
