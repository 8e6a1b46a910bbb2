// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The past of every channel, written frame by frame and read through taps. Render thread.

import PluginSDK

/// Ring buffers of equal length, one a channel.
struct DelayLine: ~Copyable {
    private let samples: UnsafeMutablePointer<Float>
    private let channelCount: Int
    private let mask: Int
    /// The frames from one channel to the next: the ring, and a copy of its beginning for reads across its end.
    private let stride: Int
    private let tapCount: Int
    private let clock: UnsafeMutablePointer<Clock>

    /// The time of the line, behind a pointer.
    ///
    /// Otherwise the compiler copies the whole line at each read, and waits for the last store.
    private struct Clock {
        /// The position of the present frame.
        var position = 0
        /// The frames written since the last `forget`, at most the ring's length minus one.
        var age = 0
    }

    /// `[control]` Allocates for reads of up to `frameCount` frames back, plus their taps.
    init(channelCount: Int, frameCount: Int, tapCount: Int) {
        var capacity = 1024
        while capacity < frameCount + 2 * tapCount { capacity *= 2 }
        mask = capacity - 1
        stride = capacity + tapCount
        self.channelCount = channelCount
        self.tapCount = tapCount
        samples = .allocate(capacity: max(1, channelCount * stride))
        samples.initialize(repeating: 0, count: max(1, channelCount * stride))
        clock = .allocate(capacity: 1)
        clock.initialize(to: Clock())
    }

    deinit {
        samples.deallocate()
        clock.deallocate()
    }

    /// The sum of taps times samples.
    ///
    /// The last tap lies `newest` frames before the present one, at least 1.
    @_noLocks func read(channel: Int, newest: Int, taps: UnsafePointer<Float>) -> Float {
        // The frames are older than the last `forget`: the memory is not cleared, but its contents no longer count.
        if newest > clock.pointee.age { return 0 }
        let start = (clock.pointee.position - newest - tapCount + 1) & mask
        let from = UnsafeRawPointer(samples + channel * stride + start)
        let weights = UnsafeRawPointer(taps)
        // Two sums, so that an addition need not wait for the last one.
        var (even, odd) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        var offset = 0
        while offset < tapCount * 4 {
            even += Self.vector(from, offset) * Self.vector(weights, offset)
            odd += Self.vector(from, offset + 16) * Self.vector(weights, offset + 16)
            offset += 32
        }
        let sum = even + odd
        return (sum.x + sum.y) + (sum.z + sum.w)
    }

    @inline(__always) @_noLocks private static func vector(_ base: UnsafeRawPointer, _ byteOffset: Int) -> SIMD4<Float> {
        base.loadUnaligned(fromByteOffset: byteOffset, as: SIMD4<Float>.self)
    }

    /// Writes the present frame of one channel.
    ///
    /// NaN, infinity and magnitudes from 1e15 up are written as silence.
    @_noLocks func write(channel: Int, _ sample: Float) {
        let clean = abs(sample) < 1e15 ? sample : 0
        let ring = samples + channel * stride
        let position = clock.pointee.position
        ring[position] = clean
        if position < tapCount { ring[mask + 1 + position] = clean }
    }

    /// Moves to the next frame.
    @_noLocks func advance() {
        clock.pointee.position = (clock.pointee.position + 1) & mask
        clock.pointee.age = min(clock.pointee.age + 1, mask)
    }

    /// Forgets everything, in a time independent of the length: `read` checks the age.
    @_noLocks func forget() {
        clock.pointee.age = 0
        for channel in 0..<channelCount {
            let ring = samples + channel * stride
            for back in 1...tapCount {
                let index = (clock.pointee.position - back) & mask
                ring[index] = 0
                if index < tapCount { ring[mask + 1 + index] = 0 }
            }
        }
    }
}
