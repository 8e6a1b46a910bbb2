// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units that make the host wait, keep what they should give back, or are asked for the impossible.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("waits for units that are late"), .serialized, .timeLimit(.minutes(1))) struct HostileUnitTests {
    private static let welcome: PluginMessage = {
        let description = UnitDescription(
            ComponentDescription("aufx:fake:test")!, name: "Fake", manufacturerName: "Nobody", version: UnitVersion(1, 0, 0))
        return .welcome(Welcome(version: 1, description: description, parameters: ParameterTree(), factoryPresets: []))
    }()

    @Test func anEndlessStreamOfOldAnswersEndsAtTheTimeLimit() throws {
        let folder = try TemporaryFolder()
        let line = Script.answering(.done).split(separator: "\n")[0]
        let greeting = Script.answering(Self.welcome).split(separator: "\n")[0]
        let component = try folder.component("Fake", script: "\(greeting)\nwhile :; do \(line); done")
        let unit = try HostedUnit(component)
        let connection = unit.state.withLock { $0.connection }
        #expect(throws: PluginFault.unanswered(milliseconds: 300)) {
            try connection.ask(.saveState, descriptors: [], timeoutMilliseconds: 300)
        }
    }

    @Test func aUnitThatReadsNothingDoesNotKeepTheHostWaiting() throws {
        let unit = try Build.unit("Probe")
        let connection = unit.state.withLock { $0.connection }
        halt(try #require(unit.processIdentifier))
        let state = FullState(
            component: unit.component.description, version: UnitVersion(1, 0, 0), values: [:],
            custom: [UInt8](repeating: 1, count: 32_000))
        for _ in 0..<50 {
            #expect(throws: PluginFault.unanswered(milliseconds: 20)) {
                try connection.ask(.restoreState(state), descriptors: [], timeoutMilliseconds: 20)
            }
        }
    }

    /// Resources that it allocated after the host gave up would make it refuse the next request.
    ///
    /// Slow: the host waits for five seconds.
    @Test func aUnitThatAllocatesTooLateCanBeHadAllTheSame() throws {
        let unit = try Build.unit("Probe")
        let process = try #require(unit.processIdentifier)
        halt(process)
        let rescue = try LinuxSystem.Thread(name: "rescue") {
            Futex.pause(microseconds: 5_300_000)
            kill(process, SIGCONT)
        }
        #expect(throws: HostingError.self) { _ = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128) }
        rescue.join()
        var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128)
        _ = bench.render(128)
        // A process that has not answered is ended, and another one takes its place.
        #expect(bench.row.isWhole && unit.processIdentifier != nil)
    }

    /// Runs the real unit the first time, and from then on a program that never sends its greeting.
    ///
    /// Slow: three seconds each time.
    @Test func aUnitThatCannotBeStartedAnewIsLeftAloneAndTheReasonsAreKept() throws {
        let folder = try TemporaryFolder()
        let real = try Build.component("Misbehaver").executablePath
        let script = "[ -e \"$0.again\" ] || { : > \"$0.again\"; exec \"\(real)\"; }\n\(Script.silent)"
        let component = try folder.component("Misbehaver", script: script, fields: ["component": "\"aufx:misb:test\""])
        var policy = UnitPolicy()
        policy.restartBudget = 2
        let link = BenchUnit(try HostedUnit(component))
        let bench = try Bench([link], input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        let member = bench.row.members[0]
        kill(try #require(member.unit.processIdentifier), SIGKILL)
        #expect(waitUntil(milliseconds: 25_000) { member.isQuarantined })
        let kinds = member.faults.records.map(\.fault.kind)
        #expect(kinds == ["signalled"] + [String](repeating: "handshakeTimeout", count: policy.restartBudget))
        #expect(member.faults.restarts == 0)
    }

    /// Each restart takes so long to fail that its window never holds many, and offline rendering waits for it.
    @Test func aUnitThatFailsSlowlyIsNotWaitedForWithoutEnd() throws {
        let folder = try TemporaryFolder()
        let real = try Build.component("Misbehaver").executablePath
        let script = "[ -e \"$0.again\" ] || { : > \"$0.again\"; exec \"\(real)\"; }\nsleep 0.3"
        let component = try folder.component("Misbehaver", script: script, fields: ["component": "\"aufx:misb:test\""])
        var policy = UnitPolicy()
        (policy.offlineAttempts, policy.restartBudget) = (3, 100)
        (policy.restartWindowMilliseconds, policy.firstPauseMilliseconds) = (1000, 0)
        var bench = try Bench(
            [BenchUnit(try HostedUnit(component))], input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        let member = bench.row.members[0]
        kill(try #require(member.unit.processIdentifier), SIGKILL)
        // If the unit is not given up, this thread ends the rendering, and the test has failed.
        let isOver = Atomic<Bool>(false)
        let rescue = try LinuxSystem.Thread(name: "rescue") {
            if !waitUntil(milliseconds: 15_000, { isOver.load(ordering: .relaxed) }) {
                member.sharedState.pointee.isGivenUp.store(true, ordering: .releasing)
            }
        }
        _ = bench.render(128)
        #expect(member.isQuarantined && member.replacedBlockCount == 1)
        isOver.store(true, ordering: .relaxed)
        rescue.join()
        #expect(member.faults.records.count == 1 + policy.failureBudget + 1)
    }

    /// The same holds for a unit that returns each time and hangs: what it does not render does not count as time without faults.
    @Test func aUnitThatHangsAgainAndAgainIsGivenUpHoweverLongThatTakes() throws {
        let unit = try Build.unit("Misbehaver")
        try unit.set("milliseconds", to: -1)
        try unit.set("fault", to: 4)
        var policy = UnitPolicy()
        (policy.offlineAttempts, policy.offlineMilliseconds, policy.hangMilliseconds) = (1, 100, 200)
        (policy.restartBudget, policy.restartWindowMilliseconds, policy.firstPauseMilliseconds) = (3, 300, 0)
        var bench = try Bench([BenchUnit(unit)], input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        _ = bench.render(blocks: [128, 128, 128, 128])
        #expect(bench.row.members[0].isQuarantined && bench.row.members[0].replacedBlockCount == 4)
        #expect(bench.row.members[0].faults.records.count == 4)
    }

    @Test func aUnitKeepsNoMemoryOfAChainThatIsGone() throws {
        let unit = try Build.unit("Probe")
        let process = try #require(unit.processIdentifier)
        func mappings() throws -> Int {
            let text = try #require(FileManager.default.contents(atPath: "/proc/\(process)/maps"))
            return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("memfd:") }.count
        }
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count }
        let before = try descriptors()
        do {
            var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128)
            _ = bench.render(128)
            #expect(try mappings() > 0)
        }
        #expect(try mappings() == 0)
        #expect(try descriptors() == before)
    }

    @Test func beingLateForHoursDoesNotHideADeath() {
        let log = FaultLog()
        for cycle in 0..<UInt64(2 * FaultLog.capacity) { log.append(.late, cycle: cycle, sampleTime: 0) }
        log.append(.signalled(signal: SIGSEGV), cycle: 5000, sampleTime: 0)
        #expect(log.records.last?.fault == .signalled(signal: SIGSEGV))
        #expect(log.records.count == FaultLog.capacity + 1)
    }

    @Test(arguments: [
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 128, channelCount: 1, slotCount: 1),
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 128, channelCount: 1, slotCount: 3),
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 128, channelCount: 65),
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 128, channelCount: -1),
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 0, channelCount: 1),
        BlockFormat(sampleRate: 48_000, maximumFrameCount: 65_537, channelCount: 1),
        BlockFormat(sampleRate: .nan, maximumFrameCount: 128, channelCount: 1),
    ])
    func aChainBeyondTheLimitsIsRefused(format: BlockFormat) throws {
        let unit = try Build.unit("Probe", inProcess: true)
        let error = #expect(throws: HostingError.self) { try UnitResources(unit, format: format) }
        // A rate that is NaN does not even equal itself.
        #expect("\(try #require(error))" == "\(format.refusal)")
    }

    @Test func automationThatFindsTheRingFullComesInTheNextBlock() throws {
        let unit = try Build.unit("Misbehaver")
        let lane = AutomationLane(address: 4, points: [.init(sampleTime: 64, value: -1)], ramps: false)
        var bench = try Bench(
            [BenchUnit(unit, automation: [lane])], input: [[Float](repeating: 1, count: 4096)], maximumFrameCount: 128)
        for _ in 0..<UnitRings.eventCapacity { try unit.set("milliseconds", to: 7) }
        let output = bench.render(blocks: [128, 128, 128])[0]
        #expect(output[0] == 1 && output[383] == -1)
    }

    @Test func whatIsSetWhileNothingPlaysIsHeardHoweverOftenItChanges() throws {
        let unit = try Build.unit("Misbehaver")
        var bench = try Bench([unit], input: [[Float](repeating: 1, count: 48_000)], maximumFrameCount: 128, isLooping: true)
        for step in 0..<6000 { try unit.set("gain", to: Double(step) / 6000) }
        try unit.set("gain", to: -1)
        let isHeard = waitUntil(milliseconds: 3000) { bench.render(128)[0][127] == -1 }
        #expect(isHeard)
        #expect(try unit.saveState().values["gain"] == -1)
    }
}
