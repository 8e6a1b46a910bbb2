// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that answers and does not ring the next one: it is blamed, and nobody else is ended for it. Test thread.

import HostingTestSupport
import LinuxSystem
import Testing

@Suite(.serialized) struct SilentSuccessionTests {
    @Test func whoDoesNotRingOnIsBlamedAndItsSuccessorPlaysOn() throws {
        let units = [try CExtension.unit("TremoloThatRingsNobody"), try CExtension.unit()]
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 512), count: 2)
        var bench = try Bench(units, input: silence, maximumFrameCount: 512)
        // In real time, for longer than a unit may be without an answer.
        var due = MonotonicClock.now()
        for _ in 0..<300 {
            _ = bench.render(512, isOffline: false)
            due += 10_666_666
            MonotonicClock.sleep(until: due)
        }
        #expect(bench.chain.waitUntilReady(milliseconds: 3000))
        let blamed = bench.chain.members[0].faults.records.map(\.fault.kind)
        #expect(blamed.contains("protocolViolation"))
        #expect(bench.chain.members[1].faults.restarts == 0)
        #expect(!bench.chain.members[1].faults.records.contains { $0.fault.kind == "hung" })
    }

    /// The number is in the successor's doorbell, and the successor asleep: the one who should have woken it is dead.
    @Test func whoDiesBetweenTheStoreAndTheWakeTakesNobodyAlong() throws {
        let units = [try CExtension.unit("TremoloThatDiesBeforeTheWake"), try CExtension.unit()]
        var bench = try CExtension.bench(units, input: CExtension.noise(25 * 64))
        let started = MonotonicClock.now()
        _ = try bench.renderInput()
        // Offline a unit has ten seconds for a block.
        #expect(MonotonicClock.now() - started < 5_000_000_000)
        #expect(waitUntil(milliseconds: 3000) { !bench.chain.members[0].faults.records.isEmpty })
        #expect(bench.chain.members[0].faults.records.first?.fault.kind == "signalled")
        #expect(bench.chain.members[1].faults.records.isEmpty)
    }

    private func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
        for _ in 0..<milliseconds where !condition() { Futex.pause(microseconds: 1000) }
        return condition()
    }
}
