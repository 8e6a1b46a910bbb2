// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units with invalid output: it is replaced in that very block and reported.

import AudioUnits
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(1))) struct InvalidAudioTests {
    /// The acts of the test plug-in, by controller number.
    enum Order: UInt8, CaseIterable {
        case notANumber = 6
        case infinite = 9
        case tooLoud = 10

        var fault: PluginFault {
            switch self {
            case .notANumber: .invalidAudio(.notANumber)
            case .infinite: .invalidAudio(.infinite)
            case .tooLoud: .invalidAudio(.tooLoud)
            }
        }
    }

    @Test(arguments: Order.allCases, [false, true])
    func aBlockThatNobodyMayHearIsReplacedWithoutAStep(order: Order, inProcess: Bool) throws {
        let unit = try Build.unit("Misbehaver", inProcess: inProcess)
        try unit.set("gain", to: -0.9)
        var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        var output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        try unit.send(MIDIMessage(0xB0, order.rawValue, 0))
        output += bench.render(blocks: [Int](repeating: 128, count: 60))[0]
        #expect(largestStep(output) <= DeathTests.ownStep + DeathTests.transitionStep)
        for frame in (output.count - 1280)..<output.count {
            #expect(abs(output[frame] + 0.9 * DeathTests.sine[frame % 48_000]) < 1e-5)
        }
        let member = bench.row.members[0]
        #expect(waitUntil(milliseconds: 1000) { member.faults.records.first?.recoveredAfterCycles == 1 })
        #expect(member.faults.records.map(\.fault) == [order.fault] && member.faults.restarts == 0)
        #expect(member.invalidBlockCount == 1 && member.replacedBlockCount == 1)
    }

    /// The reverb has read the block before it was replaced, and would sound of it without end.
    @Test(arguments: Order.allCases) func whoHasHeardItIsNotToBlameAndForgetsIt(order: Order) throws {
        let units = [try Build.unit("Misbehaver"), try Build.unit("Reverb"), try Build.unit("Misbehaver")]
        var bench = try Bench(
            units, input: [DeathTests.sine, DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        _ = bench.render(blocks: [Int](repeating: 128, count: 20))
        try units[0].send(MIDIMessage(0xB0, order.rawValue, 0))
        let output = bench.render(blocks: [Int](repeating: 128, count: 200))
        for channel in output { #expect(channel.allSatisfy { abs($0) < 2 }) }
        #expect(waitUntil(milliseconds: 1000) { bench.row.members[0].faults.records.first?.recoveredAfterCycles != nil })
        #expect(bench.row.members[0].faults.records.map(\.fault) == [order.fault])
        for index in [1, 2] { #expect(bench.row.members[index].faults.records.isEmpty, "unit \(index)") }
        // It renders again itself; its output is not its input.
        #expect(bench.row.members[1].replacedBlockCount < 10)
        #expect(output[0].suffix(1000) != output[1].suffix(1000))
    }

    @Test func aUnitThatNoResetHelpsIsStartedAnew() throws {
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine)
        try stage.start()
        try stage.row.members[0].unit.send(MIDIMessage(0xB0, 6, 127))
        let faults = stage.row.members[0].faults
        #expect(waitUntil(milliseconds: 5000) { faults.restarts == 1 })
        #expect(waitUntil(milliseconds: 2000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        stage.stop()
        // A busy machine may also make it late.
        #expect(faults.records.map(\.fault).filter { $0 != .late } == [.invalidAudio(.notANumber)])
        #expect(stage.tape.samples.allSatisfy { abs($0) <= 0.5 })
        #expect(stage.row.members[0].invalidBlockCount > 100)
    }

    @Test func whatComesInInvalidIsMendedAndNobodyIsToBlame() throws {
        let input: [Float] = [0.5, .nan, 0.5, .infinity, 0.5, -.infinity, 1e30, -1e30]
        var bench = try Bench([try Build.unit("Misbehaver")], input: [input], maximumFrameCount: 8)
        #expect(bench.render(8)[0] == [0.5, 0, 0.5, 0, 0.5, 0, 1e6, -1e6])
        #expect(bench.row.mendedBlockCount == 1 && bench.row.members[0].invalidBlockCount == 0)
    }

    @Test func theCeilingIsWhereItIsPut() throws {
        var policy = UnitPolicy()
        policy.ceiling = 0.4
        let links = [BenchUnit(try Build.unit("Misbehaver"))]
        let half = [[Float](repeating: 0.3, count: 256)]
        var bench = try Bench(links, input: half, maximumFrameCount: 128, policy: policy)
        #expect(bench.render(128)[0].allSatisfy { $0 == 0.3 })
        try links[0].unit.set("gain", to: 1.5)
        #expect(bench.render(128)[0].allSatisfy { abs($0) <= 0.4 })
        #expect(bench.row.members[0].invalidBlockCount == 1)
    }

    @Test func withoutACeilingEverythingPasses() throws {
        var policy = UnitPolicy()
        policy.ceiling = nil
        let unit = try Build.unit("Misbehaver")
        var bench = try Bench([BenchUnit(unit)], input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        try unit.send(MIDIMessage(0xB0, 6, 0))
        #expect(bench.render(128)[0].allSatisfy { $0.isNaN })
    }
}
