// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that is late until its successor has been restarted, and then rings it with an old number.

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(1))) struct OldRingTests {
    /// It rings between the host's ring and the successor's read.
    ///
    /// The old number is ahead of the new one, so the successor would sleep until the host's deadline and be late.
    @Test func aNumberFromBeforeARestartKeepsNobodyFromRendering() throws {
        var policy = SabotageScene.policy
        (policy.hangMilliseconds, policy.deadlineShare) = (10_000, 50)
        let scene = try SabotageScene(.last, policy: policy)
        let (late, successor) = (scene.neighbours[1], scene.culprit)
        scene.render(8)
        let lateProcess = try #require(late.unit.processIdentifier)
        halt(lateProcess)
        scene.render()
        kill(try #require(successor.unit.processIdentifier), SIGKILL)
        #expect(scene.play(milliseconds: 3000) { successor.faults.restarts == 1 && successor.isPresent })
        scene.render(2)
        let (doorbell, sharedState) = (successor.renderer.pointee.doorbell, late.renderer.pointee.region)
        // Two blocks, or three if it returned just before one.
        let before = doorbell.load()
        #expect(before < 8 && sharedState.completedSequence.load() == 8)
        let replaced = successor.replacedBlockCount
        let process = try #require(successor.unit.processIdentifier)
        halt(process)
        let driver = try LinuxSystem.Thread(name: "interleaving") {
            // The host has rung.
            _ = waitUntil(milliseconds: 1000) { doorbell.load() == before + 1 }
            kill(lateProcess, SIGCONT)
            _ = waitUntil(milliseconds: 1000) { sharedState.completedSequence.load() == 9 }
            Futex.pause(microseconds: 20_000)
            kill(process, SIGCONT)
        }
        scene.render()
        driver.join()
        #expect(sharedState.completedSequence.load() == 9 && doorbell.load() == before + 1)
        #expect(successor.replacedBlockCount == replaced)
        scene.play(forMilliseconds: 300)
        #expect(late.faults.records.map(\.fault) == [.stopped])
        #expect(late.faults.records.allSatisfy { $0.recoveredAfterCycles != nil })
        #expect(successor.faults.records.map(\.fault) == [.signalled(signal: SIGKILL)])
    }
}
