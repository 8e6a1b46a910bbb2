// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which cycles the graph's clock counts as missed. Test thread.

import Testing

@testable import PipeWireIO

@Suite struct GraphClockTests {
    private var clock = GraphClock()

    private mutating func missed(
        at position: UInt64, frames: UInt32 = 256, driver: UInt32 = 1, isDiscontinuous: Bool = false,
        wasLate: Bool = false
    ) -> UInt64 {
        clock.missedCycles(
            identifier: driver, position: position, frameCount: frames, sampleRate: 48000,
            isDiscontinuous: isDiscontinuous, wasLate: wasLate)
    }

    @Test mutating func countsEveryCycleThatTheCounterJumpsOver() {
        #expect(missed(at: 5000) == 0)
        #expect(missed(at: 5256) == 0)
        #expect(missed(at: 5256 + 3 * 256) == 2)
    }

    @Test mutating func countsALateCycleOnceEvenIfItCostTheNextOne() {
        _ = missed(at: 0)
        #expect(missed(at: 256, wasLate: true) == 1)
        #expect(missed(at: 768, wasLate: true) == 1)
    }

    @Test mutating func countsNothingWhenTheQuantumOrTheDriverChanges() {
        _ = missed(at: 0)
        #expect(missed(at: 9999, frames: 64) == 0)
        #expect(missed(at: 7, frames: 64, driver: 2) == 0)
        #expect(missed(at: 7000, frames: 64, driver: 2, isDiscontinuous: true) == 0)
    }

    @Test mutating func countsNothingWhenTheCounterStepsBack() {
        _ = missed(at: 100_000)
        #expect(missed(at: 0) == 0)
    }
}
