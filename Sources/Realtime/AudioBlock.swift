// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A borrowed view of planar 32-bit float audio, valid during one render cycle. Render thread.

import CRealtimeShims

/// Planar audio: `channelCount` pointers to `frameCount` samples each.
///
/// `[render]` A block owns no memory, and copying it copies no samples. Full scale is ±1.
@frozen
public struct AudioBlock {
    /// One pointer for each channel, valid for `frameCount` samples.
    public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The number of channels.
    public let channelCount: Int
    /// The number of frames.
    public let frameCount: Int

    /// Makes a view of memory that must outlive it.
    @inlinable @_noLocks
    public init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int) {
        self.channels = channels
        self.channelCount = channelCount
        self.frameCount = frameCount
    }

    /// The samples of one channel; `channel` must be below `channelCount`.
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

    /// Copies the channels and frames that both blocks have; the rest of `self` does not change.
    @inlinable @_noLocks
    public func copy(from source: AudioBlock) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) where channels[channel] != source.channels[channel] {
            CRealtimeShims_copySamples(channels[channel], source.channels[channel], frames)
        }
    }

    /// Writes `source` times `gain` to the channels and frames that both blocks have; the rest of `self` does not change.
    @inlinable @_noLocks
    public func copy(from source: AudioBlock, gain: Float) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) {
            let from = source.channels[channel]
            let to = channels[channel]
            for frame in 0..<frames { to[frame] = from[frame] * gain }
        }
    }

    /// Adds `source` times `gain` to the channels and frames that both blocks have.
    @inlinable @_noLocks
    public func add(_ source: AudioBlock, gain: Float = 1) {
        let frames = min(frameCount, source.frameCount)
        for channel in 0..<min(channelCount, source.channelCount) {
            let from = source.channels[channel]
            let to = channels[channel]
            for frame in 0..<frames { to[frame] += from[frame] * gain }
        }
    }

    /// The magnitude below which sound counts as silence: −90 dBFS.
    public static var silenceThreshold: Float { @_noLocks get { 3.162_278e-5 } }

    /// True if any sample reaches `silenceThreshold`.
    @inlinable
    public var isAudible: Bool {
        @_noLocks get { hasMagnitude(above: Self.silenceThreshold.bitPattern &- 1) }
    }

    /// True if both blocks have the same channels, frames and bits.
    @inlinable @_noLocks
    public func isIdentical(to other: AudioBlock) -> Bool {
        guard channelCount == other.channelCount, frameCount == other.frameCount else { return false }
        for channel in 0..<channelCount {
            let (samples, others) = (channels[channel], other.channels[channel])
            var differences: UInt32 = 0
            for frame in 0..<frameCount { differences |= samples[frame].bitPattern ^ others[frame].bitPattern }
            if differences != 0 { return false }
        }
        return true
    }

    /// True if no sample is NaN or infinite.
    @inlinable
    public var isFinite: Bool {
        @_noLocks get { !hasMagnitude(above: Float.greatestFiniteMagnitude.bitPattern) }
    }

    /// True if the magnitude of any sample is larger than `limit`, given as bits.
    ///
    /// The bits of magnitudes have the same order as their values. Infinity is larger than any number, and NaN larger than
    /// infinity.
    @inlinable @_noLocks
    public func hasMagnitude(above limit: UInt32) -> Bool {
        // A larger magnitude carries into the sign bit. That takes three instructions for several samples at once. A search for
        // the largest sample takes ten.
        let gap = 0x7FFF_FFFF &- limit
        var sums: UInt32 = 0
        for channel in 0..<channelCount {
            let samples = channels[channel]
            for frame in 0..<frameCount { sums |= (samples[frame].bitPattern & 0x7FFF_FFFF) &+ gap }
        }
        return sums > 0x7FFF_FFFF
    }

    /// The bits of the largest magnitude of all samples.
    ///
    /// Infinity is larger than any number, and NaN larger than infinity.
    @inlinable
    public var largestMagnitudeBits: UInt32 {
        @_noLocks get {
            var largest: UInt32 = 0
            for channel in 0..<channelCount { largest = max(largest, largestMagnitudeBits(ofChannel: channel)) }
            return largest
        }
    }

    /// Compares bits, since the compiler turns a comparison of numbers into one for each sample.
    @inlinable @_noLocks
    func largestMagnitudeBits(ofChannel channel: Int) -> UInt32 {
        let samples = channels[channel]
        var largest: UInt32 = 0
        for frame in 0..<frameCount { largest = max(largest, samples[frame].bitPattern & 0x7FFF_FFFF) }
        return largest
    }

    /// The largest magnitude in one channel, as a peak meter shows it; NaN if a sample is NaN.
    @inlinable @_noLocks
    public func peak(ofChannel channel: Int) -> Float { Float(bitPattern: largestMagnitudeBits(ofChannel: channel)) }
}
