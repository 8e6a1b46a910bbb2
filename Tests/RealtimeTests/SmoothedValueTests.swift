// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import Realtime
import Testing

@Suite struct SmoothedValueTests {
    @Test func landsOnItsTargetExactlyAfterTheStatedFrames() {
        var value = SmoothedValue(0)
        value.ramp(to: 0.3, over: 7)
        for _ in 0..<6 { _ = value.next() }
        #expect(value.current < 0.3)
        #expect(value.next() == 0.3)
        #expect(!value.isMoving)
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
        #expect(abs(leapt.advance(by: 32) - stepped.current) < 1e-6)
        #expect(leapt.advance(by: 100) == 1)
    }
}
