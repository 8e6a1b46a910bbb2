// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process may work besides rendering, and what becomes of one that works more.

import AudioUnits
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(1))) struct WorkBudgetTests {
    /// A budget of which a tenth of a processor is put in, and a second at most.
    private final class Account {
        var budget = WorkBudget()
        var (seconds, worked, awaited) = (0.0, 0.0, 0.0)

        init() { _ = isSpent(after: 0, worked: 0) }

        func isSpent(after passed: Double, worked more: Double, rendered: Double = 0) -> Bool {
            seconds += passed
            worked += more + rendered
            awaited += rendered
            let reading = WorkBudget.Reading(
                time: UInt64(seconds * 1e9), worked: UInt64(worked * 1e9), awaited: UInt64(awaited * 1e9))
            return budget.isSpent(reading, share: 0.1, mostNanoseconds: 1e9)
        }
    }

    @Test func whatIsSavedMayBeWorkedAtOnceAndNoMore() {
        let account = Account()
        #expect(!account.isSpent(after: 1, worked: 1.05))
        #expect(account.isSpent(after: 1, worked: 0.2))
        let patient = Account()
        #expect(!patient.isSpent(after: 100, worked: 0))
        #expect(patient.isSpent(after: 1, worked: 1.2), "no more than a second is saved")
    }

    @Test func moderateWorkGoesOnForEverAndHardWorkDoesNot() {
        let (moderate, hard) = (Account(), Account())
        let isSpent = (0..<10_000).contains { _ in moderate.isSpent(after: 1, worked: 0.099) }
        let seconds = (1...100).first { _ in hard.isSpent(after: 1, worked: 0.2) }
        #expect(!isSpent && seconds == 11)
    }

    @Test func renderingIsNoWorkAndAnotherProcessBeginsAnew() {
        let account = Account()
        let isSpent = (0..<1000).contains { _ in account.isSpent(after: 1, worked: 0.05, rendered: 0.8) }
        #expect(!isSpent)
        _ = account.isSpent(after: 1, worked: 1)
        account.worked = 0
        #expect(!account.isSpent(after: 1, worked: 0))
        #expect(!account.isSpent(after: 1, worked: 0.9))
    }

    /// Its threads are ordinary ones: the music goes on, until the budget is used up.
    @Test func aUnitWhoseThreadsComputeWithoutEndIsEndedAndComesBackWithoutThem() throws {
        var policy = ChainPolicy()
        policy.workMilliseconds = 1000
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, quantum: 1024, policy: policy)
        try stage.start()
        let member = stage.chain.members[0]
        let started = MonotonicClock.now()
        try member.unit.send(MIDIMessage(0xB0, MisbehaviourTests.Fault.busyThreads.rawValue, 0))
        #expect(waitUntil(milliseconds: 10_000) { member.faults.restarts == 1 })
        print("Four threads that compute without end were ended after \((MonotonicClock.now() - started) / 1_000_000) ms.")
        let process = try #require(member.unit.processIdentifier)
        let worked = try #require(ProcessorTime.nanoseconds(ofProcess: process))
        stage.pause(milliseconds: 500)
        let later = try #require(ProcessorTime.nanoseconds(ofProcess: process))
        stage.stop()
        #expect(member.faults.records.map(\.fault).filter { !$0.isPassing } == [.outOfProcessorTime])
        #expect(later - worked < 250_000_000, "the new process has nothing to compute")
    }
}
