// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that is late for so long that its successor has been started anew meanwhile, and that rings it with an old number.

import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(1))) struct OldRingTests {
    /// The old number is ahead of the new ones: who looked at nothing else would never be rung by its predecessor again.
    @Test func aNumberFromBeforeARestartIsNotHeardAndNobodyIsBlamedForIt() throws {
        var policy = SabotageScene.policy
        policy.hangMilliseconds = 5000
        let scene = try SabotageScene(.last, policy: policy)
        let (late, successor) = (scene.neighbours[1], scene.culprit)
        scene.render(8)
        let process = try #require(late.unit.processIdentifier)
        halt(process)
        scene.render()
        kill(try #require(successor.unit.processIdentifier), SIGKILL)
        #expect(scene.play(milliseconds: 3000) { successor.faults.restarts == 1 && successor.isPresent })
        scene.render(2)
        let doorbell = successor.renderer.pointee.doorbell
        #expect(doorbell.load() == 2)
        kill(process, SIGCONT)
        #expect(waitUntil(milliseconds: 1000) { doorbell.load() == 9 })
        let (missed, replaced) = (scene.chain.missedDeadlineCount, successor.replacedBlockCount)
        _ = scene.play(milliseconds: 300) { false }
        #expect(scene.chain.missedDeadlineCount == missed && successor.replacedBlockCount == replaced)
        #expect(late.faults.records.map(\.fault) == [.stopped])
        #expect(late.faults.records.allSatisfy { $0.recoveredAfterCycles != nil })
        #expect(successor.faults.records.map(\.fault) == [.signalled(signal: SIGKILL)])
    }
}
