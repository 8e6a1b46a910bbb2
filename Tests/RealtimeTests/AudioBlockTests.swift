// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a block tells of its samples. Any thread.

import Realtime
import Testing

struct AudioBlockTests {
    /// One sample differs, at every position of a stereo block in turn: within vectors and in the rest after them.
    @Test(arguments: [1, 7, 8, 31, 64]) func aMagnitudeAboveTheLimitIsFoundWhereverItIs(frameCount: Int) {
        let limit: Float = 4
        for sample in [limit.nextUp, -limit.nextUp, .infinity, -.infinity, .nan, -.nan, .signalingNaN] {
            for place in 0..<2 * frameCount {
                withBlock(frameCount: frameCount, filledWith: -limit) { block in
                    #expect(!block.hasMagnitude(above: limit.bitPattern) && block.isFinite)
                    block[place % 2][place / 2] = sample
                    #expect(block.hasMagnitude(above: limit.bitPattern))
                    #expect(block.isFinite == sample.isFinite)
                    #expect(block.largestMagnitudeBits == sample.magnitude.bitPattern)
                }
            }
        }
    }

    @Test func aBlockOfNoSamplesHasNothingAboveAnyLimit() {
        withBlock(frameCount: 0, filledWith: .nan) { block in
            #expect(!block.hasMagnitude(above: 0) && block.isFinite && block.largestMagnitudeBits == 0)
        }
    }

    @Test func theLimitItselfIsNotAboveIt() {
        for limit in [Float.leastNonzeroMagnitude, 1, .greatestFiniteMagnitude, .infinity] {
            withBlock(frameCount: 9, filledWith: -limit) { block in
                #expect(!block.hasMagnitude(above: limit.bitPattern))
                #expect(block.hasMagnitude(above: limit.bitPattern - 1))
            }
        }
        withBlock(frameCount: 9, filledWith: -0) { #expect(!$0.hasMagnitude(above: 0)) }
    }

    private func withBlock(frameCount: Int, filledWith sample: Float, _ body: (AudioBlock) -> Void) {
        var left = [Float](repeating: sample, count: max(1, frameCount))
        var right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                var channels = [left.baseAddress!, right.baseAddress!]
                channels.withUnsafeMutableBufferPointer { channels in
                    body(AudioBlock(channels: UnsafePointer(channels.baseAddress!), channelCount: 2, frameCount: frameCount))
                }
            }
        }
    }
}
