// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units on another processor than the host, with both sides spinning before they sleep: same sound, same reaction to faults.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import Rendering
import TestSupport
import Testing

@testable import PluginHosting

@Suite(
    .timed("spins on a processor"), .serialized, .timeLimit(.minutes(2)),
    .enabled(if: Scheduling.processors(ofThread: 0).count > 1, "there is one processor here"))
struct SpinTests {
    static let processors = Scheduling.processors(ofThread: 0)
    private static let renderCore = processors.max() ?? 0

    private static func policy(_ waiting: WaitStrategy, _ placement: UnitPlacement = .spread) -> UnitPolicy {
        var policy = UnitPolicy()
        (policy.placement, policy.waiting) = (placement, waiting)
        return policy
    }

    /// Runs `body` on the processor of a render thread.
    private func onTheRenderCore<Result>(_ body: () throws -> Result) throws -> Result {
        try Scheduling.setProcessors([Self.renderCore], ofThread: 0)
        defer { try? Scheduling.setProcessors(Self.processors, ofThread: 0) }
        return try body()
    }

    private func bench(_ unitCount: Int, _ policy: UnitPolicy) throws -> Bench {
        let units = try (0..<unitCount).map { _ in try Build.unit("Misbehaver") }
        for unit in units { try unit.set("gain", to: -1) }
        let bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 256, isLooping: true, policy: policy)
        bench.row.place(processor: Self.renderCore, below: .ordinary)
        return bench
    }

    /// How often a unit's render thread has gone to sleep so far.
    private func sleeps(of member: UnitResources) throws -> Int {
        let (process, thread) = (try #require(member.unit.processIdentifier), try #require(member.unit.renderThread))
        return try #require(ThreadCounter(thread: thread, of: process).counts).voluntarySwitches
    }

    @Test(arguments: UnitPlacement.allCases, WaitStrategy.allCases)
    func itSoundsTheSame(placement: UnitPlacement, waiting: WaitStrategy) throws {
        for unitCount in [1, 3] {
            try onTheRenderCore {
                var bench = try bench(unitCount, Self.policy(waiting, placement))
                let output = bench.render(blocks: Array(repeating: 256, count: 100))[0]
                #expect(output == DeathTests.sine.prefix(output.count).map { -$0 })
                #expect(bench.row.members.allSatisfy { $0.faults.records.isEmpty })
            }
        }
    }

    /// Without pauses a spinning unit finds the next request before its time is up.
    ///
    /// A unit that shares a processor must not spin. Another program that takes a processor for a while also makes a spinning unit sleep, and
    /// keeps a unit that has not fallen asleep yet from it. So the most typical of several rounds counts.
    @Test(arguments: [
        (WaitStrategy.futex, UnitPlacement.spread, true), (.adaptive, .spread, false), (.spin, .spread, false),
        (.adaptive, .together, true), (.spin, .together, true),
    ])
    func whoLooksDoesNotSleep(waiting: WaitStrategy, placement: UnitPlacement, isToSleep: Bool) throws {
        try onTheRenderCore {
            var bench = try bench(1, Self.policy(waiting, placement))
            _ = bench.render(blocks: Array(repeating: 256, count: 100))
            let counts = try (0..<20).map { _ in
                let before = try sleeps(of: bench.row.members[0])
                _ = bench.render(blocks: Array(repeating: 256, count: 100))
                return try sleeps(of: bench.row.members[0]) - before
            }
            print("\(placement), \(waiting): slept \(counts) times in rounds of 100 blocks.")
            #expect(isToSleep ? (counts.max() ?? 0) > 50 : (counts.min() ?? 100) < 20)
        }
    }

    /// Five milliseconds are longer than an adaptive unit spins once it has learnt the pace.
    @Test func whoLearnsSleepsBetweenTheCyclesOfADriver() throws {
        try onTheRenderCore {
            var bench = try bench(1, Self.policy(.adaptive))
            for _ in 0..<50 {
                _ = bench.render(256)
                Futex.pause(microseconds: 5000)
            }
            let before = try sleeps(of: bench.row.members[0])
            for _ in 0..<50 {
                _ = bench.render(256)
                Futex.pause(microseconds: 5000)
            }
            #expect(try sleeps(of: bench.row.members[0]) - before >= 45)
        }
    }

    /// Units that share a processor take turns there.
    ///
    /// While one of them spins, no other could run.
    @Test func onlyWhoIsAloneOnItsProcessorLooks() throws {
        let unitCount = Self.processors.count
        try onTheRenderCore {
            var bench = try bench(unitCount, Self.policy(.spin))
            _ = bench.render(blocks: Array(repeating: 256, count: 20))
            for member in bench.row.members { #expect(member.renderer.pointee.region.request(1).pointee.spinNanoseconds == 0) }
        }
    }

    enum Fault: UInt8, CaseIterable {
        case exit = 1
        case signal, kill, loop
    }

    @Test(arguments: Fault.allCases, [WaitStrategy.adaptive, .spin])
    func whoFailsWhileTheHostLooksIsCoveredForAndComesBack(fault: Fault, waiting: WaitStrategy) throws {
        try onTheRenderCore {
            var policy = Self.policy(waiting)
            policy.hangMilliseconds = 100
            var bench = try bench(1, policy)
            _ = bench.render(blocks: Array(repeating: 256, count: 50))
            let member = bench.row.members[0]
            try member.unit.send(MIDIMessage(0xB0, fault.rawValue, fault == .loop ? 127 : 0))
            var heard = DeathTests.sine[Int(bench.sampleTime) - 1] * -1
            let started = MonotonicClock.now()
            var steps: Float = 0
            while member.faults.restarts == 0 || !member.isPresent, MonotonicClock.now() < started + 5_000_000_000 {
                for sample in bench.render(256, isOffline: false)[0] {
                    steps = max(steps, abs(sample - heard))
                    heard = sample
                }
                Futex.pause(microseconds: 2000)
            }
            #expect(member.faults.restarts == 1)
            #expect(steps <= DeathTests.ownStep + 2 * DeathTests.transitionStep)
            _ = bench.render(blocks: Array(repeating: 256, count: 20))
            #expect(waitUntil(milliseconds: 1000) { member.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        }
    }

    private static func sabotages(_ place: SabotageScene.Place) -> [Sabotage] {
        [
            Sabotage(order: .completeEarly, place: place, heard: .itsOwnNoise),
            Sabotage(order: .ringTwice, place: place, heard: .nothing),
            Sabotage(order: .dieBeforeTheWake, place: place, heard: .standInUntilBack, reported: ["signalled"]),
            Sabotage(order: .endRenderThread, place: place, heard: .standInUntilBack, reported: ["protocolViolation"]),
            Sabotage(
                order: .ringNobody, place: place, heard: .nothing, reported: place == .middle ? ["protocolViolation"] : []),
        ]
    }

    /// The host hears no ring then, and reads everything by itself.
    ///
    /// It does not notice the silence of the last unit, whose ring it does not need.
    @Test(arguments: SabotageScene.Place.both.flatMap(sabotages))
    func whoBreaksTheRulesWhileTheHostLooksHarmsNobodyElse(sabotage: Sabotage) throws {
        var sabotage = sabotage
        sabotage.renderCore = Self.renderCore
        try onTheRenderCore { try sabotage.play() }
    }

    /// Its deadline is half a second away; until then only the spinning host can notice the death.
    @Test func aDeathEndsTheLook() throws {
        try onTheRenderCore {
            var policy = Self.policy(.spin)
            policy.deadlineShare = 100
            var bench = try bench(1, policy)
            _ = bench.render(blocks: Array(repeating: 256, count: 20))
            let member = bench.row.members[0]
            try member.unit.send(MIDIMessage(0xB0, Fault.exit.rawValue, 0))
            let started = MonotonicClock.now()
            while member.replacedBlockCount == 0, MonotonicClock.now() < started + 2_000_000_000 {
                _ = bench.render(256, isOffline: false)
            }
            #expect(member.replacedBlockCount > 0 && MonotonicClock.now() - started < 250_000_000)
        }
    }

    /// The host reads the last unit's reply first, and believes it only about itself.
    @Test func aLastUnitThatClaimsToBeDoneHidesNobodyElse() throws {
        try onTheRenderCore {
            var bench = try bench(2, Self.policy(.spin))
            _ = bench.render(blocks: Array(repeating: 256, count: 20))
            let liar = bench.row.members[1].renderer
            liar.pointee.region.completedSequence.store(liar.pointee.sequence + 1)
            _ = bench.render(256)
            let victim = bench.row.members[0]
            #expect(victim.replacedBlockCount == 0 && victim.faults.records.isEmpty)
        }
    }

    /// It claims to spin and sleeps instead: it is late, and heard again with the next block.
    @Test func aUnitThatOnlySaysThatItLooksIsLateAndNothingElse() throws {
        var policy = UnitPolicy()
        policy.deadlineShare = 5
        var bench = try bench(1, policy)
        _ = bench.render(256, isOffline: false)
        let member = bench.row.members[0]
        #expect(waitUntil(milliseconds: 1000) { (try? sleeps(of: member)) ?? 0 > 1 })
        Futex.pause(microseconds: 10_000)
        member.renderer.pointee.region.pluginSpins.raise()
        _ = bench.render(256, isOffline: false)
        #expect(waitUntil(milliseconds: 1000) { member.faults.records.map(\.fault) == [.late] })
        Futex.pause(microseconds: 10_000)
        _ = bench.render(blocks: Array(repeating: 256, count: 10))
        #expect(waitUntil(milliseconds: 1000) { member.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(member.faults.records.count == 1 && member.faults.restarts == 0)
    }

    /// It occupies its processor as long as something plays, which is no fault, and no longer.
    @Test func whoAlwaysLooksSleepsWhenNothingIsPlayed() throws {
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, policy: Self.policy(.spin))
        try stage.start(processor: Self.renderCore)
        let member = stage.row.members[0]
        let (process, thread) = (try #require(member.unit.processIdentifier), try #require(member.unit.renderThread))
        func share(milliseconds: Int) throws -> Double {
            let before = try #require(ProcessorTime.nanoseconds(ofThread: thread, of: process))
            stage.pause(milliseconds: milliseconds)
            let after = try #require(ProcessorTime.nanoseconds(ofThread: thread, of: process))
            return Double(after.ran + after.waited - before.ran - before.waited) / Double(milliseconds * 1_000_000)
        }
        #expect(try share(milliseconds: 1500) > 0.7)
        #expect(!member.faults.records.contains { $0.fault == .restless } && member.faults.restarts == 0)
        stage.stop()
        stage.pause(milliseconds: 50)
        #expect(try share(milliseconds: 300) < 0.05)
    }

    /// A placement that was lost is given back on the same processor.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func theUnitsAreOnOtherProcessorsAndReturnThere() throws {
        let units = try (0..<2).map { _ in try Build.unit("Misbehaver") }
        let stage = try Stage(units, input: DeathTests.sine, policy: Self.policy(.futex))
        try stage.start(processor: Self.renderCore)
        defer { stage.stop() }
        let members = stage.row.members
        let others = Self.processors.subtracting([Self.renderCore])
        func processors(_ member: UnitResources) -> Set<Int> {
            member.unit.renderThread.map { Scheduling.processors(ofThread: $0) } ?? []
        }
        #expect(members.allSatisfy { processors($0).count == 1 && processors($0).isSubset(of: others) })
        try units[0].send(MIDIMessage(0xB0, 5, 5))
        #expect(waitUntil(milliseconds: 3000) { members[0].faults.records.contains { $0.fault == .late } })
        #expect(waitUntil(milliseconds: 3000) { members[0].faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(waitUntil(milliseconds: 1000) { processors(members[0]).count == 1 && processors(members[0]).isSubset(of: others) })
    }
}
