// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that answers every block, and whose render thread does not go to sleep then.

import AudioUnits
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(1))) struct RestlessnessTests {
    private static let violation = PluginFault.protocolViolation("its render thread did not sleep between two blocks")

    /// A process of two units, seen every tenth of a second.
    private final class Process {
        private var restlessness = Restlessness()
        private var reading = WorkReading(
            time: 0, worked: 0,
            units: [0: .init(rendered: 0, replacedBlockCount: 0), 1: .init(rendered: 0, replacedBlockCount: 0)])
        private var ran: [Int: UInt64] = [0: 0, 1: 0]

        /// Milliseconds of a hundred that all its threads ran, that the second unit's did, and for which that rendered.
        func culprit(worked: UInt64, second: UInt64, rendered: UInt64, cycles: UInt64 = 75, isLate: Bool = false) -> Int? {
            let last = reading
            reading.time += 100_000_000
            reading.cycleCount += cycles
            reading.worked += worked * 1_000_000
            reading.units[1]!.rendered += rendered * 1_000_000
            reading.units[1]!.replacedBlockCount += isLate ? 1 : 0
            reading.units[1]!.isLate = isLate
            ran[1]! += second * 1_000_000
            return restlessness.culprit(of: WorkInterval(from: last, to: reading, renderShare: 0.75)!) { ran }
        }
    }

    @Test func whoRunsWhileNobodyWaitsIsFoundAtTheSecondLook() {
        let process = Process()
        #expect((0..<10).allSatisfy { _ in process.culprit(worked: 74, second: 74, rendered: 72) == nil })
        #expect(process.culprit(worked: 99, second: 98, rendered: 40) == nil)
        #expect(process.culprit(worked: 99, second: 98, rendered: 40) == 1)
    }

    @Test func nobodyIsBelievedToHaveRenderedAllTheTime() {
        let process = Process()
        #expect(process.culprit(worked: 99, second: 99, rendered: 99) == nil)
        #expect(process.culprit(worked: 99, second: 99, rendered: 99) == 1)
    }

    /// Ten thousand blocks in a tenth of a second: there it is the waking up that takes the time.
    @Test func whoIsWokenAgainAndAgainIsNot() {
        let process = Process()
        #expect((0..<10).allSatisfy { _ in process.culprit(worked: 95, second: 95, rendered: 10, cycles: 10_000) == nil })
    }

    @Test func whoIsLateOrHasOthersWorkIsNot() {
        let process = Process()
        #expect((0..<10).allSatisfy { _ in process.culprit(worked: 100, second: 100, rendered: 60, isLate: true) == nil })
        let other = Process()
        #expect((0..<10).allSatisfy { _ in other.culprit(worked: 190, second: 60, rendered: 58) == nil })
    }

    /// What it naps keeps the kernel from noticing. Nobody outranks anybody here, so that it is only found out by its work.
    @Test(arguments: [Order.always, 1]) func aUnitThatDoesNotSleepIsEnded(argument: UInt8) throws {
        let stage = try Stage([try Build.unit("Saboteur")], input: DeathTests.sine, quantum: 1024)
        try stage.start(isRanked: false)
        let member = stage.chain.members[0]
        try Order.neverSleep.give(to: member.unit, argument)
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 1 })
        stage.stop()
        #expect(member.faults.records.map(\.fault).filter { !$0.isPassing } == [Self.violation])
    }

    /// With the highest rank of the chain it keeps the others from the processor that they share.
    @Test(.enabled(if: Stage.hasRealtimeRanks), arguments: [Order.always, 5])
    func aUnitThatDoesNotSleepStarvesItsNeighboursForAMomentOnly(argument: UInt8) throws {
        let stage = try Stage(
            try ["Misbehaver", "Misbehaver", "Saboteur"].map { try Build.unit($0) }, input: DeathTests.sine, quantum: 256)
        try stage.start(processor: Scheduling.processors(ofThread: 0).max())
        let members = stage.chain.members
        let (cycles, missed) = (stage.player.statistics.cycles, stage.player.statistics.missedDeadlines)
        try Order.neverSleep.give(to: members[2].unit, argument)
        #expect(waitUntil(milliseconds: 5000) { members[2].faults.restarts == 1 })
        #expect(
            waitUntil(milliseconds: 2000) { members.allSatisfy { $0.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } } }
        )
        stage.stop()
        let ended = try #require(members[2].faults.records.first { !$0.fault.isPassing })
        let late = members.prefix(2).map { $0.faults.records.count }
        print(
            "A unit that does not sleep was ended after \(Double(ended.cycle - cycles) * 256 / 48) ms; its neighbours were late \(late) times, the host \(stage.player.statistics.missedDeadlines - missed) times."
        )
        // Whoever never sleeps is found by the kernel, or a little earlier here.
        #expect(ended.fault == Self.violation || (ended.fault == .signalled(signal: SIGXCPU) && argument == Order.always))
        for neighbour in members.prefix(2) { #expect(neighbour.faults.records.allSatisfy { $0.fault == .late }) }
    }
}
