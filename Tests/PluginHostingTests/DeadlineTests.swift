// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults in real time: a late unit gets its fallback, a hung one is ended, and no cycle is missed.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import Realtime
import Rendering
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct DeadlineTests {
    private func units(_ count: Int, upsideDown index: Int) throws -> [HostedUnit] {
        let units = try (0..<count).map { _ in try Build.unit("Misbehaver") }
        try units[index].set("gain", to: -0.9)
        return units
    }

    @Test(arguments: [0, 2, 4], [false, true])
    func aDeadUnitIsAudibleAgainSoonAndNoCycleIsMissed(victim: Int, insideABlock: Bool) throws {
        let units = try units(5, upsideDown: victim)
        let stage = try Stage(units, input: DeathTests.sine)
        let punctuality = try Punctuality(of: stage.player)
        try stage.start()
        let cyclesBefore = stage.player.statistics.cycles
        let killed = MonotonicClock.now()
        if insideABlock {
            try units[victim].send(MIDIMessage(0xB0, 3, 0))
        } else {
            kill(try #require(units[victim].processIdentifier), SIGKILL)
        }
        let faults = stage.row.members[victim].faults
        let isDeath = { (record: FaultRecord) in record.fault == .signalled(signal: SIGKILL) }
        #expect(waitUntil(milliseconds: 5000) { faults.records.first(where: isDeath)?.recoveredAfterCycles != nil })
        let milliseconds = Double(MonotonicClock.now() - killed) / 1e6
        stage.pause(milliseconds: 50)
        stage.stop()
        let record = try #require(faults.records.first(where: isDeath))
        print(
            "Unit \(victim) of 5 audible again after \(record.recoveredAfterCycles ?? 0) cycles, restarted in"
                + " \(record.restartMilliseconds ?? 0) ms, noticed within \(milliseconds) ms.")
        #expect(record.cycle >= cyclesBefore)
        #expect((record.restartMilliseconds ?? .infinity) < 1000)
        #expect(Double(record.recoveredAfterCycles ?? .max) * 128 / 48 < 1000)
        #expect(faults.restarts == 1)
        punctuality.expect("SIGKILL for unit \(victim)")
        let samples = stage.tape.samples
        #expect(samples.count > 1000)
        #expect(largestStep(samples) <= DeathTests.ownStep + DeathTests.transitionStep)
    }

    @Test func aUnitThatSleepsIsLateAndCoveredForAndReadmitted() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        let punctuality = try Punctuality(of: stage.player)
        try stage.start()
        try units[1].send(MIDIMessage(0xB0, 5, 5))
        let faults = stage.row.members[1].faults
        // 50 ms are 18.75 cycles.
        let isTheSleep = { (record: FaultRecord) in record.fault == .late && 18..<60 ~= record.recoveredAfterCycles ?? 0 }
        #expect(waitUntil(milliseconds: 3000) { faults.records.contains(where: isTheSleep) })
        stage.pause(milliseconds: 100)
        stage.stop()
        #expect(faults.restarts == 0)
        let samples = stage.tape.samples
        #expect(largestStep(samples) <= DeathTests.ownStep + DeathTests.transitionStep)
        #expect(isHeard(0.5, in: samples, frames: 1000), "the dry signal was not heard meanwhile")
        // On a busy machine it may be late once more.
        #expect(isHeard(0.45, in: samples.suffix(4000), frames: 1000), "the unit was not heard in the end")
        punctuality.expect("50 ms of sleep")
    }

    /// Whether a sine is heard for a while, recognised by its peak: 0.5 is the dry signal, 0.45 the unit's.
    private func isHeard(_ peak: Float, in samples: some RandomAccessCollection<Float>, frames: Int) -> Bool {
        let samples = Array(samples)
        return stride(from: 0, through: samples.count - frames, by: frames / 2).contains { start in
            abs((samples[start..<start + frames].max() ?? 0) - peak) < 0.005
        }
    }

    @Test func aUnitInAnEndlessLoopIsEndedAndRestarted() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        let punctuality = try Punctuality(of: stage.player)
        try stage.start()
        let process = units[1].processIdentifier
        try units[1].send(MIDIMessage(0xB0, 4, 127))
        let faults = stage.row.members[1].faults
        #expect(waitUntil(milliseconds: 8000) { faults.restarts == 1 })
        #expect(waitUntil(milliseconds: 2000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        stage.stop()
        // On a busy machine it may be late before and after that.
        let kinds = faults.records.map(\.fault.kind)
        #expect(kinds.first == "late" && kinds.filter { $0 != "late" } == ["hung"])
        #expect(units[1].processIdentifier != process)
        for index in [0, 2] { #expect(stage.row.members[index].faults.restarts == 0) }
        punctuality.expect("an endless loop")
    }

    @Test func aChainWithAHungUnitIsGoneInBoundedTime() throws {
        let unit = try Build.unit("Misbehaver")
        let process = try #require(unit.processIdentifier)
        let started = MonotonicClock.now()
        do {
            var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128)
            try unit.send(MIDIMessage(0xB0, 4, 127))
            _ = bench.render(128, isOffline: false)
        }
        #expect(MonotonicClock.now() - started < 3_000_000_000)
        // A unit that keeps its resources is ended.
        #expect(!Census.children.contains(process))
    }

    @Test func aStoppedUnitIsLateUntilItGoesOn() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        let punctuality = try Punctuality(of: stage.player)
        try stage.start()
        let process = try #require(units[1].processIdentifier)
        halt(process)
        stage.pause(milliseconds: 300)
        kill(process, SIGCONT)
        let faults = stage.row.members[1].faults
        #expect(waitUntil(milliseconds: 3000) { faults.records.first?.recoveredAfterCycles != nil })
        stage.stop()
        // A busy machine may make it late as well.
        #expect(faults.records.map(\.fault).filter { $0 != .late } == [.stopped] && faults.restarts == 0)
        punctuality.expect("300 ms stopped")
    }

    /// A stop signal takes effect some time after it is sent.
    private func isStopped(_ process: pid_t) -> Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return !tasks.isEmpty
            && tasks.allSatisfy { task in
                let stat = FileManager.default.contents(atPath: "/proc/\(process)/task/\(task)/stat") ?? Data()
                return String(decoding: stat, as: UTF8.self).contains(") T ")
            }
    }

    @Test func aRingThatALatePredecessorOverwroteIsRepeated() throws {
        let units = try units(2, upsideDown: 1)
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128)
        _ = bench.render(blocks: [Int](repeating: 128, count: 8))
        // The second unit is stopped while it is rung. Then the test turns its doorbell back, as a predecessor does that wakes
        // long after its own block.
        let process = try #require(units[1].processIdentifier)
        halt(process)
        _ = bench.render(128, isOffline: false)
        let renderer = bench.row.members[1].renderer
        let isLate = renderer.pointee.isOutstanding
        #expect(isLate)
        renderer.pointee.doorbell.store(2)
        kill(process, SIGCONT)
        let isBack = waitUntil(milliseconds: 1000) {
            _ = bench.render(128, isOffline: false)
            return !renderer.pointee.isOutstanding
        }
        #expect(isBack)
        #expect(bench.row.members[1].faults.restarts == 0)
    }

    @Test func aLateUnitWithALatencyIsHeardOnceItsOldSoundIsOut() throws {
        let unit = try Build.unit("Probe")
        try unit.set("latency", to: 100)
        let input = (0..<240_000).map { 0.5 * Float(sin(Double($0) * 0.02)) }
        var bench = try Bench([unit], input: [input], maximumFrameCount: 128)
        var heard = bench.render(blocks: [Int](repeating: 128, count: 10))[0]
        let process = try #require(unit.processIdentifier)
        // Several times, so that the sound stops at different levels.
        for round in 0..<6 {
            halt(process)
            heard += bench.render(blocks: [Int](repeating: 128, count: 7 + round), isOffline: false)[0]
            kill(process, SIGCONT)
            let renderer = bench.row.members[0].renderer
            let isBack = waitUntil(milliseconds: 2000) {
                heard += bench.render(128, isOffline: false)[0]
                return !renderer.pointee.isOutstanding
            }
            #expect(isBack)
            // A second gap follows the first one at once.
            if round % 2 == 1 {
                heard += bench.render(128, isOffline: false, slowdown: 1000)[0]
                halt(process)
                heard += bench.render(blocks: [Int](repeating: 128, count: 4), isOffline: false)[0]
                kill(process, SIGCONT)
                let isBackAgain = waitUntil(milliseconds: 2000) {
                    heard += bench.render(128, isOffline: false)[0]
                    return !renderer.pointee.isOutstanding
                }
                #expect(isBackAgain)
            }
            for _ in 0..<20 { heard += bench.render(128, isOffline: false, slowdown: 1000)[0] }
        }
        let steps = zip(heard.dropFirst(200), heard.dropFirst(201)).map { abs($0 - $1) }
        #expect((steps.max() ?? 1) < 0.01 + 2 * Crossfade.largestStep)
    }

    @Test func automationOfALateUnitGoesOnWhereItStands() throws {
        let unit = try Build.unit("Misbehaver")
        let points = [0, 2560, 2561, 48_000].map { time in
            AutomationLane.Point(sampleTime: time, value: time > 2560 ? 1 : 0)
        }
        let lane = AutomationLane(address: 4, points: points.dropLast() + [.init(sampleTime: 12_800, value: 2)], ramps: true)
        var bench = try Bench(
            [BenchUnit(unit, automation: [lane])], input: [[Float](repeating: 1, count: 48_000)], maximumFrameCount: 128)
        _ = bench.render(blocks: [Int](repeating: 128, count: 10))
        halt(try #require(unit.processIdentifier))
        _ = bench.render(blocks: [Int](repeating: 128, count: 30), isOffline: false)
        kill(try #require(unit.processIdentifier), SIGCONT)
        let renderer = bench.row.members[0].renderer
        let isBack = waitUntil(milliseconds: 2000) { renderer.pointee.isComplete }
        #expect(isBack)
        let output = bench.render(blocks: [Int](repeating: 128, count: 50))[0]
        for frame in stride(from: 2000, to: 6400, by: 100) {
            let expected = lane.value(at: Int64(5120 + frame)) ?? 0
            #expect(abs(Double(output[frame]) - expected) < 0.01, "frame \(frame)")
        }
    }

    @Test func aUnitThatAnswersAfterPlayingStoppedIsNotTakenForHung() throws {
        let unit = try Build.unit("Misbehaver")
        let process = try #require(unit.processIdentifier)
        var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128)
        try unit.send(MIDIMessage(0xB0, 5, 5))
        _ = bench.render(128, isOffline: false)
        // No cycle reads its reply.
        Futex.pause(microseconds: UInt32(UnitPolicy().hangMilliseconds + 300) * 1000)
        let faults = bench.row.members[0].faults
        #expect(Set(faults.records.map(\.fault)) == [.late] && faults.restarts == 0)
        #expect(unit.processIdentifier == process)
        let output = bench.render(blocks: [128, 128], isOffline: true)
        #expect(output[0].count == 256 && faults.records.first?.recoveredAfterCycles != nil || bench.row.isWhole)
    }

    /// The test stops the first unit, lets it reply and kills it between its reply and its ring.
    @Test func aUnitWhosePredecessorDiedBeforeItRangIsRungByTheHost() throws {
        let units = try units(2, upsideDown: 1)
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128)
        _ = bench.render(blocks: [Int](repeating: 128, count: 4))
        let process = try #require(units[0].processIdentifier)
        halt(process)
        let region = bench.row.members[0].renderer.pointee.region
        let killer = try LinuxSystem.Thread(name: "killer") {
            Futex.pause(microseconds: 200_000)
            var reply = WireReply()
            reply.sequence = 5
            reply.outputFrameCount = 128
            region.reply(5).pointee = reply
            region.completedSequence.store(5)
            kill(process, SIGKILL)
        }
        let started = MonotonicClock.now()
        _ = bench.render(128, isOffline: true)
        let milliseconds = Double(MonotonicClock.now() - started) / 1e6
        killer.join()
        #expect(milliseconds < 2000)
        #expect(bench.row.members[1].faults.records.isEmpty && bench.row.missedDeadlineCount == 0)
    }

    /// The second unit sleeps for a second.
    ///
    /// The host waits for the given share of the cycle and not longer.
    @Test(arguments: [0.3, 0.9]) func theHostWaitsForTheStatedShareOfTheCycle(share: Double) throws {
        let units = try units(3, upsideDown: 1)
        var policy = UnitPolicy()
        policy.deadlineShare = share
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 8192, isLooping: true, policy: policy)
        _ = bench.render(8192, isOffline: false)
        try units[1].send(MIDIMessage(0xB0, 5, 100))
        let started = MonotonicClock.now()
        _ = bench.render(8192, isOffline: false)
        let waited = Double(MonotonicClock.now() - started) / 1e9 / (8192.0 / 48_000)
        // The first deadline lies at five sixths of the share. The third unit replies at once after it.
        #expect(waited > share * 5 / 6 - 0.001 && waited < share + 0.1, "waited for \(waited) of the cycle")
        #expect(bench.row.missedDeadlineCount == 1)
    }

    /// A tenth of 64 frames at 48 kHz is 0.13 ms, and 0.2 ms are more than half of 16 frames.
    @Test(arguments: [(64, 0.9, 1_133_333), (16, 0.9, 250_000), (64, 0.5, 666_666), (1024, 0.9, 19_200_000)])
    func ofAShortCycleMoreIsLeft(frameCount: Int, share: Double, nanoseconds: UInt64) {
        let buffer = AudioBuffer(channelCount: 1, frameCapacity: frameCount)
        let block = buffer.block(frameCount: frameCount)
        let cycle = RenderCycle(
            sampleTime: 0, hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: false, inputs: block, outputs: block)
        var policy = UnitPolicy()
        policy.deadlineShare = share
        var deadline = CycleDeadline(cycle, started: 1_000_000, policy)
        #expect(deadline.length == UInt64(Double(nanoseconds) * 5 / 6))
        deadline.extend()
        #expect(deadline.time == 1_000_000 + nanoseconds)
    }

    /// The second run begins after the deadline of the first, which is not the fault of the second.
    @Test func nobodyIsToBlameForTheTimeThatAnotherRunTook() throws {
        let units = [try Build.unit("Misbehaver"), try Build.unit("Gain", inProcess: true), try Build.unit("Misbehaver")]
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 1024, isLooping: true)
        _ = bench.render(1024, isOffline: false)
        try units[0].send(MIDIMessage(0xB0, 5, 10))
        try units[2].send(MIDIMessage(0xB0, 5, 10))
        _ = bench.render(1024, isOffline: false)
        Futex.pause(microseconds: 200_000)
        #expect(bench.row.members[0].faults.records.map(\.fault) == [.late])
        #expect(bench.row.members[2].faults.records.isEmpty && bench.row.missedDeadlineCount == 1)
    }

    @Test(arguments: Fallback.allCases) func whatWasChosenIsHeardInThePlaceOfAUnit(fallback: Fallback) throws {
        let unit = try Build.unit("Misbehaver")
        try unit.set("gain", to: -0.9)
        var bench = try Bench(
            [BenchUnit(unit, fallback: fallback)], input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        var output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        halt(try #require(unit.processIdentifier))
        output += bench.render(blocks: [Int](repeating: 128, count: 60), isOffline: false)[0]
        #expect(largestStep(output) <= DeathTests.ownStep + DeathTests.transitionStep)
        for frame in (output.count - 1280)..<output.count {
            #expect(abs(output[frame] - (fallback == .dry ? DeathTests.sine[frame % 48_000] : 0)) < 1e-6)
        }
        // The echo is the last block backwards. Dry sound and silence fade in from the unit's last sample.
        let echo = (0..<128).map { output[20 * 128 - 1 - $0] }
        let isEcho = zip(echo, output[20 * 128..<21 * 128]).allSatisfy { abs($0 - $1) < 0.05 }
        #expect(isEcho == (fallback == .last))
        kill(try #require(unit.processIdentifier), SIGCONT)
    }

    @Test func aCycleWithoutFramesMakesNobodyLate() throws {
        var bench = try Bench(try units(2, upsideDown: 1), input: [DeathTests.sine], maximumFrameCount: 128)
        for _ in 0..<20 { _ = bench.render(0, isOffline: false) }
        let output = bench.render(128)[0]
        #expect(bench.row.missedDeadlineCount == 0)
        for frame in 1..<128 { #expect(abs(output[frame] - DeathTests.sine[frame] * -0.9) < 1e-6) }
    }
}
