// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit whose threads write all over its shared memory, and sleep where others sleep, while it renders.

import Glibc
import LinuxSystem
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct ForeignSharedStateTests {
    /// Expects that no other unit was harmed, and that no step was heard.
    private func expectPeace(_ scene: SabotageScene) {
        for neighbour in scene.neighbours {
            #expect(neighbour.faults.records.allSatisfy { $0.fault == .late } && neighbour.faults.restarts == 0)
        }
        let isUntouched = scene.heardBeside == scene.expectedBeside
        let isBounded = scene.heard.allSatisfy { abs($0) <= 1 }
        #expect(isUntouched && isBounded)
    }

    /// It scribbles for longer than a unit may hang.
    ///
    /// Whatever the fault, it is ended and returns as it was.
    @Test(arguments: [Order.scribbleRegion, .scribbleButLifeline])
    func aUnitThatScribblesOverItsRegionIsStartedAnew(order: Order) throws {
        let scene = try SabotageScene()
        scene.render(10)
        try order.give(to: scene.culprit.unit, Order.always)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 5000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        let kinds = Set(faults.records.map(\.fault.kind))
        #expect(!kinds.isEmpty && kinds.isSubset(of: ["late", "hung", "protocolViolation"]), "\(kinds)")
        #expect(waitUntil(milliseconds: 1000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(try scene.isSetAsBefore)
        expectPeace(scene)
    }

    /// It writes into its own sound, also while a fallback plays there.
    ///
    /// Only the ceiling protects the listener.
    @Test func aUnitThatScribblesOverItsSoundIsReplacedAndNobodyElseIsBlamed() throws {
        var policy = SabotageScene.policy
        policy.ceiling = 1
        let scene = try SabotageScene(policy: policy)
        scene.render(10)
        try Order.scribbleOutput.give(to: scene.culprit.unit, 50)
        let faults = scene.culprit.faults
        scene.play(forMilliseconds: 600)
        let kinds = Set(faults.records.map(\.fault.kind))
        #expect(kinds.contains("invalidAudio") && kinds.isSubset(of: ["late", "invalidAudio"]), "\(kinds)")
        expectPeace(scene)
    }

    /// While it is away, its fallback is written to the memory that it still scribbles on.
    @Test func aHangingUnitThatScribblesOverItsSoundHasNobodyElseBlamed() throws {
        var policy = SabotageScene.policy
        policy.ceiling = 1
        policy.hangMilliseconds = 1500
        policy.invalidMilliseconds = 700
        let scene = try SabotageScene(policy: policy)
        scene.render(10)
        try Order.scribbleOutput.give(to: scene.culprit.unit, Order.always)
        scene.render()
        try Order.completed.give(to: scene.culprit.unit)
        scene.render()
        #expect(waitUntil(milliseconds: 1000) { scene.culprit.faults.records.contains { $0.fault == .late } })
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 6000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        expectPeace(scene)
    }

    @Test(arguments: SabotageScene.Place.both)
    func aUnitThatScribblesOverTheHostsDoorbellKeepsNobodyFromRendering(place: SabotageScene.Place) throws {
        let scene = try SabotageScene(place)
        scene.render(10)
        try Order.scribbleHostDoorbell.give(to: scene.culprit.unit, 50)
        scene.play(forMilliseconds: 600)
        scene.render(15)
        expectPeace(scene)
        #expect(scene.culprit.faults.restarts == 0)
    }

    /// The next unit cannot find out when it is rung.
    ///
    /// The unit that can write to its doorbell is ended before the next unit is.
    @Test func aUnitThatScribblesOverTheNextOnesDoorbellIsEndedInItsPlace() throws {
        let scene = try SabotageScene()
        scene.render(10)
        try Order.scribbleSuccessor.give(to: scene.culprit.unit, Order.always)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 8000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        // At first it looked as if it had not rung the next unit.
        #expect(faults.records.last?.fault.kind == "protocolViolation")
        #expect(faults.records.allSatisfy { $0.fault.mayComeEachBlock })
        expectPeace(scene)
    }

    /// It would seem to be misled by a silent predecessor.
    ///
    /// But it has its own doorbell for reading only.
    @Test(arguments: SabotageScene.Place.both)
    func aUnitThatScribblesOverItsOwnDoorbellHasNobodyElseEnded(place: SabotageScene.Place) throws {
        let scene = try SabotageScene(place)
        scene.render(10)
        try Order.scribbleOwnDoorbell.give(to: scene.culprit.unit, Order.always)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 5000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        #expect(faults.records.contains { $0.fault == .signalled(signal: SIGSEGV) }, "\(faults.records.map(\.fault))")
        expectPeace(scene)
    }

    private static let misleading = PluginFault.protocolViolation("it wrote in the doorbell of the next unit")

    /// The test writes in the predecessor's stead, while the next unit is stopped and cannot reply.
    ///
    /// While nothing renders the host does not ring it again, and does not judge it, however long that takes.
    @Test func whoMisleadsTheNextUnitIsEndedAndTheNextUnitIsNot() throws {
        let scene = try SabotageScene(.last)
        scene.render(10)
        let (writer, misled) = (scene.neighbours[1], scene.culprit)
        let process = try #require(misled.unit.processIdentifier)
        halt(process)
        for round in 1...2 {
            scene.render()
            misled.renderer.pointee.doorbell.store(0x1234_5678)
            #expect(waitUntil(milliseconds: 3000) { writer.faults.restarts == round && writer.isPresent })
            Futex.pause(microseconds: 1_000_000)
            #expect(writer.faults.restarts == round && misled.faults.restarts == 0)
        }
        kill(process, SIGCONT)
        scene.render(15)
        #expect(writer.faults.records.last?.fault == Self.misleading)
        #expect(misled.faults.restarts == 0 && misled.faults.records.map(\.fault) == [.stopped])
        #expect(scene.neighbours[0].faults.records.isEmpty)
    }

    /// The doorbell holds the right number, except for a moment after each wake-up: long enough for the unit that is woken.
    @Test func whoShowsTheRightNumberMostOfTheTimeIsFoundOut() throws {
        var policy = SabotageScene.policy
        policy.hangMilliseconds = 2000
        let scene = try SabotageScene(.last, policy: policy)
        scene.render(10)
        let (writer, misled) = (scene.neighbours[1], scene.culprit)
        let process = try #require(misled.unit.processIdentifier)
        halt(process)
        scene.render()
        let doorbell = misled.renderer.pointee.doorbell
        let honest = doorbell.load()
        let end = MonotonicClock.now() + 5_000_000_000
        let hider = try LinuxSystem.Thread(name: "hider") {
            while MonotonicClock.now() < end, writer.faults.records.isEmpty {
                _ = Futex.wait(doorbell.address, while: honest, until: MonotonicClock.now() + 10_000_000_000)
                doorbell.store(honest &- 1)
                Futex.pause(microseconds: 100)
                doorbell.store(honest)
            }
        }
        #expect(waitUntil(milliseconds: 5000) { writer.faults.records.map(\.fault) == [Self.misleading] })
        kill(process, SIGCONT)
        Futex.wake(doorbell.address)
        hider.join()
        #expect(scene.play(milliseconds: 5000) { misled.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(misled.faults.restarts == 0)
    }

    /// A ring may come too late now and then through another's fault.
    ///
    /// A unit that was heard twice in a row is not silent.
    @Test func whoIsHeardInBetweenHasNotBeenSilentAllTheTime() throws {
        let scene = try SabotageScene()
        scene.render(2)
        let renderer = scene.culprit.renderer
        func isSilent(afterBlocks count: Int) -> Bool {
            renderer.pointee.noteSilence(1)
            Futex.pause(microseconds: 2000)
            scene.render(count)
            renderer.pointee.noteSilence(1)
            return renderer.pointee.sharedState.pointee.silentSince(longerThan: 1_000_000) != nil
        }
        #expect(isSilent(afterBlocks: 1) && isSilent(afterBlocks: 2))
        #expect(!isSilent(afterBlocks: 3))
    }

    /// In real time, on the host's processor: while the host does not sleep, no thread below its rank renders there.
    ///
    /// The test writes in a unit's stead, on another processor and without a rank, because no unit has one there.
    @Test(
        .enabled(
            if: Stage.hasRealtimeRanks && Scheduling.processors(ofThread: 0).count > 1,
            "that takes real-time ranks and two processors"))
    func aRestlessDoorbellDoesNotKeepTheHostAwake() throws {
        let stage = try Stage(try (0..<3).map { _ in try Build.unit("Misbehaver") }, input: DeathTests.sine, quantum: 64)
        let processors = Scheduling.processors(ofThread: 0).sorted()
        try stage.start(processor: processors[1])
        let doorbell = SharedFutexWord(unsafeAddress: stage.row.members[0].wiring.hostDoorbell.base)
        let (cycles, replaced) = (stage.row.cycleCount, stage.row.members.map(\.replacedBlockCount))
        let scribbler = try LinuxSystem.Thread(name: "scribbler") {
            try? Scheduling.setProcessors([processors[0]], ofThread: 0)
            let end = MonotonicClock.now() + 500_000_000
            var value: UInt32 = 0
            while MonotonicClock.now() < end {
                for _ in 0..<1000 {
                    value &+= 0x4000_0001
                    doorbell.store(value)
                }
            }
        }
        scribbler.join()
        let played = stage.row.cycleCount - cycles
        let missing = zip(stage.row.members, replaced).map { $0.replacedBlockCount - $1 }
        stage.stop()
        print("With a restless doorbell \(missing) of \(played) blocks were replaced.")
        #expect(played > 200 && missing.allSatisfy { $0 < played / 4 })
        #expect(stage.row.members.allSatisfy { $0.faults.restarts == 0 })
    }

    /// A wake-up that is meant for one sleeper may wake the wrong one.
    @Test(arguments: SabotageScene.Place.both) func aUnitThatSleepsAtForeignDoorbellsStealsNoWake(place: SabotageScene.Place) throws
    {
        let scene = try SabotageScene(place)
        scene.render(10)
        try Order.sleepAtDoorbells.give(to: scene.culprit.unit)
        scene.render()
        let started = MonotonicClock.now()
        scene.render(50)
        let milliseconds = Double(MonotonicClock.now() - started) / 1e6
        // A stolen wake-up costs a whole deadline, of 178 ms; rendering takes far less.
        #expect(milliseconds < 50 * 10, "50 blocks took \(milliseconds) ms")
        expectPeace(scene)
        #expect(scene.heard == scene.expected && scene.culprit.faults.restarts == 0)
    }
}
