// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A delay that changes while a signal goes through: the sound does not depend on how long blocks are. Test thread.

import Realtime
import Testing

@testable import Rendering

@Suite struct DelayLineTests {
    /// What is heard while four delays are asked for, one after the other, faster than they can be faded.
    private func heard(inBlocksOf length: Int) -> [Float] {
        let memory = DelayMemory(channelCount: 1, delayFrameCount: 300, maximumFrameCount: 512)
        let input = AudioBuffer(channelCount: 1, frameCapacity: 512)
        let output = AudioBuffer(channelCount: 1, frameCapacity: 512)
        var line = DelayLine()
        var heard: [Float] = []
        for (stage, wanted) in [100, 250, 0, 40, 40].enumerated() {
            var frame = stage * 512
            while frame < (stage + 1) * 512 {
                let count = min(length, (stage + 1) * 512 - frame)
                let (source, block) = (input.block(frameCount: count), output.block(frameCount: count))
                for index in 0..<count { source[0][index] = Float((frame + index) * 7919 % 1009) / 1009 }
                line.process(BusAudio(block: source), into: block, delayedBy: wanted, memory.core, fadeFrameCount: 700)
                for index in 0..<count { heard.append(block[0][index]) }
                frame += count
            }
        }
        withExtendedLifetime(memory) {}
        _ = (input.channelCount, output.channelCount)
        return heard
    }

    @Test(arguments: [1, 37, 64, 256]) func theSoundDoesNotDependOnTheLengthOfBlocks(length: Int) {
        let wanted = heard(inBlocksOf: 512)
        // It changes at all: nothing is delayed in the beginning, and later everything is.
        #expect(wanted[1] == Float(7919 % 1009) / 1009 && wanted[2559] != Float(2559 * 7919 % 1009) / 1009)
        let isSame = zip(heard(inBlocksOf: length), wanted).allSatisfy { $0.bitPattern == $1.bitPattern }
        #expect(isSame)
    }
}
