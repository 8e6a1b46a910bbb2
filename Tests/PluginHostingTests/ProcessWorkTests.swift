// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much the threads of a process may work, and what happens when they work more.

import AudioUnits
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct ProcessWorkTests {
    @Test func whatIsSavedMayBeWorkedAtOnceAndNoMore() {
        let terms = WorkBudget.Terms(share: 0.1, most: 1)
        var (hasty, patient) = (WorkBudget(), WorkBudget())
        let first = hasty.isSpent(by: 1.05, in: 1, terms)
        let second = hasty.isSpent(by: 0.2, in: 1, terms)
        #expect(!first && second)
        let early = patient.isSpent(by: 0, in: 100, terms)
        let late = patient.isSpent(by: 1.2, in: 1, terms)
        #expect(!early && late, "no more than a second is saved")
    }

    @Test func moderateWorkGoesOnForEverAndHardWorkDoesNot() {
        let terms = WorkBudget.Terms(share: 0.1, most: 1)
        var (moderate, hard) = (WorkBudget(), WorkBudget())
        let isSpent = (0..<10_000).contains { _ in moderate.isSpent(by: 0.099, in: 1, terms) }
        let seconds = (1...100).first { _ in hard.isSpent(by: 0.2, in: 1, terms) }
        #expect(!isSpent && seconds == 11)
    }

    /// A process with one render thread, read every 40 ms.
    ///
    /// Its other threads may use half a processor, and a second at once. A cycle lasts 171 ms.
    private final class Process {
        private var work = ProcessWork()
        private var reading = ProcessWork.Reading(time: 0, worked: 0, awaited: 0)
        private var (ran, waited, unplaced): (UInt64, UInt64, UInt64) = (0, 0, 0)

        init() { _ = look(rendering: 0) }

        func pause() { work.pause() }

        /// Reads the process after forty milliseconds and returns the findings.
        ///
        /// All arguments are milliseconds out of these forty. In `rendering` its render thread works, and in `others` its other
        /// threads. In `awaited` the host waits for it, by default as long as it renders. In `unplaced` its render thread works
        /// without its placement. In `waited` it waits for a processor.
        func look(
            rendering: UInt64, others: UInt64 = 0, awaited: UInt64? = nil, unplaced: UInt64 = 0, waited: UInt64 = 0
        ) -> ProcessWork.Findings {
            reading.time += 40_000_000
            reading.awaited += (awaited ?? rendering) * 1_000_000
            reading.worked += (rendering + others) * 1_000_000
            ran += rendering * 1_000_000
            self.unplaced += unplaced * 1_000_000
            self.waited += waited * 1_000_000
            let terms = ProcessWork.Terms(
                rendering: WorkBudget.Terms(share: 0.85, most: 191e6), others: WorkBudget.Terms(share: 0.5, most: 1e9))
            return work.look(reading, terms) { [7: ProcessWork.Account(ran: ran, waited: self.waited, unplaced: self.unplaced)] }
        }
    }

    @Test func renderingIsNoWorkOfTheOthers() {
        let process = Process()
        let findings = (0..<10_000).map { _ in process.look(rendering: 30, others: 18) }
        #expect(findings.allSatisfy { $0 == ProcessWork.Findings() })
    }

    @Test func otherThreadsUseUpTheBudgetWhateverIsRenderedMeanwhile() {
        let (calm, busy) = (Process(), Process())
        // Of 40 ms in 40 half is paid back, so a second lasts for fifty reads.
        let first = (1...100).first { _ in calm.look(rendering: 0, others: 40).isSpent }
        let second = (1...100).first { _ in busy.look(rendering: 28, others: 40).isSpent }
        #expect(first == 52 && second == 52, "the first look at a process that works much judges nothing")
    }

    @Test func whoDoesNotSleepIsRestlessUntilItDoes() {
        let process = Process()
        // Of 38 ms 16 are granted.
        let looks = (1...20).first { _ in process.look(rendering: 38, awaited: 12).restless == [7] }
        #expect(looks == 10)
        // From then on its work does not count as rendering any more.
        let spent = (1...100).first { _ in process.look(rendering: 38, awaited: 12).isSpent }
        #expect(spent == 56)
        #expect(process.look(rendering: 8, awaited: 2).calm.isEmpty, "somebody else has its processor")
        #expect(process.look(rendering: 12).calm == [7])
        #expect(process.look(rendering: 30).restless.isEmpty)
    }

    @Test func whoHasToShareItsProcessorHasNotSlept() {
        let process = Process()
        #expect((1...20).contains { _ in process.look(rendering: 38, awaited: 12).restless == [7] })
        #expect((1...10).allSatisfy { _ in process.look(rendering: 4, awaited: 12, waited: 34).calm.isEmpty })
        #expect(process.look(rendering: 4, awaited: 12, waited: 4).calm == [7])
    }

    /// Each time it has to sleep for twice as many reads, until it has been well for a minute.
    @Test func whoIsRestlessAgainAndAgainIsTrustedLessEachTime() {
        let process = Process()
        func looksUntilCalm() -> Int? {
            guard (1...20).contains(where: { _ in process.look(rendering: 38, awaited: 12).restless == [7] }) else { return nil }
            return (1...1000).first { _ in process.look(rendering: 2, awaited: 2).calm == [7] }
        }
        #expect((0..<4).map { _ in looksUntilCalm() } == [1, 2, 4, 8])
        for _ in 0..<10 { _ = looksUntilCalm() }
        #expect(looksUntilCalm() == 256, "some ten seconds, and no more")
        for _ in 0..<1600 { _ = process.look(rendering: 2) }
        #expect(looksUntilCalm() == 1)
    }

    @Test func memoryThatIsNowhereMappedCounts() throws {
        func descriptors() throws -> [String] { try #require(FolderEntries.names(in: "/proc/self/fd")) }
        let before = ResourceUse.memoryFileBytes(getpid(), descriptors: try descriptors())
        let memory = try SharedMemory(name: "hoard", byteCount: 64 << 20)
        let again = dup(memory.descriptor)
        defer { close(again) }
        try #require(posix_fallocate(again, 0, 64 << 20) == 0)
        let after = ResourceUse.memoryFileBytes(getpid(), descriptors: try descriptors())
        #expect(abs(after - before - Double(64 << 20)) < Double(16 << 20))
    }

    /// It keeps others of its row from replying, so that the host waits all the time.
    @Test func whoWorksMoreThanAnybodyInTimeCanIsRestlessWhateverTheHostWaitsFor() {
        let process = Process()
        let looks = (1...100).first { _ in process.look(rendering: 40, awaited: 40).restless == [7] }
        #expect(looks == 33)
    }

    /// It works for three quarters of a cycle of 171 ms at once, and then rests.
    ///
    /// The host knows of the work only when it is over.
    @Test func longBlocksAreBorne() {
        let process = Process()
        let cycle: [(UInt64, UInt64)] = [(40, 0), (40, 0), (40, 0), (8, 128), (0, 0)]
        let isJudged = (0..<1000).contains { number in
            let (rendering, awaited) = cycle[number % cycle.count]
            return process.look(rendering: rendering, awaited: awaited) != ProcessWork.Findings()
        }
        #expect(!isJudged)
    }

    @Test func whoIsLateIsNotRestless() {
        let process = Process()
        let isJudged = (0..<1000).contains { _ in
            process.look(rendering: 40, awaited: 10, unplaced: 30) != ProcessWork.Findings()
        }
        #expect(!isJudged)
    }

    @Test func whoIsRestlessIsSoStillWhenNobodyHasLookedForAWhile() {
        let process = Process()
        #expect((1...20).contains { _ in process.look(rendering: 38, awaited: 12).restless == [7] })
        process.pause()
        let awake = (1...5).map { _ in process.look(rendering: 38, awaited: 12) }
        #expect(awake.allSatisfy { $0 == ProcessWork.Findings() })
        #expect(process.look(rendering: 2, awaited: 2).calm == [7])
    }

    @Test func whoIsLateNowAndThenMayBeRestless() {
        let process = Process()
        let looks = (1...100).first { _ in process.look(rendering: 38, awaited: 12, unplaced: 2).restless == [7] }
        #expect(looks == 11)
    }

    @Test func anotherProcessIsNotJudgedByTheLast() {
        var work = ProcessWork()
        let terms = ProcessWork.Terms(
            rendering: WorkBudget.Terms(share: 0.85, most: 1), others: WorkBudget.Terms(share: 0.5, most: 1))
        _ = work.look(.init(time: 1000, worked: 5000, awaited: 0), terms) { [:] }
        let findings = work.look(.init(time: 2000, worked: 4000, awaited: 0), terms) { [:] }
        #expect(findings == ProcessWork.Findings())
    }

    /// Its threads are ordinary ones, so the music goes on until the budget is used up.
    @Test(.timed("computes while it plays in real time"))
    func aUnitWhoseThreadsComputeWithoutEndIsEndedAndComesBackWithoutThem() throws {
        var policy = UnitPolicy()
        policy.workMilliseconds = 500
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, quantum: 1024, policy: policy)
        try stage.start()
        let member = stage.row.members[0]
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
