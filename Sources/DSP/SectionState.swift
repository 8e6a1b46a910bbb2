// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The channels of a second-order filter in pairs, one pair for each vector instruction. Render thread.

import Realtime

/// The same frames of two channels.
///
/// If the number of channels is odd, the last channel forms a pair with itself.
@frozen
public struct ChannelPair {
    /// The samples of the first channel.
    public let first: UnsafeMutablePointer<Float>
    /// The samples of the second channel, which may be the first.
    public let second: UnsafeMutablePointer<Float>

    /// Makes a pair of two channels.
    @inlinable @_noLocks public init(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>) {
        self.first = first
        self.second = second
    }

    /// Makes a pair of channel 2·`pair` and the next one, from a frame on.
    @_noLocks public init(_ block: AudioBlock, pair: Int, from frame: Int) {
        first = block[2 * pair] + frame
        second = block[min(2 * pair + 1, block.channelCount - 1)] + frame
    }

    /// The number of pairs that `channelCount` channels form.
    @_noLocks public static func count(ofChannels channelCount: Int) -> Int { (channelCount + 1) / 2 }
}

/// The state of a second-order filter for two channels.
public struct SectionState {
    var s1 = SIMD2<Double>(0, 0)
    var s2 = SIMD2<Double>(0, 0)
    var input1 = SIMD2<Double>(0, 0)
    var input2 = SIMD2<Double>(0, 0)

    /// Makes the state of silence.
    @_noLocks public init() {}

    /// Clears the state of a channel that is not finite, or has decayed below 1e-30.
    @_noLocks mutating func tidy() {
        for lane in 0..<2 {
            let sum = abs(s1[lane]) + abs(s2[lane]) + abs(input1[lane]) + abs(input2[lane])
            if sum < 1e30, sum > 1e-30 { continue }
            s1[lane] = 0
            s2[lane] = 0
            input1[lane] = 0
            input2[lane] = 0
        }
    }
}
