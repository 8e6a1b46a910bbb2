// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins render while they are restored if they permit it, and only then. Test thread.

import Dispatch
import HostingTestSupport
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.serialized) struct LV2RestoreTests {
    /// Restores the unit on another thread while blocks are rendered; returns the first samples of these blocks.
    private func restore(_ unit: HostedUnit) throws -> [Float] {
        var bench = try Bench([unit], input: LV2.constant(0.5, frames: 64), maximumFrameCount: 64, isLooping: true)
        #expect(bench.render(64)[0][0] == 1)
        let state = try unit.saveState()
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            do { try unit.restoreState(state) } catch { failure.withLock { $0 = error } }
        }
        var heard: [Float] = []
        while group.wait(timeout: .now()) == .timedOut {
            heard.append(bench.render(64)[0][0])
            Futex.pause(microseconds: 1000)
        }
        if let error = failure.withLock({ $0 }) { throw error }
        #expect(bench.render(64)[0][0] == 1)
        try bench.checkWholeness()
        return heard
    }

    @Test(arguments: [false, true])
    func aPluginThatPermitsItIsRestoredWhileItRenders(inProcess: Bool) throws {
        let unit = try LV2.unit("safeRestore", inProcess: inProcess)
        #expect(try restore(unit).allSatisfy { $0 == 1 })
        #expect(Patience.until { unit.values.byKeyPath["met"] == 1 })
    }

    @Test(.timed("renders while the state is restored"), arguments: [false, true])
    func anyOtherStandsStillMeanwhileAndItsInputPasses(inProcess: Bool) throws {
        let unit = try LV2.unit("plainRestore", inProcess: inProcess)
        #expect(try restore(unit).contains(0.5))
        #expect(Patience.never(milliseconds: 100) { unit.values.byKeyPath["met"] == 1 })
    }
}
