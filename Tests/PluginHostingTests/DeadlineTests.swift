// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults in real time: who is late is covered for, who hangs is ended, and no cycle is missed.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(2))) struct DeadlineTests {
    private func units(_ count: Int, upsideDown index: Int) throws -> [HostedUnit] {
        let units = try (0..<count).map { _ in try Build.unit("Misbehaver") }
        try units[index].set("gain", to: -0.9)
        return units
    }

    /// Cycles may be late on a busy machine without real-time ranks; with them, hardly ever.
    private func expectPunctuality(_ stage: Stage, _ what: String) {
        let statistics = stage.player.statistics
        print(
            "\(what): \(statistics.cycles) cycles, \(statistics.missedDeadlines) of them late, \(stage.driver.status.xruns) xruns,"
                + " the longest took \(statistics.longestNanoseconds / 1000) µs.")
        guard Stage.hasRealtimeRanks else { return }
        // A virtual machine may stand still for a cycle or two, in a run of however few.
        #expect(statistics.missedDeadlines <= max(2, statistics.cycles / 100))
    }

    @Test(arguments: [0, 2, 4], [false, true])
    func aDeadUnitIsAudibleAgainSoonAndNoCycleIsMissed(victim: Int, insideABlock: Bool) throws {
        let units = try units(5, upsideDown: victim)
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start()
        let cyclesBefore = stage.player.statistics.cycles
        let killed = MonotonicClock.now()
        if insideABlock {
            try units[victim].send(MIDIMessage(0xB0, 3, 0))
        } else {
            kill(try #require(units[victim].processIdentifier), SIGKILL)
        }
        let faults = stage.chain.members[victim].faults
        #expect(waitUntil(milliseconds: 5000) { faults.records.first?.recoveredAfterCycles != nil })
        let milliseconds = Double(MonotonicClock.now() - killed) / 1e6
        stage.pause(milliseconds: 50)
        stage.stop()
        let record = try #require(faults.records.first)
        print(
            "Unit \(victim) of 5 audible again after \(record.recoveredAfterCycles ?? 0) cycles, restarted in"
                + " \(record.restartMilliseconds ?? 0) ms, noticed within \(milliseconds) ms.")
        #expect(record.fault == .signalled(signal: SIGKILL))
        #expect(record.cycle >= cyclesBefore)
        #expect((record.restartMilliseconds ?? .infinity) < 1000)
        #expect(Double(record.recoveredAfterCycles ?? .max) * 128 / 48 < 1000)
        #expect(faults.restarts == 1)
        expectPunctuality(stage, "SIGKILL for unit \(victim)")
        let samples = stage.tape.samples
        #expect(samples.count > 1000)
        #expect(largestStep(samples) <= DeathTests.ownStep + 2 * DeathTests.difference / DeathTests.fade + 1e-4)
    }

    @Test func aUnitThatSleepsIsLateAndCoveredForAndReadmitted() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start()
        try units[1].send(MIDIMessage(0xB0, 5, 5))
        let faults = stage.chain.members[1].faults
        #expect(waitUntil(milliseconds: 3000) { faults.records.first?.recoveredAfterCycles != nil })
        stage.pause(milliseconds: 100)
        stage.stop()
        let record = try #require(faults.records.first)
        #expect(record.fault == .late)
        // 50 ms are 18.75 cycles.
        #expect((record.recoveredAfterCycles ?? 0) >= 18 && (record.recoveredAfterCycles ?? .max) < 60)
        #expect(faults.restarts == 0)
        let samples = stage.tape.samples
        #expect(largestStep(samples) <= DeathTests.ownStep + 2 * DeathTests.difference / DeathTests.fade + 1e-4)
        #expect(isDry(samples, frames: 1000), "the dry signal was not heard meanwhile")
        let peak = samples.suffix(1000).map(abs).max() ?? 0
        #expect(abs(peak - 0.45) < 0.01, "the unit was not heard in the end")
        expectPunctuality(stage, "50 ms of sleep")
    }

    /// Whether there is a stretch in which the sine itself was heard, recognised by its peak.
    private func isDry(_ samples: [Float], frames: Int) -> Bool {
        stride(from: 0, to: samples.count - frames, by: frames / 2).contains { start in
            abs((samples[start..<start + frames].max() ?? 0) - 0.5) < 0.005
        }
    }

    @Test func aUnitInAnEndlessLoopIsEndedAndRestarted() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start()
        let process = units[1].processIdentifier
        try units[1].send(MIDIMessage(0xB0, 4, 127))
        let faults = stage.chain.members[1].faults
        #expect(waitUntil(milliseconds: 8000) { faults.restarts == 1 })
        #expect(waitUntil(milliseconds: 2000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        stage.stop()
        #expect(faults.records.map(\.fault.kind) == ["late", "hung"])
        #expect(units[1].processIdentifier != process)
        for index in [0, 2] { #expect(stage.chain.members[index].faults.restarts == 0) }
        expectPunctuality(stage, "an endless loop")
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
        // Whoever keeps its resources is ended.
        #expect(!Census.children.contains(process))
    }

    @Test func aStoppedUnitIsLateUntilItGoesOn() throws {
        let units = try units(3, upsideDown: 1)
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start()
        let process = try #require(units[1].processIdentifier)
        halt(process)
        stage.pause(milliseconds: 300)
        kill(process, SIGCONT)
        let faults = stage.chain.members[1].faults
        #expect(waitUntil(milliseconds: 3000) { faults.records.first?.recoveredAfterCycles != nil })
        stage.stop()
        #expect(faults.records.first?.fault == .late && faults.restarts == 0)
        expectPunctuality(stage, "300 ms stopped")
    }

    /// A signal to stop takes effect some time after it was sent.
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
        // The second unit is stopped while it is rung; then its doorbell is turned back, as a predecessor does
        // that wakes long after its own block.
        let process = try #require(units[1].processIdentifier)
        halt(process)
        _ = bench.render(128, isOffline: false)
        let renderer = bench.chain.members[1].renderer
        let isLate = renderer.pointee.isOutstanding
        #expect(isLate)
        renderer.pointee.doorbell.store(2)
        kill(process, SIGCONT)
        let isBack = waitUntil(milliseconds: 1000) {
            _ = bench.render(128, isOffline: false)
            return !renderer.pointee.isOutstanding
        }
        #expect(isBack)
        #expect(bench.chain.members[1].faults.restarts == 0)
    }

    @Test func automationOfALateUnitGoesOnWhereItStands() throws {
        let unit = try Build.unit("Misbehaver")
        let points = [0, 2560, 2561, 48_000].map { time in
            AutomationLane.Point(sampleTime: time, value: time > 2560 ? 1 : 0)
        }
        let lane = AutomationLane(address: 4, points: points.dropLast() + [.init(sampleTime: 12_800, value: 2)], ramps: true)
        var bench = try Bench(
            [ChainLink(unit, automation: [lane])], input: [[Float](repeating: 1, count: 48_000)], maximumFrameCount: 128)
        _ = bench.render(blocks: [Int](repeating: 128, count: 10))
        halt(try #require(unit.processIdentifier))
        _ = bench.render(blocks: [Int](repeating: 128, count: 30), isOffline: false)
        kill(try #require(unit.processIdentifier), SIGCONT)
        let renderer = bench.chain.members[0].renderer
        let isBack = waitUntil(milliseconds: 2000) { renderer.pointee.isComplete }
        #expect(isBack)
        let output = bench.render(blocks: [Int](repeating: 128, count: 50))[0]
        for frame in stride(from: 2000, to: 6400, by: 100) {
            let expected = lane.value(at: Int64(5120 + frame)) ?? 0
            #expect(abs(Double(output[frame]) - expected) < 0.01, "frame \(frame)")
        }
    }
}
