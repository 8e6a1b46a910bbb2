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
        private var budget = WorkBudget()

        func isSpent(after passed: Double, worked: Double, rendered: Double = 0) -> Bool {
            let first = WorkReading(time: 0, worked: 0, units: [0: .init(rendered: 0, replacedBlockCount: 0)])
            let last = WorkReading(
                time: UInt64(passed * 1e9), worked: UInt64((worked + rendered) * 1e9),
                units: [0: .init(rendered: UInt64(rendered * 1e9), replacedBlockCount: 0)])
            let interval = WorkInterval(from: first, to: last, renderShare: 0.75)!
            return budget.isSpent(by: interval, share: 0.1, mostNanoseconds: 1e9)
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

    @Test func renderingIsNoWorkAsFarAsItCanBeBelieved() {
        let (honest, liar) = (Account(), Account())
        let isSpent = (0..<1000).contains { _ in honest.isSpent(after: 1, worked: 0.05, rendered: 0.7) }
        #expect(!isSpent)
        #expect(liar.isSpent(after: 10, worked: 0, rendered: 9.8), "nobody in time renders for more than three quarters of it")
    }

    @Test func anotherProcessHasNoIntervalWithTheLast() {
        let first = WorkReading(time: 0, worked: 5, units: [:])
        #expect(WorkInterval(from: first, to: WorkReading(time: 1, worked: 4, units: [:]), renderShare: 1) == nil)
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
