// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a sound between its frames. Made on the control thread, used on the render thread.

import Realtime

/// Band-limited interpolation of an input's history, at any place and for any step from frame to frame.
///
/// A step above 1 stretches the filter, so that no frequency is folded back. Images and aliases are below −90 dB, and 85 % of the
/// bandwidth passes. Source: J. O. Smith and P. Gossett, "A Flexible Sampling-Rate Conversion Method" (ICASSP 1984).
public struct SincReader: ~Copyable {
    /// The frames on each side of a place that are read at a step up to 1; a larger step reads as many times more.
    public static var halfWidth: Int { @_noLocks get { 40 } }
    private static var rowCount: Int { @_noLocks get { 256 } }
    private static let cutoff = 0.93
    private static let kaiserBeta = 9.0

    private let highestStep: Double
    /// The filter's one side, at 256 places a frame.
    private let kernel: UnsafeMutablePointer<Float>
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
        let count = Self.halfWidth * Self.rowCount
        kernel = .allocate(capacity: count + 2)
        for row in 0..<count { (kernel + row).initialize(to: Float(Self.weight(Double(row) / Double(Self.rowCount)))) }
        (kernel + count).initialize(repeating: 0, count: 2)
    }

    deinit {
        kernel.deallocate()
        weights.deallocate()
    }

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
        let reach = Double(Self.halfWidth) * stretch
        let start = Int64(Maths.floor(place - reach)) &+ 1
        let count = Int(Int64(Maths.floor(place + reach)) &- start) &+ 1
        if past.end != windowEnd || start < windowStart || start &+ Int64(count) > windowStart &+ Int64(windowCount) {
            copyWindow(past, from: start)
        }
        weigh(count, Double(start) - place, 1 / stretch)
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

    /// Writes the weights of the frames from `distance` on, measured from the place.
    @_noLocks
    private func weigh(_ count: Int, _ distance: Double, _ scale: Double) {
        let (rows, factor) = (Double(Self.rowCount) * scale, Float(scale))
        let most = Double(Self.halfWidth * Self.rowCount)
        for tap in 0..<count {
            let row = min(abs(distance + Double(tap)) * rows, most)
            let whole = Int(row)
            let share = Float(row - Double(whole))
            weights[tap] = (kernel[whole] + (kernel[whole &+ 1] - kernel[whole]) * share) * factor
        }
    }

    /// The filter at a distance in frames: a sinc in a Kaiser window.
    private static func weight(_ distance: Double) -> Double {
        let angle = Double.pi * cutoff * distance
        let sinc = distance == 0 ? 1 : Maths.sin(angle) / angle
        let share = distance / Double(halfWidth)
        return cutoff * sinc * bessel(kaiserBeta * Maths.sqrt(max(0, 1 - share * share))) / bessel(kaiserBeta)
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for index in 1...40 {
            term *= x * x / 4 / Double(index * index)
            sum += term
        }
        return sum
    }
}
