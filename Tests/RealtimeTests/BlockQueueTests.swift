// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocks that go out in other sizes than they come in. Test thread.

import Realtime
import Testing

@Suite struct BlockQueueTests {
    /// Numbers go in and come out in blocks of other sizes.
    private func pass(_ sizes: [(come: Int, go: Int)], delay: Int) -> [Float] {
        var queue = BlockQueue(channelCount: 1, delay: delay, maximumFrameCount: 64)
        var next: Float = 1
        var heard: [Float] = []
        for (come, go) in sizes {
            let coming = AudioBuffer(channelCount: 1, frameCapacity: 64)
            let going = AudioBuffer(channelCount: 1, frameCapacity: 64)
            let block = coming.block(frameCount: come)
            for frame in 0..<come { block[0][frame] = next + Float(frame) }
            next += Float(come)
            queue.append(block)
            let taken = going.block(frameCount: go)
            queue.take(taken)
            heard += (0..<go).map { taken[0][$0] }
        }
        return heard
    }

    @Test func whatComesGoesInTheSameOrderAsLateAsItIsTo() {
        let sizes = [(64, 64), (64, 10), (10, 64), (1, 1), (0, 0), (33, 33)]
        let heard = pass(sizes, delay: 100)
        #expect(heard == [Float](repeating: 0, count: 100) + (1...72).map { Float($0) })
    }

    @Test func whatIsNotThereYetIsSilenceAndNothingIsLost() {
        let heard = pass([(10, 20), (20, 5), (0, 30), (0, 3)], delay: 0)
        let expected: [Float] =
            [Float](repeating: 0, count: 10) + (1...15).map { Float($0) } + [Float](repeating: 0, count: 15)
            + (16...30).map { Float($0) } + [0, 0, 0]
        #expect(heard == expected)
    }

    @Test func whereNothingIsTakenTheOldestGoes() {
        let heard = pass([(Int, Int)](repeating: (64, 0), count: 5) + [(0, 64)], delay: 0)
        // It holds 128.
        #expect(heard.first == Float(5 * 64 - 128 + 1))
    }
}
