// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chains that a plan renders at the same time: they sound as one after the other, and only the unit that fails is blamed.

import AudioUnits
import Glibc
import LinuxSystem
import Realtime
import Rendering
import RenderingTestSupport
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders branches under deadlines"), .serialized, .timeLimit(.minutes(2))) struct BranchTests {
    private static let longest = 256

    /// Branches of one plan, mixed, under the null driver.
    ///
    /// Each has two units that misbehave on command.
    private final class Branches {
        private let allocated: [AllocatedRow]
        var rows: [UnitRow] { allocated.map(\.row) }
        let player = PlanPlayer()
        let driver = NullDriver(channelCount: 1, quantum: 128, sampleRate: Stage.sampleRate)

        init(_ count: Int, placement: UnitPlacement = .together) throws {
            var policy = UnitPolicy()
            policy.placement = placement
            let format = BlockFormat(sampleRate: Stage.sampleRate, maximumFrameCount: 128, channelCount: 1)
            allocated = try (0..<count).map { _ in
                let units = [try Build.unit("Misbehaver"), try Build.unit("Misbehaver")]
                return try AllocatedRow(units.map { BenchUnit($0) }, format: format, policy: policy)
            }
            var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 128)
            let source = builder.add(source: Samples([DeathTests.sine]).player(isLooping: true))
            let ends = rows.map { builder.add($0, after: source) }
            player.play(builder.plan(output: builder.add(Mixer(inputCount: count), of: ends)))
        }

        func start(processor: Int?) throws {
            try driver.start(player.callback)
            if let processor, let thread = driver.renderThreadIdentifier {
                try Scheduling.setProcessors([processor], ofThread: thread)
            }
            for (number, row) in rows.enumerated() {
                row.place(
                    processor: processor, below: SchedulingClass(realtimePriority: 80), branch: number, of: rows.count)
            }
            _ = waitUntil(milliseconds: 2000) { self.player.statistics.cycles > 50 }
        }

        deinit { driver.stop() }
    }

    /// A unit that preempts the one that rings it, while others wait for the processor, would have it come back only to fall
    /// asleep.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"), arguments: [(1, true), (2, false)])
    func chainsThatShareAProcessorHaveOneRank(count: Int, rises: Bool) throws {
        let branches = try Branches(count)
        try branches.start(processor: Scheduling.ownProcessors.max())
        branches.driver.stop()
        let ranks = try branches.rows.flatMap(\.members).map { member in
            let thread = try #require(member.unit.renderThread)
            return try #require(Scheduling.schedulingClass(ofThread: thread)).realtimePriority
        }
        #expect(ranks.allSatisfy { $0 > 0 && $0 < 80 } && Set(ranks).count == (rises ? 2 : 1), "\(ranks)")
        #expect(ranks == ranks.sorted() || !rises)
    }

    /// A row with some units in the host's process, some not, and one bypassed.
    private func row(_ names: [String], inProcess: Set<Int>, _ format: BlockFormat) throws -> AllocatedRow {
        let links = try names.enumerated().map { index, name in
            BenchUnit(try Build.unit(name, inProcess: inProcess.contains(index)), isBypassed: name == "Filter")
        }
        return try AllocatedRow(links, format: format)
    }

    @Test(arguments: [false, true]) func theySoundLikeOneAfterTheOther(isOffline: Bool) throws {
        let rows: [(names: [String], inProcess: Set<Int>)] = [
            (["Delay", "Distortion", "Gain"], []), (["Gain", "Reverb"], [0]), (["Delay", "Filter", "Gain"], [1]), (["Gain"], [0]),
        ]
        var random = SeededRandom(seed: 11)
        let input = (0..<2).map { _ in TestSignal.noise(frames: 12_000, using: &random) }
        let format = BlockFormat(sampleRate: Stage.sampleRate, maximumFrameCount: Self.longest, channelCount: 2)
        func render(_ numbers: [Int]) throws -> (samples: [[Float]], latency: Int) {
            let made = try numbers.map { try row(rows[$0].names, inProcess: rows[$0].inProcess, format) }
            var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: Self.longest)
            let source = builder.add(source: Samples(input).player(isLooping: false))
            let ends = made.map { builder.add($0.row, after: source) }
            let player = PlanPlayer()
            let plan = builder.plan(output: builder.add(Mixer(inputCount: ends.count), of: ends))
            player.play(plan)
            let output = AudioBuffer(channelCount: 2, frameCapacity: Self.longest)
            let none = AudioBuffer(channelCount: 0, frameCapacity: Self.longest)
            var samples: [[Float]] = [[], []]
            for number in 0..<47 {
                let block = output.block(frameCount: Self.longest)
                player.render(
                    RenderCycle(
                        sampleTime: Int64(number * Self.longest), hostTime: MonotonicClock.now(), sampleRate: Stage.sampleRate,
                        transport: Transport(), isOffline: isOffline, inputs: none.block(frameCount: Self.longest),
                        outputs: block))
                for channel in 0..<2 { samples[channel] += UnsafeBufferPointer(start: block[channel], count: Self.longest) }
            }
            #expect(made.allSatisfy { $0.row.members.allSatisfy { $0.faults.records.isEmpty && $0.replacedBlockCount == 0 } })
            return (samples, plan.latencyFrameCount)
        }
        let together = try render(Array(rows.indices))
        var expected = together.samples.map { $0.map { _ in Float(0) } }
        for number in rows.indices {
            let alone = try render([number])
            // All of them meet on the frame of the one that takes longest.
            let delay = together.latency - alone.latency
            for channel in 0..<2 {
                for frame in delay..<expected[channel].count { expected[channel][frame] += alone.samples[channel][frame - delay] }
            }
        }
        #expect(together.latency > 0 && together.samples == expected)
    }

    /// On one processor a unit that does not stop delays all branches that were rung after it.
    ///
    /// These get their fallback and no blame. Slow, because a unit counts as hung after a second and more, six times.
    @Test(
        .enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"), arguments: Sample.of([0, 2, 5], oneIn: 3),
        [0, 1])
    func whoHadToWaitForAHungUnitIsNotBlamed(victim: Int, unit: Int) throws {
        let branches = try Branches(6)
        let punctuality = try Punctuality(of: branches.player)
        try branches.start(processor: Scheduling.ownProcessors.max())
        try branches.rows[victim].members[unit].unit.send(MIDIMessage(0xB0, 4, 127))
        let member = branches.rows[victim].members[unit]
        let faults = member.faults
        #expect(
            waitUntil(milliseconds: 8000) { faults.restarts == 1 },
            "\(faults.restarts) restarts of process \(member.unit.processIdentifier ?? 0), \(faults.records)")
        #expect(waitUntil(milliseconds: 2000) { branches.rows.allSatisfy(\.isWhole) })
        branches.driver.stop()
        let first = try #require(faults.records.first { $0.fault.kind == "hung" })
        let late = try #require(faults.records.last { $0.fault == .late && $0.cycle <= first.cycle })
        for (number, row) in branches.rows.enumerated() {
            for member in row.members where number != victim {
                #expect(member.faults.restarts == 0)
                #expect(!member.faults.records.contains { $0.fault == .late && $0.cycle == late.cycle })
            }
        }
        punctuality.expect("unit \(unit) of branch \(victim) of 6 hung")
    }

    @Test(arguments: [0, 3]) func aDeathInOneBranchIsNobodyElses(victim: Int) throws {
        let branches = try Branches(4)
        try branches.start(processor: nil)
        try branches.rows[victim].members[1].unit.send(MIDIMessage(0xB0, 3, 0))
        let faults = branches.rows[victim].members[1].faults
        let isDeath = { (record: FaultRecord) in record.fault == .signalled(signal: SIGKILL) }
        #expect(waitUntil(milliseconds: 5000) { faults.records.first(where: isDeath)?.recoveredAfterCycles != nil })
        branches.driver.stop()
        #expect(branches.rows.flatMap(\.members).map(\.faults.restarts).reduce(0, +) == 1)
    }

    /// The branches take the processors in turn, beginning with the host's.
    ///
    /// All units of a branch are on one processor.
    @Test(.enabled(if: Scheduling.ownProcessors.count > 1, "there is one processor here"))
    func branchesMayBeSpreadOverTheProcessors() throws {
        let own = Scheduling.ownProcessors.sorted()
        let last = try #require(own.last)
        let branches = try Branches(own.count + 1, placement: .branches)
        try branches.start(processor: last)
        let expected = [last] + own.dropLast() + [last]
        for (row, processor) in zip(branches.rows, expected) {
            for member in row.members {
                let thread = try #require(member.unit.renderThread)
                #expect(waitUntil(milliseconds: 2000) { Scheduling.processors(ofThread: thread) == [processor] })
            }
        }
    }
}
