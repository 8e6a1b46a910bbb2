// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit returns from quarantine into a process of others: what goes wrong meanwhile harms none of them.

import AudioUnits
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct SharedReturnTests {
    /// Four units, of which the second has a process of its own.
    private func units() throws -> [HostedUnit] {
        try Build.units((0..<4).map { ("Misbehaver", $0 == 1 ? .individually : .together) })
    }

    /// A row in which one unit has died too often.
    private func benchWithoutOne(_ units: [HostedUnit], _ index: Int, _ policy: UnitPolicy = UnitPolicy()) throws -> Bench {
        var policy = policy
        policy.restartBudget = 1
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: policy)
        for _ in 1...2 {
            try units[index].send(MIDIMessage(0xB0, 1, 0))
            _ = bench.render(blocks: [128, 128])
            #expect(bench.row.waitUntilReady(milliseconds: 3000))
        }
        #expect(units.indices.allSatisfy { bench.row.members[$0].isQuarantined == ($0 == index) })
        return bench
    }

    /// Its return fails because it is asked to change a parameter that it does not have.
    @Test func whoseReturnFailsLeavesNothingWithTheOthers() throws {
        let units = try units()
        var bench = try benchWithoutOne(units, 2)
        let members = bench.row.members
        let process = try #require(units[0].processIdentifier)
        func threadCount() -> Int { Folder.entries(of: "/proc/\(process)/task").count }
        let (before, restarts, faultCount) = (threadCount(), members[0].faults.restarts, members[2].faults.records.count)
        let state = units[2].knownState
        units[2].state.withLock { $0.snapshot = state }
        units[2].journal.record(99, 1)
        members[2].readmit()
        #expect(waitUntil(milliseconds: 3000) { members[2].faults.records.count > faultCount && members[2].isQuarantined })
        #expect(members[2].faults.records.last?.fault.kind == "notStarted")
        #expect(waitUntil(milliseconds: 1000) { threadCount() == before }, "\(threadCount()) threads, and \(before) before")
        #expect(units[2].processIdentifier != process)
        // Without that change it can return.
        units[2].journal.replace()
        members[2].readmit()
        #expect(waitUntil(milliseconds: 3000) { members[2].isPresent && !members[2].isQuarantined })
        #expect(units[2].processIdentifier == process && members[0].faults.restarts == restarts)
        _ = bench.render(blocks: [128, 128])
        #expect(members.allSatisfy { $0.isPresent })
    }

    /// Both happen within one look of the supervisor: the test causes them on its thread, while it asks what has come due.
    @Test func aDeathIsAnsweredBeforeAnybodyIsBroughtBack() throws {
        let units = try Build.units([("Probe", .together), ("Misbehaver", .together)])
        let bench = try benchWithoutOne(units, 1)
        let members = bench.row.members
        let process = try #require(units[0].processIdentifier)
        let (restarts, faultCount) = (members.map(\.faults.restarts), members[1].faults.records.count)
        let hasHappened = Atomic<Bool>(false)
        try units[0].schedule("echo.question", to: 1, at: .max)
        units[0].scheduled.follow {
            guard !hasHappened.exchange(true, ordering: .relaxed) else { return 0 }
            members[1].readmit()
            kill(process, SIGKILL)
            Futex.pause(microseconds: 50_000)
            return 0
        }
        #expect(
            waitUntil(milliseconds: 3000) {
                !members[1].isQuarantined && zip(members, restarts).allSatisfy { $0.faults.restarts > $1 }
            })
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        #expect(Set(units.map(\.processIdentifier)).count == 1 && units[0].processIdentifier != process)
        #expect(members[0].faults.records.last?.fault == .signalled(signal: SIGKILL))
        #expect(members[1].faults.records.count == faultCount)
        #expect(members.map(\.faults.restarts) == restarts.map { $0 + 1 })
    }

    /// A unit that is going to join it gets no reply, and the host would wait for seconds.
    @Test func whoHangsWhileAnotherIsBroughtBackIsEndedInTime() throws {
        let units = try Build.units([("Misbehaver", .together), ("Misbehaver", .together)])
        var policy = UnitPolicy()
        (policy.offlineMilliseconds, policy.hangMilliseconds) = (100, 300)
        var bench = try benchWithoutOne(units, 1, policy)
        let members = bench.row.members
        let process = try #require(units[0].processIdentifier)
        let restarts = members[0].faults.restarts
        kill(process, SIGSTOP)
        members[1].readmit()
        #expect(waitUntil(milliseconds: 1000) { !members[1].isQuarantined })
        Futex.pause(microseconds: 50_000)
        _ = bench.render(128)
        #expect(waitUntil(milliseconds: 2000) { members[0].faults.restarts == restarts + 1 })
        #expect(members[0].faults.records.map(\.fault).filter { $0 == .hung(milliseconds: 300) }.count == 1)
        #expect(units[0].processIdentifier != process && bench.row.waitUntilReady(milliseconds: 3000))
        _ = bench.render(blocks: [128, 128])
        #expect(members[0].isPresent)
    }

    @Test func whoMustJoinOthersStartsNoProcess() throws {
        let units = try units()
        let place = try #require(units[0].unitProcess)
        place.end()
        let children = Census.children.count
        #expect(throws: HostingError.self) { _ = try place.open(units[2].component, act: "restart", mustJoin: true) }
        #expect(Census.children.count == children)
    }
}
