// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units that render different blocks at the same time: the same sound, later by the reported latency, through all faults.

import AudioUnits
import Glibc
import LinuxSystem
import Realtime
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct PipelineTests {
    private static let effects = ["Filter", "Delay", "Distortion", "Gain", "Reverb"]
    private static let longest = 256

    /// Renders noise through the effects, those at `inProcess` in the host's process, with automation that ends within the sound.
    private func render(
        _ blocks: [Int], inProcess: Set<Int> = [], _ order: RenderOrder, isShared: Bool = false
    ) throws -> (samples: [[Float]], row: UnitRow) {
        var random = SeededRandom(seed: 7)
        let input = (0..<2).map { _ in TestSignal.noise(frames: 12_000, using: &random) }
        let units =
            try isShared
            ? Build.units(Self.effects.map { ($0, .together) })
            : Self.effects.enumerated().map {
                try Build.unit($1, inProcess: inProcess.contains($0))
            }
        let links = try units.enumerated().map { index, unit in
            let address = try #require(unit.parameters.parameters.first { $0.parameter.flags.contains(.canRamp) }).parameter
            let points = (0..<6).map {
                AutomationLane.Point(
                    sampleTime: Int64(1 + $0 * (1700 + 31 * index)), value: Double.random(in: address.range, using: &random))
            }
            return BenchUnit(unit, automation: [AutomationLane(address: address.address, points: points, ramps: true)])
        }
        var bench = try Bench(
            links, input: input, maximumFrameCount: Self.longest, policy: order.policy(frameCount: Self.longest))
        var samples = bench.render(blocks: blocks)
        let late = bench.row.pipelineLatencyFrameCount
        let rest = bench.render(blocks: [Int](repeating: Self.longest, count: late / Self.longest))
        for channel in 0..<2 { samples[channel] = Array((samples[channel] + rest[channel]).dropFirst(late)) }
        #expect(bench.row.members.allSatisfy { $0.faults.records.isEmpty && $0.replacedBlockCount == 0 })
        return (samples, bench.row)
    }

    @Test(arguments: [[], [0, 4], [2, 3], [0, 1, 2, 3, 4]] as [Set<Int>], [RenderOrder.pipelined, .ahead])
    func itSoundsLikeOneUnitAfterTheOther(inProcess: Set<Int>, order: RenderOrder) throws {
        let blocks = [Int](repeating: Self.longest, count: 46) + [77]
        let expected = try render(blocks, .serial)
        let (samples, row) = try render(blocks, inProcess: inProcess, order)
        #expect(samples == expected.samples)
        let late = order.latency(unitCount: 5) * Self.longest
        #expect(row.pipelineLatencyFrameCount == late)
        #expect(row.latencyFrameCount == expected.row.latencyFrameCount + late)
    }

    @Test(arguments: [RenderOrder.pipelined, .ahead]) func blocksOfAllSizesComeOutInTheirOrder(order: RenderOrder) throws {
        var random = SeededRandom(seed: Seed.chosen)
        var blocks: [Int] = []
        while blocks.reduce(0, +) < 11_000 { blocks.append(Int.random(in: 0...Self.longest, using: &random)) }
        let expected = try render(blocks, .serial).samples
        let samples = try render(blocks, order).samples
        #expect(samples == expected)
    }

    @Test(arguments: [RenderOrder.pipelined, .ahead]) func unitsOfOneProcessRenderAtTheSameTimeToo(order: RenderOrder) throws {
        let blocks = [Int](repeating: Self.longest, count: 40)
        let expected = try render(blocks, .serial).samples
        let samples = try render(blocks, order, isShared: true).samples
        #expect(samples == expected)
    }

    @Test func oneUnitNeedsNoPipeline() throws {
        let bench = try Bench(
            [BenchUnit(try Build.unit("Gain"))], input: [[0]], policy: UnitPolicy().pipelined(frameCount: 512))
        #expect(bench.row.latencyFrameCount == 0)
    }

    /// It renders while its caller does something else.
    @Test func oneUnitMayRenderAhead() throws {
        let input = [(0..<1024).map { Float($0) / 1024 }]
        var bench = try Bench(
            [BenchUnit(try Build.unit("Gain"))], input: input, maximumFrameCount: 128,
            policy: UnitPolicy().pipelined(frameCount: 128, rendersAhead: true))
        #expect(bench.row.latencyFrameCount == 128)
        let heard = bench.render(blocks: [Int](repeating: 128, count: 9))
        #expect(Array(heard[0].dropFirst(128)) == input[0] && heard[0][..<128].allSatisfy { $0 == 0 })
        #expect(bench.row.members[0].unit.processIdentifier != nil)
    }

    /// A stage of units that invert the signal, twice in all, in real time.
    private func stage() throws -> Stage {
        let units = try (0..<4).map { index in
            let unit = try Build.unit("Misbehaver")
            if index == 1 || index == 2 { try unit.set("gain", to: -0.9) }
            return unit
        }
        var policy = UnitPolicy().pipelined(frameCount: 128)
        policy.placement = .spread
        let stage = try Stage(units, input: DeathTests.sine, policy: policy)
        try stage.start(processor: Scheduling.processors(otherThan: 0).max())
        return stage
    }

    /// Expects that only the unit at index 1 has failed, and that no step was larger than a transition may make it.
    private func expectPeace(_ stage: Stage, _ fault: PluginFault?) {
        stage.stop()
        let members = stage.row.members
        for (index, member) in members.enumerated() {
            let faults = member.faults.records.map(\.fault).filter { $0 != .late }
            #expect(faults == (index == 1 ? fault.map { [$0] } ?? [] : []))
        }
        let heard = Array(stage.tape.samples.dropFirst(3 * 128))
        #expect(largestStep(heard) <= DeathTests.ownStep + DeathTests.transitionStep)
        // A fade that begins with the signal inverted adds up to twice the sound.
        #expect(heard.allSatisfy { abs($0) <= 1.5 })
    }

    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func aUnitThatDiesIsCoveredForAndComesBack() throws {
        let stage = try stage()
        let member = stage.row.members[1]
        kill(try #require(member.unit.processIdentifier), SIGKILL)
        #expect(waitUntil(milliseconds: 3000) { member.faults.records.contains { $0.recoveredAfterCycles != nil } })
        stage.pause(milliseconds: 200)
        #expect(member.faults.restarts == 1 && member.replacedBlockCount > 0)
        expectPeace(stage, .signalled(signal: SIGKILL))
    }

    /// It sleeps for 20 ms within a block, while seven blocks go by.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func aUnitThatIsLateIsCoveredForAndTakenBack() throws {
        let stage = try stage()
        let member = stage.row.members[1]
        try member.unit.send(MIDIMessage(0xB0, 4, 2))
        #expect(waitUntil(milliseconds: 3000) { member.faults.records.contains { $0.recoveredAfterCycles != nil } })
        stage.pause(milliseconds: 200)
        #expect(member.faults.restarts == 0 && member.replacedBlockCount >= 4)
        let isLate = member.faults.records.contains { $0.fault == .late }
        #expect(isLate)
        expectPeace(stage, nil)
    }
}
