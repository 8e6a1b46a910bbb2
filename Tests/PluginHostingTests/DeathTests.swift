// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units that die between blocks and inside one: the music goes on, and they return as they were.

import AudioUnits
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("kills units that render in real time"), .serialized, .timeLimit(.minutes(2))) struct DeathTests {
    /// The largest step of the sine itself.
    ///
    /// A unit's output (gain -0.9) has smaller ones.
    static let ownStep = Float(0.5 * 2 * Double.pi * 220 / 48_000)
    /// What a transition may add to the larger signal's own largest step: −60 dBFS.
    static let transitionStep: Float = 0.001
    /// A second of sine, which loops without a step.
    static let sine = TestSignal.sine(frames: 48_000)

    /// Five units.
    ///
    /// Those at `victims` invert the signal, so that their absence is audible.
    private func units(_ victims: Set<Int>) throws -> [HostedUnit] {
        try (0..<5).map { index in
            let unit = try Build.unit("Misbehaver")
            if victims.contains(index) { try unit.set("gain", to: -0.9) }
            return unit
        }
    }

    enum Moment: String, CaseIterable { case betweenBlocks, insideABlock, crashingInABlock, leavingInABlock }

    private func end(_ unit: HostedUnit, _ moment: Moment) throws {
        switch moment {
        case .betweenBlocks: kill(try #require(unit.processIdentifier), SIGKILL)
        case .insideABlock: try unit.send(MIDIMessage(0xB0, 3, 0))
        case .crashingInABlock: try unit.send(MIDIMessage(0xB0, 2, 0))
        case .leavingInABlock: try unit.send(MIDIMessage(0xB0, 1, 0))
        }
    }

    private static func fault(_ moment: Moment) -> PluginFault {
        switch moment {
        case .betweenBlocks, .insideABlock: .signalled(signal: SIGKILL)
        case .crashingInABlock: .signalled(signal: SIGSEGV)
        case .leavingInABlock: .exited(code: 7)
        }
    }

    private func expectRecovery(_ member: UnitResources, _ moment: Moment, cycle: UInt64) throws {
        #expect(member.faults.restarts == 1)
        #expect(member.isPresent && !member.isQuarantined)
        #expect(member.faults.records.map(\.fault) == [Self.fault(moment)])
        let record = try #require(member.faults.records.first)
        // A death between blocks may be noticed before the next cycle begins.
        #expect(record.cycle >= cycle - 1 && record.cycle <= cycle)
        #expect((record.recoveredAfterCycles ?? .max) < 200)
        #expect((record.restartMilliseconds ?? .infinity) < 2000)
        #expect(member.unit.values.byKeyPath["gain"] == -0.9)
    }

    @Test(arguments: [[0], [2], [4], [1, 2], [0, 4]] as [Set<Int>], Moment.allCases)
    func aDeathLeavesNoStepAndTheUnitComesBackAsItWas(victims: Set<Int>, moment: Moment) throws {
        let units = try units(victims)
        var bench = try Bench(units, input: [Self.sine], maximumFrameCount: 128, isLooping: true)
        var output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        for victim in victims { try end(units[victim], moment) }
        let before = MonotonicClock.now()
        output += bench.render(blocks: [128, 128])[0]
        #expect(MonotonicClock.now() - before < 2_000_000_000)
        output += bench.render(blocks: [Int](repeating: 128, count: 10))[0]
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        output += bench.render(blocks: [Int](repeating: 128, count: 40))[0]
        #expect(
            waitUntil(milliseconds: 1000) {
                victims.allSatisfy { bench.row.members[$0].faults.records.first?.recoveredAfterCycles != nil }
            })
        for victim in victims { try expectRecovery(bench.row.members[victim], moment, cycle: 21) }
        for index in 0..<5 where !victims.contains(index) {
            #expect(bench.row.members[index].faults.records.isEmpty, "unit \(index)")
        }
        let faults = Float(victims.count)
        #expect(largestStep(output) <= Self.ownStep + faults * Self.transitionStep)
        // Long after the fades every unit is heard again.
        let factor: Float = victims.count % 2 == 0 ? 1 : -1
        let gain = factor * (victims.count == 2 ? 0.81 : 0.9)
        let tail = output.count - 1280
        for frame in tail..<output.count { #expect(abs(output[frame] - Self.sine[frame % 48_000] * gain) < 1e-5) }
    }

    @Test func aUnitThatDiesWhileAnEarlierOneRendersCostsOnlyItself() throws {
        let units = try units([3])
        var bench = try Bench(units, input: [Self.sine], maximumFrameCount: 128)
        _ = bench.render(blocks: [128, 128])
        let process = try #require(units[3].processIdentifier)
        // The second unit sleeps for 300 ms in its block. The fourth dies meanwhile.
        try units[1].send(MIDIMessage(0xB0, 5, 30))
        let killer = try LinuxSystem.Thread(name: "killer") {
            Futex.pause(microseconds: 100_000)
            kill(process, SIGKILL)
        }
        let before = MonotonicClock.now()
        _ = bench.render(128)
        let waited = Double(MonotonicClock.now() - before) / 1e6
        killer.join()
        #expect(waited > 290 && waited < 1500)
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        for index in [0, 1, 2, 4] { #expect(bench.row.members[index].faults.records.isEmpty, "unit \(index)") }
        #expect(bench.row.members[3].faults.restarts == 1)
    }

    @Test func aUnitThatHangsAtItsRestartHoldsUpNoOther() throws {
        let folder = try TemporaryFolder()
        let real = try Build.component("Misbehaver").executablePath
        let script = """
            [ -e "$0.again" ] || { : > "$0.again"; exec '\(real)'; }
            \(Script.silent)
            """
        let stubborn = try folder.component("Stubborn", script: script, fields: ["component": "\"aufx:misb:test\""])
        let units = [try HostedUnit(stubborn), try Build.unit("Misbehaver")]
        var bench = try Bench(units, input: [Self.sine], maximumFrameCount: 128)
        _ = bench.render(128)
        for unit in units { kill(try #require(unit.processIdentifier), SIGKILL) }
        _ = bench.render(128)
        let killed = MonotonicClock.now()
        #expect(waitUntil(milliseconds: 5000) { bench.row.members[1].faults.restarts == 1 })
        #expect(MonotonicClock.now() - killed < 1_500_000_000)
        #expect(bench.row.members[0].faults.restarts == 0)
    }

    @Test func aUnitDiesWhileItIsBypassed() throws {
        let unit = try Build.unit("Misbehaver")
        try unit.set("gain", to: -0.9)
        var bench = try Bench([unit], input: [Self.sine], maximumFrameCount: 128)
        bench.row.members[0].isBypassed = true
        var output = bench.render(blocks: [128, 128, 128, 128, 128])[0]
        kill(try #require(unit.processIdentifier), SIGKILL)
        output += bench.render(128)[0]
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        output += bench.render(blocks: [Int](repeating: 128, count: 10))[0]
        // The host fades from dry to dry, which rounds.
        for frame in 640..<output.count { #expect(abs(output[frame] - Self.sine[frame]) < 1e-6) }
    }

    @Test func automationGoesOnWhereItStandsAfterADeath() throws {
        let unit = try Build.unit("Misbehaver")
        let lane = AutomationLane(
            address: 4, points: [.init(sampleTime: 0, value: 0), .init(sampleTime: 48_000, value: 1)], ramps: true)
        var bench = try Bench(
            [BenchUnit(unit, automation: [lane])], input: [[Float](repeating: 1, count: 48_000)], maximumFrameCount: 128)
        _ = bench.render(blocks: [Int](repeating: 128, count: 100))
        kill(try #require(unit.processIdentifier), SIGKILL)
        _ = bench.render(blocks: [Int](repeating: 128, count: 50))
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        let output = bench.render(blocks: [Int](repeating: 128, count: 100))[0]
        for frame in 1000..<12_800 { #expect(abs(output[frame] - Float(19_200 + frame) / 48_000) < 0.002) }
    }

    @Test func repeatedDeathEndsInQuarantineAndTheRestPlaysOn() throws {
        let units = try units([0])
        // Fault 1 ends the process in its third block, again after every restart.
        try units[2].set("block", to: 3)
        try units[2].set("fault", to: 1)
        // In quarantine the row's dry signal passes by it.
        let links = units.enumerated().map { BenchUnit($1, fallback: $0 == 2 ? .silence : .dry) }
        var bench = try Bench(links, input: [Self.sine], maximumFrameCount: 128, isLooping: true)
        let member = bench.row.members[2]
        var output: [Float] = []
        for _ in 0..<400 where !member.isQuarantined {
            output += bench.render(128)[0]
            _ = bench.row.waitUntilReady(milliseconds: 3000)
        }
        #expect(member.isQuarantined)
        #expect(member.faults.restarts == UnitPolicy().restartBudget)
        #expect(member.faults.records.count == UnitPolicy().restartBudget + 1)
        output += bench.render(blocks: [Int](repeating: 128, count: 40))[0]
        #expect(bench.row.isWhole)
        for frame in (output.count - 1000)..<output.count {
            #expect(abs(output[frame] + 0.9 * Self.sine[frame % 48_000]) < 1e-5)
        }
        #expect(units[0].processIdentifier.map { kill($0, 0) } == 0)
        // The fault is removed, and the unit readmitted.
        try units[2].set("fault", to: 0)
        member.readmit()
        #expect(waitUntil(milliseconds: 3000) { member.isPresent && !member.isQuarantined })
        #expect(member.faults.restarts == UnitPolicy().restartBudget + 1)
        output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        #expect(member.isPresent && largestStep(output) < 0.02)
    }

    @Test func nothingIsLeftBehindWhenAChainIsGone() throws {
        do { _ = try Bench(try units([]), input: [Self.sine]) }
        let descriptors = Census.descriptorCount
        for _ in 0..<3 {
            let units = try units([1, 3])
            let own = Set(units.compactMap(\.processIdentifier))
            var bench = try Bench(units, input: [Self.sine], maximumFrameCount: 128)
            _ = bench.render(blocks: [128, 128])
            kill(try #require(units[1].processIdentifier), SIGKILL)
            _ = bench.render(blocks: [128, 128])
            #expect(bench.row.waitUntilReady(milliseconds: 3000))
            kill(try #require(units[3].processIdentifier), SIGKILL)
            #expect(own.count == 5)
        }
        #expect(waitUntil(milliseconds: 1000) { Census.descriptorCount <= descriptors })
    }

    /// One change came due before the death, one lies ahead of it.
    @Test func whatIsScheduledIsHeardAtItsFrameThoughTheUnitDiesBefore() throws {
        let unit = try Build.unit("Misbehaver")
        var bench = try Bench([unit], input: [[Float](repeating: 0.5, count: 200_000)])
        try unit.schedule("gain", to: 0.5, at: 64)
        try unit.schedule("gain", to: 0.25, at: 150_000)
        _ = bench.render(128)
        let former = try #require(unit.processIdentifier)
        kill(former, SIGKILL)
        #expect(
            waitUntil(milliseconds: 5000) {
                _ = bench.render(32)
                return bench.row.members[0].faults.restarts == 1 && bench.row.members[0].isPresent
            })
        #expect(unit.values.byKeyPath["gain"] == 0.5)
        _ = bench.render(blocks: [Int](repeating: 512, count: 20))
        #expect(bench.render(16)[0].allSatisfy { $0 == 0.25 })
        while bench.sampleTime <= 149_488 { _ = bench.render(512) }
        let ahead = Int(150_000 - bench.sampleTime)
        let output = bench.render(512)[0]
        try #require((0..<512).contains(ahead))
        #expect(output[..<ahead].allSatisfy { $0 == 0.25 })
        #expect(output[ahead...].allSatisfy { $0 == 0.125 })
    }

    /// A change that the dead process had been sent comes due while its successor starts.
    @Test func whatComesDueDuringARestartReachesTheNewProcess() throws {
        let unit = try Build.unit("Misbehaver")
        var bench = try Bench([unit], input: [[Float](repeating: 0.5, count: 400_000)])
        _ = bench.render(512)
        let due = bench.sampleTime + 512
        try unit.schedule("gain", to: 0.5, at: due)
        _ = bench.render(256)
        kill(try #require(unit.processIdentifier), SIGKILL)
        // In real time the host goes on, and the change's frame passes while the process is away.
        var blocks = 0
        #expect(
            waitUntil(milliseconds: 5000) {
                _ = bench.render(512, isOffline: false)
                blocks += 1
                return bench.row.members[0].faults.restarts == 1 && bench.row.members[0].isPresent
            })
        try #require(bench.sampleTime > due && blocks < 600)
        #expect(
            waitUntil(milliseconds: 2000) {
                let output = bench.render(64)[0]
                return output.allSatisfy { $0 == 0.25 } && unit.values.byKeyPath["gain"] == 0.5
            })
        // It stays so: the unit has taken it, and not the fallback.
        #expect(bench.render(64)[0].allSatisfy { $0 == 0.25 })
    }
}
