// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Who renders on which processor where nobody waits.

import LinuxSystem
import Testing

@testable import PluginHosting

@Suite struct ProcessorBalanceTests {
    @Test func equalUnitsAreSpreadEvenly() {
        let places = ProcessorBalance.places([5, 5, 5, 5], processorCount: 2)
        #expect(places.count { $0 == 0 } == 2)
    }

    @Test func theHeaviestHasAProcessorOfItsOwn() {
        let loads = [1.0, 2, 9, 3, 1]
        let places = ProcessorBalance.places(loads, processorCount: 2)
        #expect(places.count { $0 == places[2] } == 1)
        #expect(ProcessorBalance.longest(loads, places) == 9)
        #expect(ProcessorBalance.longest(loads, [0, 0, 0, 0, 0]) == 16)
    }

    @Test func unitsThatTakeNoTimeAndNoUnitsAtAllArePlacedToo() {
        #expect(ProcessorBalance.places([0, 0], processorCount: 3).count == 2)
        #expect(ProcessorBalance.places([], processorCount: 2).isEmpty)
    }

    @Test(.enabled(if: Scheduling.ownProcessors.count > 1)) func renderThreadsAreBoundToDifferentProcessors() throws {
        let units = [try Build.unit("Distortion"), try Build.unit("Distortion")]
        var bench = try Bench(units, input: [TestSignal.sine(frames: 48_000)])
        var balance = ProcessorBalance(bench.chain)
        for _ in 0..<20 { _ = bench.render(512) }
        balance.update()
        let places = units.map { unit in unit.renderThread.map { Scheduling.processors(ofThread: $0) } ?? [] }
        #expect(places.allSatisfy { $0.count == 1 } && places[0] != places[1])
    }
}
