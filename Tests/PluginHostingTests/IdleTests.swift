// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// While nothing plays no thread wakes up, and faults are still noticed.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import Rendering
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("counts wake-ups while nothing plays"), .serialized, .timeLimit(.minutes(2))) struct IdleTests {
    /// The names of the host's threads that serve rows.
    private static let hostThreads: Set<String> = ["supervisor", "state poller", "deadline watch"]
    /// Milliseconds after which all threads rest.
    private static let settling = 1800

    /// How often the threads of this row, the host's and its units', have gone to sleep so far.
    private func sleeps(of row: UnitRow) -> Int {
        let processes = Set(row.members.compactMap(\.unit.processIdentifier))
        return processes.reduce(sleeps(ofProcess: getpid()) { Self.hostThreads.contains($0) }) {
            $0 + sleeps(ofProcess: $1) { _ in true }
        }
    }

    private func sleeps(ofProcess process: Int32, where isMeant: (String) -> Bool) -> Int {
        Scheduling.threads(ofProcess: process).reduce(0) { sum, thread in
            let name = ((try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/comm", encoding: .utf8)) ?? "").dropLast()
            guard isMeant(String(name)), let counts = (try? ThreadCounter(thread: thread, of: process))?.counts else { return sum }
            return sum + counts.voluntarySwitches
        }
    }

    private func stage(_ names: String...) throws -> Stage {
        let stage = try Stage(try names.map { try Build.unit($0) }, input: DeathTests.sine)
        try stage.start()
        return stage
    }

    private func stop(_ stage: Stage) {
        stage.stop()
        stage.pause(milliseconds: Self.settling)
    }

    @Test func nobodyWakesUpWhileNothingIsPlayed() throws {
        let stage = try stage("Misbehaver", "Gain", "Misbehaver")
        let before = sleeps(of: stage.row)
        stage.pause(milliseconds: 200)
        // Every thread does, in each cycle.
        #expect(sleeps(of: stage.row) - before > 75)
        stop(stage)
        let resting = sleeps(of: stage.row)
        stage.pause(milliseconds: 2500)
        #expect(sleeps(of: stage.row) == resting)
    }

    @Test func aChainThatWasNeverPlayedRestsToo() throws {
        let stage = try Stage([try Build.unit("Gain")], input: DeathTests.sine)
        stage.pause(milliseconds: Self.settling)
        let resting = sleeps(of: stage.row)
        stage.pause(milliseconds: 2500)
        #expect(sleeps(of: stage.row) == resting)
    }

    @Test func aUnitThatDiesMeanwhileIsBackAtOnce() throws {
        let stage = try stage("Misbehaver", "Misbehaver")
        stop(stage)
        let member = stage.row.members[1]
        // On a busy machine it may have been late while the stage played.
        let earlier = member.faults.records.count
        kill(try #require(member.unit.processIdentifier), SIGKILL)
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 1 && member.isPresent })
        #expect(member.faults.records.dropFirst(earlier).map(\.fault) == [.signalled(signal: SIGKILL)])
    }

    // The supervisor comes to rest four times, two seconds each.
    @Test func whoFailsInTheFirstCycleAfterwardsIsFoundOut() throws {
        let stage = try stage("Misbehaver")
        stop(stage)
        let member = stage.row.members[0]
        for round in 1...3 {
            try member.unit.send(MIDIMessage(0xB0, 3, 0))
            try stage.driver.start(stage.player.callback)
            #expect(waitUntil(milliseconds: 2000) { member.faults.restarts == round && member.isPresent })
            stop(stage)
        }
    }

    /// It takes a snapshot a second after a change, and a successor starts with that.
    ///
    /// Slow: rest is watched for five seconds.
    @Test func aStateThatIsChangedMeanwhileIsKept() throws {
        let stage = try stage("Probe")
        stop(stage)
        let unit = stage.row.members[0].unit
        let before = unit.journal.revision
        unit.journal.touch()
        // The change and the snapshot count one each.
        #expect(waitUntil(milliseconds: 3000) { !unit.journal.isDirty && unit.journal.revision == before + 2 })
        stage.pause(milliseconds: Self.settling)
        let resting = sleeps(of: stage.row)
        stage.pause(milliseconds: 1500)
        #expect(sleeps(of: stage.row) == resting)
    }

    @Test func whoIsWantedBackFromQuarantineIsBroughtBack() throws {
        var policy = UnitPolicy()
        policy.restartBudget = 1
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, policy: policy)
        try stage.start()
        let member = stage.row.members[0]
        let isQuarantined = waitUntil(milliseconds: 5000) {
            if member.isPresent, let process = member.unit.processIdentifier { kill(process, SIGKILL) }
            return member.isQuarantined
        }
        #expect(isQuarantined)
        stop(stage)
        let resting = sleeps(of: stage.row)
        stage.pause(milliseconds: 1500)
        #expect(sleeps(of: stage.row) == resting)
        member.readmit()
        #expect(waitUntil(milliseconds: 1000) { member.isPresent })
    }

    /// Its work is not sampled while nothing plays, and it is ended anyway.
    @Test func whoWorksWhileNothingIsPlayedIsFoundOut() throws {
        var policy = UnitPolicy()
        policy.workMilliseconds = 300
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, policy: policy)
        try stage.start()
        let member = stage.row.members[0]
        // Threads that never sleep, and that are kept from running until the sampling has stopped.
        try member.unit.send(MIDIMessage(0xB0, 18, 0))
        stage.pause(milliseconds: 30)
        let process = try #require(member.unit.processIdentifier)
        stage.stop()
        kill(process, SIGSTOP)
        stage.pause(milliseconds: Self.settling)
        #expect(member.faults.records.allSatisfy { $0.fault.isPassing })
        kill(process, SIGCONT)
        #expect(waitUntil(milliseconds: 10_000) { member.faults.records.contains { $0.fault == .outOfProcessorTime } })
    }
}

@Suite(.timed("measures processor time"), .timeLimit(.minutes(1))) struct ProcessorTimeAlarmTests {
    /// A process that sleeps for a while and then works.
    @Test func whoWorksWakesWhoSleepsAndWhoSleepsDoesNot() throws {
        var alarm = try ProcessorTimeAlarm()
        for (script, wakes) in [("sleep 3", false), ("while :; do :; done", true)] {
            var process = pid_t()
            let arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map { (word: String) in strdup(word) } + [nil]
            defer { arguments.forEach { free($0) } }
            #expect(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0)
            defer {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
            let isSet = alarm.set([process], nanoseconds: 50_000_000)
            #expect(isSet)
            var polled = pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&polled, 1, 1500) == (wakes ? 1 : 0), "\(script)")
            alarm.clear()
            #expect(poll(&polled, 1, 0) == 0)
        }
        let isSet = alarm.set([1 << 22], nanoseconds: 1_000_000)
        #expect(!isSet)
    }
}
