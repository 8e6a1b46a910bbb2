// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a unit stays unheard after gaps. Test thread.

import Testing

@testable import PluginHosting

@Suite struct ReturnWaitTests {
    /// Passes a cycle of 1024 frames; whether the unit is heard in it.
    private func isHeard(_ wait: inout ReturnWait, isUsable: Bool, latency: Int = 80) -> Bool {
        wait.beginCycle(isUsable: isUsable, latencyFrameCount: latency, isOffline: false)
        guard isUsable else { return false }
        let isHeard = wait.frameCount == 0
        wait.count(1024, isHeard: isHeard)
        return isHeard
    }

    @Test func eachOfTwoGapsInARowIsWaitedFor() {
        var wait = ReturnWait(sampleRate: 48_000)
        let heard = [true, false, true, false, true, true].map { isHeard(&wait, isUsable: $0) }
        #expect(heard == [true, false, false, false, false, true])
    }

    @Test(arguments: [80, 5000, 1_000_000]) func aUnitWithGapsAllTheTimeIsHeardForFourFifths(latency: Int) {
        var wait = ReturnWait(sampleRate: 48_000)
        var (rendered, heard) = (0, 0)
        for cycle in 0..<40_000 {
            let isUsable = cycle % 3 != 0
            if isHeard(&wait, isUsable: isUsable, latency: latency) { heard += 1 }
            if isUsable { rendered += 1 }
        }
        #expect(Double(heard) / Double(rendered) > 0.79 && heard < rendered)
    }

    @Test func nothingIsWaitedForOffline() {
        var wait = ReturnWait(sampleRate: 48_000)
        wait.noteMissedBlock()
        wait.beginCycle(isUsable: true, latencyFrameCount: 80, isOffline: true)
        #expect(wait.frameCount == 0)
    }
}
