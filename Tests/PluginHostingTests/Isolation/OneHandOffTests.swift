// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adjacent units of one process render on one thread, and each is judged by its own acts.

import AudioUnits
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct OneHandOffTests {
    /// How often a unit's render thread has gone to sleep so far.
    private func sleeps(_ unit: HostedUnit) throws -> Int {
        let (process, thread) = (try #require(unit.processIdentifier), try #require(unit.renderThread))
        let status = try #require(Folder.text(of: "/proc/\(process)/task/\(thread)/status"))
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
        return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
    }

    private func output(_ effects: [String], _ isolation: IsolationPolicy) throws -> (samples: [Float], sleeps: [Int]) {
        let units = try Build.units(effects.map { ($0, isolation) })
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        var samples = bench.render(blocks: [Int](repeating: 128, count: 10))[0]
        let before = try units.map(sleeps)
        samples += bench.render(blocks: [Int](repeating: 128, count: 100))[0]
        let after = try units.map(sleeps)
        return (samples, zip(after, before).map { $0 - $1 })
    }

    /// The units are of one plug-in, or of several, each of which has its own copy of the SDK.
    @Test(arguments: [["Gain", "Gain", "Gain", "Gain"], ["Filter", "Gain", "Filter", "Delay", "Gain"]])
    func thoseOfOneProcessAreRenderedByTheFirst(effects: [String]) throws {
        let together = try output(effects, .together)
        let apart = try output(effects, .individually)
        #expect(together.samples == apart.samples)
        for index in effects.indices.dropFirst() { #expect(together.sleeps[index] <= 10, "unit \(index)") }
        // Otherwise sleeps would not be counted at all. A thread that is rung early does not get to sleep.
        #expect(apart.sleeps.dropFirst().reduce(0, +) >= 50)
    }

    /// A unit of another process wakes the next one of the shared process, which goes on with those after it.
    @Test func aStrangerAmongThemIsRungAndRings() throws {
        let places: [IsolationPolicy] = [.together, .together, .individually, .together, .together]
        let units = try Build.units(places.map { ("Gain", $0) })
        for unit in units { try unit.set("gain", to: -6) }
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        _ = bench.render(blocks: [Int](repeating: 128, count: 40))
        let before = try units.map(sleeps)
        _ = bench.render(blocks: [Int](repeating: 128, count: 100))
        let counts = zip(try units.map(sleeps), before).map { $0 - $1 }
        for index in [1, 4] { #expect(counts[index] <= 10, "unit \(index)") }
        #expect(counts[2] + counts[3] >= 50)
        #expect(bench.row.members.allSatisfy { $0.faults.records.isEmpty && $0.replacedBlockCount == 0 })
    }

    private func order(_ fault: Int, _ unit: HostedUnit, argument: UInt8) throws {
        try unit.send(MIDIMessage(0xB0, UInt8(fault), argument))
    }

    /// The unit whose thread renders the late one is missing too, until that thread is back.
    ///
    /// It is not reported as late.
    @Test(arguments: [4, 5]) func whoRendersALateUnitIsNotToBlame(fault: Int) throws {
        let units = try Build.units([("Misbehaver", .together), ("Misbehaver", .together), ("Misbehaver", .together)])
        var policy = UnitPolicy()
        policy.offlineMilliseconds = 50
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: policy)
        _ = bench.render(blocks: [128, 128, 128])
        try order(fault, units[1], argument: 30)
        _ = bench.render(128)
        // The third unit had little time left, in which its own thread was going to render it.
        Futex.pause(microseconds: 30_000)
        _ = bench.render(128)
        #expect(waitUntil(milliseconds: 100) { bench.row.members[2].sharedState.pointee.awaitsSince == nil })
        Futex.pause(microseconds: 400_000)
        _ = bench.render(blocks: [128, 128, 128])
        let members = bench.row.members
        #expect(waitUntil(milliseconds: 1000) { members[1].faults.records.map(\.fault) == [.late] })
        #expect(members[0].faults.records.isEmpty && members[2].faults.records.isEmpty)
        #expect(members[2].replacedBlockCount <= 1)
        #expect((1...2).contains(members[0].replacedBlockCount))
        let before = members.map(\.replacedBlockCount)
        let heard = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        #expect(members.map(\.replacedBlockCount) == before)
        #expect(heard.suffix(256).contains { abs($0) > 0.01 })
        #expect(members.allSatisfy { $0.faults.restarts == 0 })
    }

    /// The second unit is late on its own thread while the first one's thread still renders the third.
    @Test func whoRendersALateUnitWaitsForThatOneAlone() throws {
        let units = try Build.units([("Misbehaver", .together), ("Misbehaver", .together), ("Misbehaver", .together)])
        var policy = UnitPolicy()
        policy.offlineMilliseconds = 50
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: policy)
        _ = bench.render(blocks: [128, 128, 128])
        try order(5, units[2], argument: 60)
        _ = bench.render(128)
        try order(5, units[1], argument: 10)
        _ = bench.render(128)
        Futex.pause(microseconds: 150_000)
        _ = bench.render(128)
        let members = bench.row.members
        #expect(members[0].replacedBlockCount >= 2)
        Futex.pause(microseconds: 500_000)
        _ = bench.render(blocks: [128, 128])
        let before = members.map(\.replacedBlockCount)
        _ = bench.render(blocks: [Int](repeating: 128, count: 20))
        #expect(members.map(\.replacedBlockCount) == before)
        #expect(members[0].faults.records.isEmpty)
        for index in 1...2 { #expect(members[index].faults.records.map(\.fault) == [.late], "unit \(index)") }
    }

    /// In an endless loop it would keep all other threads from the processor.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func theThreadThatRendersALateUnitLosesItsRankAndGetsItBack() throws {
        let core = Scheduling.processors(ofThread: 0).max() ?? 0
        let units = try Build.units([("Misbehaver", .together), ("Misbehaver", .together), ("Gain", .individually)])
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start(processor: core)
        let thread = try #require(units[0].renderThread)
        func rank() -> Int32 { Scheduling.schedulingClass(ofThread: thread)?.realtimePriority ?? 0 }
        #expect(rank() > 0)
        try order(4, units[1], argument: 15)
        #expect(waitUntil(milliseconds: 1000) { rank() == 0 })
        #expect(waitUntil(milliseconds: 3000) { rank() > 0 && Scheduling.processors(ofThread: thread) == [core] })
        stage.pause(milliseconds: 50)
        let before = stage.row.members.map(\.replacedBlockCount)
        stage.pause(milliseconds: 200)
        #expect(stage.row.members.map(\.replacedBlockCount) == before)
        #expect(stage.row.members[1].faults.records.map(\.fault).contains(.late))
        stage.stop()
    }
}
