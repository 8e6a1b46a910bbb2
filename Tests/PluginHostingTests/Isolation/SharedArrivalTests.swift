// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units that do not answer their allocation, or die during it, in a process that others share. Test thread.

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(5))) struct SharedArrivalTests {
    /// A unit of a shared process that plays, and one that has not answered its allocation yet.
    private final class Scene {
        let playing, late: UnitResources

        init(failureBudget: Int = 3) throws {
            var options = AllocationOptions()
            var policy = UnitPolicy()
            policy.failureBudget = failureBudget
            (options.policy, options.supervisor) = (policy, try Supervisor())
            let units = try Build.units([("Misbehaver", .together), ("Misbehaver", .together)])
            #expect(units[0].processIdentifier == units[1].processIdentifier)
            playing = try UnitResources(
                units[0], format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 256, channelCount: 1), options: options)
            try playing.join()
            options.patience = 1_000_000
            // The kernel is never made with this number of frames.
            late = try UnitResources(
                units[1], format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 7777, channelCount: 1), options: options)
            try late.join()
        }

        deinit { for member in [late, playing] { member.takeBack() } }
    }

    @Test func theOneThatDoesNotAnswerIsToBlameAndGoesAlone() throws {
        let scene = try Scene(failureBudget: 0)
        #expect(scene.late.isAllocating && scene.playing.isPresent)
        #expect(Patience.until(within: 40) { scene.late.isQuarantined && scene.playing.isPresent })
        let blamed = scene.late.faults.records.map(\.fault)
        #expect(!blamed.isEmpty && blamed.allSatisfy { $0 == .unanswered(milliseconds: 5000) })
        #expect(scene.playing.faults.records.first?.fault == .wentDown(with: "Misbehaver, number 2"))
        #expect(!scene.playing.isQuarantined && scene.playing.unit.lifecycleState != .instantiated)
    }

    @Test func whoeverEndsTheProcessFromOutsideLeavesNobodyToBlame() throws {
        let scene = try Scene()
        let process = try #require(scene.playing.unit.processIdentifier)
        kill(process, SIGKILL)
        #expect(Patience.until { scene.playing.faults.restarts > 0 || !scene.playing.faults.records.isEmpty })
        #expect(Patience.until { scene.late.faults.records.count == 1 })
        for member in [scene.playing, scene.late] {
            #expect(member.faults.records.first?.fault == .signalled(signal: SIGKILL))
        }
        // It is started again, and does not answer there either.
        let next = PluginFault.unanswered(milliseconds: 5000)
        #expect(Patience.until(within: 40) { scene.late.faults.records.dropFirst().first?.fault == next })
    }
}
