// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A death by the kernel's out-of-memory killer is distinguished from any other SIGKILL.

import AudioUnits
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("fills memory"), .serialized, .timeLimit(.minutes(1))) struct OutOfMemoryTests {
    private static let obstacle = MemoryGroup.obstacle

    /// The unit leaks eight megabytes at a time, and may have sixty-four more than at its start.
    @Test(.enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func aUnitThatTheKernelEndsForWantOfMemoryIsSaidToHaveUsedItUpAndComesBack() throws {
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine)
        let member = stage.row.members[0]
        try stage.start()
        let group = try MemoryGroup(byteCount: 64 << 20)
        defer { withExtendedLifetime(group) {} }
        let process = try #require(member.unit.processIdentifier)
        try #require(group.take(process))
        for _ in 0..<64 where member.faults.restarts == 0 {
            try member.unit.send(MIDIMessage(0xB0, 15, 0))
            stage.pause(milliseconds: 50)
        }
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 1 && stage.row.isWhole })
        // A later SIGKILL from elsewhere is reported as such, however soon it comes.
        kill(try #require(member.unit.processIdentifier), SIGKILL)
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 2 && stage.row.isWhole })
        stage.stop()
        #expect(member.faults.records.map(\.fault).filter { !$0.isPassing } == [.outOfMemory, .signalled(signal: SIGKILL)])
    }

    private static let second: UInt64 = 1_000_000_000

    @Test func aDeathIsPutDownToAKillThatWasCountedSomeTimeBefore() {
        var kills = MemoryKills(7)
        kills.look(8, at: 10 * Self.second)
        kills.look(8, at: 12 * Self.second)
        let claims = [kills.claim(8, at: 12 * Self.second), kills.claim(8, at: 12 * Self.second)]
        #expect(claims == [true, false])
    }

    @Test func twoKillsAnswerForTwoDeaths() {
        var kills = MemoryKills(0)
        var claims: [Bool] = []
        for _ in 0..<3 { claims.append(kills.claim(2, at: 10 * Self.second)) }
        #expect(claims == [true, true, false])
    }

    @Test func whatWasCountedLongAgoWasAnothers() {
        var kills = MemoryKills(3)
        var claims = [kills.claim(3, at: 8 * Self.second)]
        kills.look(4, at: 10 * Self.second)
        claims.append(kills.claim(4, at: 14 * Self.second))
        #expect(claims == [false, false])
    }
}
