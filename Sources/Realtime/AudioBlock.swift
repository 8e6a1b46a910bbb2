// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A borrowed view of planar 32-bit float audio, valid for one render cycle. Render thread.

import CRealtimeShims

/// Planar audio: `channelCount` pointers to `frameCount` samples each. Owns nothing and copies nothing.
///
/// `[render]` Nominal full scale is ±1.
@frozen
public struct AudioBlock {
    /// One pointer a channel, each good for `frameCount` samples.
    public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    public let channelCount: Int
    public let frameCount: Int

    @inlinable @_noLocks
    public init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int) {
        self.channels = channels
        self.channelCount = channelCount
        self.frameCount = frameCount
    }

    /// The samples of one channel. The caller keeps `channel` below `channelCount`.
    @inlinable
    public subscript(channel: Int) -> UnsafeMutablePointer<Float> {
        @_noLocks get { channels[channel] }
    }

    /// Writes zero to every sample from `frame` on.
    @inlinable @_noLocks
    public func silence(from frame: Int = 0) {
        for channel in 0..<channelCount {
            CRealtimeShims_clearSamples(channels[channel] + frame, frameCount - frame)
        }
    }

    /// Copies as many channels and frames as both blocks have; the rest of `self` stays as it was.
    @inlinable @_noLocks
    public func copy(from source: AudioBlock) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) where channels[channel] != source.channels[channel] {
            CRealtimeShims_copySamples(channels[channel], source.channels[channel], frames)
        }
    }

    /// Writes `source` times `gain` to as many channels and frames as both blocks have; the rest of `self` stays as it was.
    @inlinable @_noLocks
    public func copy(from source: AudioBlock, gain: Float) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) {
            let from = source.channels[channel]
            let to = channels[channel]
            for frame in 0..<frames { to[frame] = from[frame] * gain }
        }
    }

    /// Adds `source` times `gain` to as many channels and frames as both blocks have.
    @inlinable @_noLocks
    public func add(_ source: AudioBlock, gain: Float = 1) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) {
            let from = source.channels[channel]
            let to = channels[channel]
            for frame in 0..<frames { to[frame] += from[frame] * gain }
        }
    }

    /// Whether every sample is a number, neither NaN nor infinite.
    @inlinable
    public var isFinite: Bool {
        @_noLocks get { !hasMagnitude(above: Float.greatestFiniteMagnitude.bitPattern) }
    }

    /// Whether a sample's magnitude has more bits than `limit`, itself a magnitude's. Infinity has more than any number, and NaN more
    /// than infinity.
    @inlinable @_noLocks
    public func hasMagnitude(above limit: UInt32) -> Bool {
        // Whatever is above carries into the sign: three instructions for some samples at once, where a largest one takes ten.
        let gap = 0x7FFF_FFFF &- limit
        var sums: UInt32 = 0
        for channel in 0..<channelCount {
            let samples = channels[channel]
            for frame in 0..<frameCount { sums |= (samples[frame].bitPattern & 0x7FFF_FFFF) &+ gap }
        }
        return sums > 0x7FFF_FFFF
    }

    /// The bits of the largest magnitude of all samples. Infinity has more than any number, and NaN more than infinity.
    @inlinable
    public var largestMagnitudeBits: UInt32 {
        @_noLocks get {
            var largest: UInt32 = 0
            for channel in 0..<channelCount { largest = max(largest, largestMagnitudeBits(ofChannel: channel)) }
            return largest
        }
    }

    /// Of bits, and not of numbers, which the compiler turns into as many comparisons as samples.
    @inlinable @_noLocks
    func largestMagnitudeBits(ofChannel channel: Int) -> UInt32 {
        let samples = channels[channel]
        var largest: UInt32 = 0
        for frame in 0..<frameCount { largest = max(largest, samples[frame].bitPattern & 0x7FFF_FFFF) }
        return largest
    }

    /// The largest magnitude in one channel; what a peak meter shows. NaN where there is one.
    @inlinable @_noLocks
    public func peak(ofChannel channel: Int) -> Float { Float(bitPattern: largestMagnitudeBits(ofChannel: channel)) }
}
