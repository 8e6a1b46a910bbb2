// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Offline, a block whose unit died is rendered again, and the output is the same as without the death.

import AudioUnits
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct OfflineRetryTests {
    private static let policy: UnitPolicy = {
        var policy = UnitPolicy()
        policy.offlineAttempts = 3
        policy.offlineMilliseconds = 300
        policy.hangMilliseconds = 200
        policy.restartBudget = 1000
        policy.firstPauseMilliseconds = 0
        return policy
    }()

    /// The victim between neighbours that would sound different if they rendered a block twice.
    private func links(_ prepare: (HostedUnit) throws -> Void) throws -> [BenchUnit] {
        let units = [try Build.unit("Delay"), try Build.unit("Misbehaver"), try Build.unit("Misbehaver"), try Build.unit("Delay")]
        for delay in [units[0], units[3]] { try delay.set("mix", to: 50) }
        try units[1].set("gain", to: -0.9)
        try prepare(units[1])
        return units.map { BenchUnit($0) }
    }

    /// The output of so many blocks, without the latency.
    private func output(
        _ links: [BenchUnit], blocks: Int = 40, _ order: RenderOrder = .serial, policy: UnitPolicy = policy
    ) throws -> (samples: [[Float]], row: UnitRow) {
        var bench = try Bench(
            links, input: [DeathTests.sine, DeathTests.sine], maximumFrameCount: 128, isLooping: true,
            policy: order.policy(policy, frameCount: 128))
        bench.row.place(processor: nil, below: .ordinary)
        let late = bench.row.pipelineLatencyFrameCount
        #expect(late == order.latency(unitCount: 4) * 128)
        let samples = bench.render(blocks: [Int](repeating: 128, count: blocks + late / 128))
        return (samples.map { Array($0.dropFirst(late)) }, bench.row)
    }

    /// Exit, crash and SIGKILL in every third block of the unit.
    @Test(arguments: [1, 2, 3], RenderOrder.allCases)
    func aUnitThatDiesNowAndThenCostsNoSample(fault: Int, order: RenderOrder) throws {
        let expected = try output(links { _ in }).samples
        let (samples, row) = try output(
            links { unit in
                try unit.set("block", to: 3)
                try unit.set("fault", to: Double(fault))
            }, order)
        #expect(samples == expected)
        #expect(row.members[1].faults.restarts >= 15)
        #expect(row.members.allSatisfy { $0.replacedBlockCount == 0 })
        #expect([0, 2, 3].allSatisfy { row.members[$0].faults.records.isEmpty })
    }

    @Test(arguments: RenderOrder.allCases) func aUnitThatIsKilledBetweenTwoBlocksCostsNoSample(order: RenderOrder) throws {
        let expected = try output(links { _ in }, blocks: 20).samples
        let links = try links { _ in }
        var bench = try Bench(
            links, input: [DeathTests.sine, DeathTests.sine], maximumFrameCount: 128, isLooping: true,
            policy: order.policy(Self.policy, frameCount: 128))
        bench.row.place(processor: nil, below: .ordinary)
        let late = bench.row.pipelineLatencyFrameCount
        var samples: [[Float]] = [[], []]
        for block in 0..<20 + late / 128 {
            if block % 5 == 4 { kill(try #require(links[1].unit.processIdentifier), SIGKILL) }
            for (channel, rendered) in bench.render(128).enumerated() { samples[channel] += rendered }
        }
        #expect(samples.map { Array($0.dropFirst(late)) } == expected)
        #expect(bench.row.members[1].replacedBlockCount == 0)
    }

    /// Two of five units share the process that is killed, and one of the others is killed with it.
    ///
    /// The host does not wait until the deadline for a reply that cannot come.
    @Test(arguments: RenderOrder.allCases)
    func processesThatAreKilledTogetherCostNeitherSamplesNorADeadline(order: RenderOrder) throws {
        var policy = Self.policy
        (policy.offlineMilliseconds, policy.hangMilliseconds) = (10_000, 10_000)
        func samples(killing kills: Bool) throws -> [[Float]] {
            let units = try Build.units(
                [.individually, .byPlugin, .individually, .byPlugin, .individually].map { ("Misbehaver", $0) })
            for (index, unit) in units.enumerated() { try unit.set("gain", to: Double(index) / 4 - 0.6) }
            var bench = try Bench(
                units.map { BenchUnit($0) }, input: [DeathTests.sine, DeathTests.sine], maximumFrameCount: 128,
                isLooping: true,
                policy: order.policy(policy, frameCount: 128))
            bench.row.place(processor: nil, below: .ordinary)
            var samples: [[Float]] = [[], []]
            for block in 0..<60 {
                if kills, block % 5 == 4 {
                    for index in [1, block % 2 * 4] { kill(try #require(units[index].processIdentifier), SIGKILL) }
                }
                for (channel, rendered) in bench.render(128).enumerated() { samples[channel] += rendered }
            }
            #expect(bench.row.members.allSatisfy { $0.replacedBlockCount == 0 })
            return samples
        }
        let expected = try samples(killing: false)
        let began = MonotonicClock.now()
        #expect(try samples(killing: true) == expected)
        #expect(MonotonicClock.now() - began < 9_000_000_000)
    }

    @Test(arguments: RenderOrder.allCases) func aUnitThatHangsNowAndThenCostsTimeAndNoSample(order: RenderOrder) throws {
        let expected = try output(links { _ in }, blocks: 4).samples
        let (samples, row) = try output(
            links { unit in
                try unit.set("milliseconds", to: -1)
                try unit.set("block", to: 3)
                try unit.set("fault", to: 4)
            }, blocks: 4, order)
        #expect(samples == expected)
        // In a pipeline it also renders blocks that are not heard any more.
        let faults = row.members[1].faults.records.map(\.fault)
        #expect(faults == [PluginFault](repeating: .hung(milliseconds: 200), count: order == .serial ? 1 : 2))
        #expect(row.members[1].replacedBlockCount == 0)
    }

    /// It sleeps for longer than the supervisor waits before it rests.
    ///
    /// Only the host's judgement wakes the supervisor.
    @Test func aUnitThatSleepsForEverIsEndedAlthoughTheSupervisorRests() throws {
        var policy = Self.policy
        policy.offlineMilliseconds = 1500
        let unit = try Build.unit("Misbehaver")
        try unit.set("milliseconds", to: 60_000)
        try unit.set("block", to: 3)
        try unit.set("fault", to: 5)
        var bench = try Bench(
            [BenchUnit(unit)], input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: policy)
        _ = bench.render(blocks: [128, 128, 128])
        #expect(bench.row.members[0].faults.records.map(\.fault) == [.hung(milliseconds: 200)])
        #expect(bench.row.members[0].replacedBlockCount == 0)
    }

    @Test func aUnitThatFailsAtTheSameBlockEachTimeIsReplacedThere() throws {
        // Time enough for four starts on a busy machine.
        var policy = Self.policy
        policy.offlineMilliseconds = 10_000
        let (samples, row) = try output(
            links { unit in
                try unit.set("block", to: 1)
                try unit.set("fault", to: 1)
            }, blocks: 5, policy: policy)
        #expect(samples[0].allSatisfy { $0.isFinite })
        #expect(row.members[1].replacedBlockCount == 5)
        // The first try and three more, at each of these blocks.
        #expect(waitUntil(milliseconds: 10_000) { row.members[1].faults.records.count == 20 })
        #expect([0, 2, 3].allSatisfy { row.members[$0].replacedBlockCount == 0 })
    }

    /// The bench goes right after its only block, before the supervisor has looked.
    @Test(.timeLimit(.minutes(15))) func aDeathInTheLastBlockIsReported() throws {
        var policy = Self.policy
        policy.offlineAttempts = 0
        for _ in 0..<20 {
            let (_, row) = try output(
                links { unit in
                    try unit.set("block", to: 1)
                    try unit.set("fault", to: 1)
                }, blocks: 1, policy: policy)
            #expect(row.members[1].replacedBlockCount == 1)
            #expect(row.members[1].faults.records.count == 1)
        }
    }

    @Test func automationGoesOnInTheVeryBlockThatIsRenderedAgain() throws {
        let unit = try Build.unit("Misbehaver")
        try unit.set("block", to: 3)
        try unit.set("fault", to: 1)
        let lane = AutomationLane(
            address: 4, points: [.init(sampleTime: 0, value: 0), .init(sampleTime: 4800, value: 1)], ramps: true)
        var bench = try Bench(
            [BenchUnit(unit, automation: [lane])], input: [[Float](repeating: 1, count: 4800)], maximumFrameCount: 128,
            policy: Self.policy)
        let output = bench.render(blocks: [Int](repeating: 128, count: 37))[0]
        #expect(bench.row.members[0].faults.restarts > 10)
        for frame in 2..<4700 { #expect(abs(output[frame] - Float(frame) / 4800) < 0.002, "frame \(frame)") }
    }

    /// The second of two units is killed between blocks, and its automation goes on where it was: a gain that glides from one
    /// value to the next.
    @Test(arguments: RenderOrder.allCases) func automationGoesOnInAUnitThatIsKilledBetweenTwoBlocks(order: RenderOrder) throws {
        let lane = AutomationLane(
            address: 0, points: [.init(sampleTime: 0, value: -0.2), .init(sampleTime: 4800, value: 0.2)], ramps: true)
        func output(killing kills: Bool) throws -> [Float] {
            let units = [try Build.unit("Misbehaver"), try Build.unit("Gain")]
            var bench = try Bench(
                [BenchUnit(units[0]), BenchUnit(units[1], automation: [lane])],
                input: [[Float](repeating: 1, count: 4800)],
                maximumFrameCount: 128, policy: order.policy(Self.policy, frameCount: 128))
            var output: [Float] = []
            for block in 0..<37 {
                if kills, block % 4 == 3 {
                    // It has replied to its request by now.
                    Futex.pause(microseconds: 5_000)
                    kill(try #require(units[1].processIdentifier), SIGKILL)
                    Futex.pause(microseconds: 5_000)
                }
                output += bench.render(128)[0]
            }
            return output
        }
        let expected = try output(killing: false)
        let samples = try output(killing: true)
        // One block of the ramp is 0.0012. A ramp in decibels differs from one in amplitude by 0.0003.
        let worst = zip(samples, expected).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 0.0006)
    }
}
