// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that replies to every block, and whose render thread never goes to sleep afterwards, or only naps.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("uses real-time ranks"), .serialized, .timeLimit(.minutes(1))) struct RestlessnessTests {
    private static let renderCore = Scheduling.processors(ofThread: 0).max() ?? 0

    private func rank(of thread: Int32) -> Int32 { Scheduling.schedulingClass(ofThread: thread)?.realtimePriority ?? 0 }

    /// With the highest rank of the row it keeps the others from their common processor.
    ///
    /// An argument of 5 makes it nap every 50 ms, so that the kernel does not notice.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"), arguments: [Order.always, 5])
    func aUnitThatDoesNotSleepLosesItsSeatAndGetsItBack(argument: UInt8) throws {
        let stage = try Stage(
            try ["Misbehaver", "Misbehaver", "Saboteur"].map { try Build.unit($0) }, input: DeathTests.sine, quantum: 256)
        try stage.start(processor: Self.renderCore)
        let members = stage.row.members
        let thread = try #require(members[2].unit.renderThread)
        // On a busy machine the kernel might act first.
        ProcessLimits.raise(realtimeMicroseconds: 2_000_000, to: try #require(members[2].unit.processIdentifier))
        let statistics = stage.player.statistics
        #expect(rank(of: thread) > 0)
        try Order.neverSleep.give(to: members[2].unit, argument)
        #expect(waitUntil(milliseconds: 5000) { members[2].faults.records.contains { $0.fault == .restless } })
        #expect(waitUntil(milliseconds: 500) { rank(of: thread) == 0 })
        let found = try #require(members[2].faults.records.first { $0.fault == .restless })
        stage.pause(milliseconds: 300)
        let late = members.prefix(2).map { $0.faults.records.count }
        stage.pause(milliseconds: 300)
        let lateSince = zip(members.prefix(2), late).map { $0.faults.records.count - $1 }
        print(
            "A unit that does not sleep lost its placement after \(Double(found.cycle - statistics.cycles) * 256 / 48) ms; its neighbours were late \(late) times until then and \(lateSince) times afterwards, the host \(stage.player.statistics.missedDeadlines - statistics.missedDeadlines) times."
        )
        #expect(lateSince.allSatisfy { $0 < 10 }, "of 56 cycles")
        // A unit that is late and then replies would get its rank back, if it were not barred. It is stopped for two cycles:
        // after a longer stop it would seem to have slept.
        let process = try #require(members[2].unit.processIdentifier)
        kill(process, SIGSTOP)
        stage.pause(milliseconds: 12)
        kill(process, SIGCONT)
        #expect(Patience.never(milliseconds: 300) { rank(of: thread) > 0 })
        // Any other order makes it sleep again.
        try Order.ringTwice.give(to: members[2].unit)
        #expect(waitUntil(milliseconds: 3000) { rank(of: thread) > 0 })
        stage.stop()
        #expect(members.allSatisfy { $0.faults.restarts == 0 })
        for neighbour in members.prefix(2) {
            let others = neighbour.faults.records.map(\.fault).filter { $0 != .late }
            #expect(others.isEmpty)
        }
    }

    @Test func aUnitThatDoesNotSleepIsEndedInTheEnd() throws {
        var policy = UnitPolicy()
        policy.workMilliseconds = 500
        let stage = try Stage([try Build.unit("Saboteur")], input: DeathTests.sine, quantum: 256, policy: policy)
        try stage.start(isRanked: false)
        let member = stage.row.members[0]
        try Order.neverSleep.give(to: member.unit, Order.always)
        #expect(waitUntil(milliseconds: 10_000) { member.faults.restarts == 1 })
        stage.stop()
        let faults = member.faults.records.map(\.fault).filter { $0 != .late }
        #expect(faults == [.restless, .outOfProcessorTime])
    }

    /// Blocks of 8192 frames at 8 kHz last for a second, and may take three quarters of it.
    @Test func whoHasLongBlocksMayRunForLong() throws {
        let format = BlockFormat(sampleRate: 8000, maximumFrameCount: 8192, channelCount: 1)
        let allocated = try AllocatedRow([BenchUnit(try Build.unit("Misbehaver"))], format: format)
        defer { withExtendedLifetime(allocated) {} }
        let row = allocated.row
        let process = try #require(row.members[0].unit.processIdentifier)
        func limit() throws -> Double? {
            ResourceUse.limit("Max realtime timeout", in: try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8))
        }
        #expect(try limit() == 250_000)
        row.place(processor: nil, below: SchedulingClass(realtimePriority: 80))
        #expect(try limit() == 1_024_000)
    }
}
