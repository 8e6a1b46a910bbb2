// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that answers and does not ring the next one: it is blamed, and nobody else is ended for it. Test thread.

import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import Testing

@Suite(.serialized) struct SilentSuccessionTests {
    @Test func whoDoesNotRingOnIsBlamedAndItsSuccessorPlaysOn() throws {
        let culprit = try HostedUnit(CExtension.component("TremoloThatRingsNobody"))
        let innocent = try HostedUnit(CExtension.component())
        let chain = try UnitChain(
            [ChainLink(culprit), ChainLink(innocent)],
            format: ChainFormat(sampleRate: 48000, maximumFrameCount: 512, channelCount: 2))
        let player = PlanPlayer()
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 512)
        let signal = builder.add(source: chain)
        player.play(builder.plan(output: signal))
        render(player, cycles: 300)
        #expect(chain.waitUntilReady(milliseconds: 3000))
        let blamed = chain.members[0].faults.records.map(\.fault.kind)
        #expect(blamed.contains("protocolViolation"))
        #expect(chain.members[1].faults.restarts == 0)
        #expect(!chain.members[1].faults.records.contains { $0.fault.kind == "hung" })
    }

    /// The number is in the successor's doorbell, and the successor asleep: the one who should have woken it is dead.
    @Test func whoDiesBetweenTheStoreAndTheWakeTakesNobodyAlong() throws {
        let culprit = try HostedUnit(CExtension.component("TremoloThatDiesBeforeTheWake"))
        let innocent = try HostedUnit(CExtension.component())
        let chain = try CExtension([culprit, innocent], input: CExtension.noise(25 * CExtension.blockSize))
        let started = MonotonicClock.now()
        _ = try chain.render()
        // Offline a unit has ten seconds for a block.
        #expect(MonotonicClock.now() - started < 5_000_000_000)
        #expect(waitUntil(milliseconds: 3000) { !chain.chain.members[0].faults.records.isEmpty })
        #expect(chain.chain.members[0].faults.records.first?.fault.kind == "signalled")
        #expect(chain.chain.members[1].faults.records.isEmpty)
    }

    private func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
        for _ in 0..<milliseconds where !condition() { Futex.pause(microseconds: 1000) }
        return condition()
    }

    /// Renders in real time for longer than a unit may be without an answer.
    private func render(_ player: PlanPlayer, cycles: Int) {
        let input = AudioBuffer(channelCount: 2, frameCapacity: 512)
        let output = AudioBuffer(channelCount: 2, frameCapacity: 512)
        var due = MonotonicClock.now()
        for cycle in 0..<cycles {
            player.render(
                RenderCycle(
                    sampleTime: Int64(cycle * 512), hostTime: due, sampleRate: 48000, transport: Transport(),
                    isOffline: false, inputs: input.block(frameCount: 512), outputs: output.block(frameCount: 512)))
            due += 10_666_666
            MonotonicClock.sleep(until: due)
        }
    }
}
