// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ramps of smoothed values, frame by frame and in steps. Test thread.

import Realtime
import Testing

@Suite struct SmoothedValueTests {
    @Test func landsOnItsTargetExactlyAfterTheStatedFrames() {
        var value = SmoothedValue(0)
        value.ramp(to: 0.3, over: 7)
        #expect(value.next() == 0, "the first frame has the old value")
        for _ in 1..<7 { #expect(value.next() < 0.3) }
        #expect(!value.isMoving)
        #expect(value.next() == 0.3)
    }

    @Test func jumpsWhenTheRampHasNoLength() {
        var value = SmoothedValue(1)
        value.ramp(to: -2, over: 0)
        #expect(value.next() == -2)
    }

    @Test func advancingAtOnceIsTheSameAsStepByStep() {
        var stepped = SmoothedValue(0)
        var leapt = SmoothedValue(0)
        stepped.ramp(to: 1, over: 64)
        leapt.ramp(to: 1, over: 64)
        for _ in 0..<32 { _ = stepped.next() }
        #expect(leapt.advance(by: 32) == stepped.current)
        #expect(leapt.advance(by: 100) == 1)
    }

    /// Five minutes at 48 kHz: a step is far below the last bit of the value.
    @Test func aRampOfMinutesStaysOnItsLine() {
        let frameCount = 14_400_000
        var value = SmoothedValue(1)
        value.ramp(to: 0.9, over: frameCount)
        var worst: Float = 0
        for frame in 0..<frameCount {
            let wanted = 1 - 0.1 * Double(frame) / Double(frameCount)
            worst = max(worst, abs(value.next() - Float(wanted)))
        }
        #expect(worst < 1e-6)
        #expect(value.next() == 0.9)
    }

    /// Steps of any size lead to the same value, so blocks of other sizes sound the same, bit for bit.
    @Test(arguments: [1, 7, 16, 64])
    func theSizeOfTheStepsDoesNotMatter(stepFrameCount: Int) {
        var stepped = SmoothedValue(-3)
        var leapt = SmoothedValue(-3)
        stepped.ramp(to: 11, over: 96_000)
        leapt.ramp(to: 11, over: 96_000)
        for _ in 0..<1000 {
            for _ in 0..<stepFrameCount { _ = stepped.next() }
            #expect(leapt.advance(by: stepFrameCount) == stepped.current)
        }
    }
}
