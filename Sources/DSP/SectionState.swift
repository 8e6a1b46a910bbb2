// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Channels of a second-order filter two by two, as one vector instruction takes them. Render thread.

import Realtime

/// The same frames of two channels. The last of an odd number of channels makes a pair with itself.
public struct ChannelPair {
    public let first: UnsafeMutablePointer<Float>
    public let second: UnsafeMutablePointer<Float>

    @_noLocks public init(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>) {
        self.first = first
        self.second = second
    }

    /// Channels 2·`pair` and the one after it, from a frame on.
    @_noLocks public init(_ block: AudioBlock, pair: Int, from frame: Int) {
        first = block[2 * pair] + frame
        second = block[min(2 * pair + 1, block.channelCount - 1)] + frame
    }

    /// How many pairs some channels make.
    @_noLocks public static func count(ofChannels channelCount: Int) -> Int { (channelCount + 1) / 2 }
}

/// What a second-order filter remembers of two channels.
public struct SectionState {
    var s1 = SIMD2<Double>(0, 0)
    var s2 = SIMD2<Double>(0, 0)
    var input1 = SIMD2<Double>(0, 0)
    var input2 = SIMD2<Double>(0, 0)

    @_noLocks public init() {}

    /// A channel goes back to silence when its state is not finite, or has decayed to nothing.
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
