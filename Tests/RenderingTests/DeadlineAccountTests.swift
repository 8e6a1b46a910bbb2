// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which cycles count as missed, and which of them are the machine's fault. Test thread.

import LinuxSystem
import Realtime
import RenderingTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Rendering

/// Writes nothing, and takes its time.
private final class Dawdler: RenderNode {
    // SAFETY: written once, before anything is rendered.
    nonisolated(unsafe) let renderContext: UnsafeMutableRawPointer

    init(microseconds: UInt32) {
        let length = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        length.initialize(to: microseconds)
        renderContext = UnsafeMutableRawPointer(length)
    }

    deinit { renderContext.deallocate() }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let end = MonotonicClock.now() &+ UInt64(context.load(as: UInt32.self)) &* 1000
            while MonotonicClock.now() < end {}
            call.load(as: NodeCall.self).output.silence()
        }
    }
}

@Suite(.timed("counts late cycles")) struct DeadlineAccountTests {
    private let player = PlanPlayer()

    private func play(lasting microseconds: UInt32) {
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let signal = builder.add(source: Dawdler(microseconds: microseconds))
        player.play(builder.plan(output: signal))
    }

    /// Renders a cycle of 64 frames; at 64 kHz it lasts a millisecond.
    private func render(sampleRate: Double = 64_000, isOffline: Bool = false, lateBy nanoseconds: UInt64 = 0) {
        let silence = AudioBuffer(channelCount: 0, frameCapacity: 64)
        let output = AudioBuffer(channelCount: 1, frameCapacity: 64)
        player.render(
            RenderCycle(
                sampleTime: 0, hostTime: MonotonicClock.now() - nanoseconds, sampleRate: sampleRate, transport: Transport(),
                isOffline: isOffline,
                inputs: silence.block(frameCount: 64), outputs: output.block(frameCount: 64)))
    }

    @Test func aCycleThatTakesLongerThanItLastsIsAMissedDeadline() throws {
        play(lasting: 1500)
        render(sampleRate: 1)
        render(isOffline: true)
        #expect(player.statistics.missedDeadlines == 0 && player.takeMissedCycles().isEmpty)
        let before = MonotonicClock.now()
        render()
        #expect(player.statistics.missedDeadlines == 1 && player.statistics.cycles == 3)
        let miss = try #require(player.takeMissedCycles().first)
        #expect(miss.length == 1_000_000 && miss.start >= before && miss.end - miss.start >= 1_500_000)
        #expect(player.takeMissedCycles().isEmpty)
    }

    @Test func ofMoreThanFindRoomTheFirstAreRemembered() {
        play(lasting: 2)
        for _ in 0..<300 { render(sampleRate: 1e9) }
        #expect(player.statistics.missedDeadlines == 300)
        #expect(player.takeMissedCycles().count == 256)
        render(sampleRate: 1e9)
        #expect(player.takeMissedCycles().count == 1)
    }

    @Test func withoutAWatchEveryMissIsTheHosts() {
        play(lasting: 1500)
        render()
        var account = DeadlineAccount(of: player, watches: [])
        #expect(account.count == 0)
        render()
        account.settle()
        #expect(account.count == 1 && account.ownCount == 1 && account.stalledCount == 0)
    }

    /// The host's own misses among cycles of 1200 µs, in microseconds long before the watch began, so that none is explained.
    private func own(_ cycles: [(start: UInt64, end: UInt64)]) throws -> UInt64 {
        let watch = try StallWatch(processor: nil)
        defer { watch.stop() }
        var misses: [MissedCycle] = []
        var account = DeadlineAccount(watches: [watch], total: { UInt64(misses.count) }, take: { misses })
        misses = cycles.map { MissedCycle(start: $0.start * 1000, end: $0.end * 1000, length: 1_200_000) }
        account.settle()
        return account.ownCount
    }

    @Test func whoIsAskedForTwoCyclesInTheTimeOfOneNeedNotBeInTime() throws {
        #expect(try own([(1, 701), (701, 1967)]) == 0, "the first came early")
        #expect(try own([(1, 1334), (1334, 2667)]) == 2)
        #expect(try own([(1, 701), (2035, 3368)]) == 1, "the second came by itself")
    }

    @Test func whatAStallBetweenTwoLooksWouldExplainIsLaidToAMachineThatIsSeenToStandStill() throws {
        let explained: [(UInt64, UInt64)] = (1...4).map { ($0 * 10_000, $0 * 10_000 + 1000) }
        #expect(try own(explained + [(50_000, 51_400)]) == 0)
        #expect(try own(explained + [(50_000, 51_550)]) == 1, "no look would have missed so long a stall")
        #expect(try own(explained + [(50_000, 51_400), (60_000, 61_400)]) == 2, "it can't have been unseen so often")
        #expect(try own(explained.dropLast() + [(50_000, 51_400)]) == 1)
    }

    @Test func whatBeginsLateIsLateForTheDriverAlone() {
        play(lasting: 2)
        let plan = DeadlineAccount(of: player, watches: [])
        let driver = DeadlineAccount(of: player, .ofDriver, watches: [])
        render()
        #expect(plan.count == 0 && driver.count == 0)
        render(lateBy: 2_000_000)
        #expect(plan.count == 0 && driver.count == 1)
    }

    /// A node that notes its cycle's `renderStart`, the time from which the cycle's length counts.
    private final class Starter: RenderNode {
        // SAFETY: one word, which the test reads after each cycle on the same thread.
        nonisolated(unsafe) let renderContext = UnsafeMutableRawPointer(UnsafeMutablePointer<UInt64>.allocate(capacity: 1))
        deinit { renderContext.deallocate() }
        var start: UInt64 { renderContext.load(as: UInt64.self) }
        var renderFunction: Function {
            { context, call in
                guard let context, let call else { return }
                context.storeBytes(of: call.load(as: NodeCall.self).cycle.pointee.renderStart, as: UInt64.self)
            }
        }
    }

    @Test func aCycleCountsFromWhenTheDriverBeganItAndKeepsThreeQuartersOfItsLength() {
        let node = Starter()
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let signal = builder.add(source: node)
        player.play(builder.plan(output: signal))
        let before = MonotonicClock.now()
        render(lateBy: 100_000)
        // The driver began before `before` only by the time that it was late.
        #expect(node.start >= before - 100_000 && node.start + 100_000 <= MonotonicClock.now())
        let late = MonotonicClock.now()
        render(lateBy: 5_000_000)
        #expect(node.start >= late - 250_000 && node.start + 250_000 <= MonotonicClock.now())
    }

    private static let mayHaveRank: Bool = {
        Scheduling.raiseRealtimeLimits()
        let before = Scheduling.schedulingClass(ofThread: 0) ?? .ordinary
        defer { try? Scheduling.set(before, ofThread: 0) }
        return (try? Scheduling.set(SchedulingClass(realtimePriority: 99), ofThread: 0)) != nil
    }()

    /// A thread of the watch's own rank that keeps its processor looks to the watch like a machine that stands still.
    @Test(.enabled(if: mayHaveRank, "this user may not have real-time ranks")) func whatTheMachineHeldUpIsNotTheHosts() throws {
        let watch = try StallWatch(processor: 0)
        defer { watch.stop() }
        Futex.pause(microseconds: 20_000)
        let stall = Mutex<ClosedRange<UInt64>?>(nil)
        let holdUp = try LinuxSystem.Thread(name: "hold-up") {
            try? Scheduling.setProcessors([0], ofThread: 0)
            try? Scheduling.set(SchedulingClass(realtimePriority: 99), ofThread: 0)
            let start = MonotonicClock.now()
            while MonotonicClock.now() < start + 8_000_000 {}
            stall.withLock { $0 = start...MonotonicClock.now() }
        }
        holdUp.join()
        Futex.pause(microseconds: 5000)
        let (start, end) = try #require(stall.withLock { $0.map { ($0.lowerBound, $0.upperBound) } })
        #expect(watch.unexplained(of: MissedCycle(start: start, end: end, length: 1_000_000)) == 0)
        // As long, but not explained: the stall came later, or was shorter.
        let before = start - 12_000_000
        #expect(watch.unexplained(of: MissedCycle(start: before, end: start - 4_000_000, length: 1_000_000)) > 0)
        #expect(watch.unexplained(of: MissedCycle(start: before, end: end, length: 1_000_000)) > 0)
        #expect((watch.summary?.longestMilliseconds ?? 0) > 7)
    }

    /// One cycle is late because a thread of the watch's rank has the processor; the next ones only because the first one was.
    @Test(.enabled(if: mayHaveRank, "this user may not have real-time ranks")) func whatFollowsUponAStalledCycleIsNotTheHosts()
        throws
    {
        let watch = try StallWatch(processor: 0)
        defer { watch.stop() }
        var account = DeadlineAccount(of: player, .ofDriver, watches: [watch])
        var alone = DeadlineAccount(of: player, .ofDriver, watches: [])
        play(lasting: 100)
        Futex.pause(microseconds: 20_000)
        let holdUp = try LinuxSystem.Thread(name: "hold-up") {
            try? Scheduling.setProcessors([0], ofThread: 0)
            try? Scheduling.set(SchedulingClass(realtimePriority: 99), ofThread: 0)
            let end = MonotonicClock.now() + 8_000_000
            while MonotonicClock.now() < end {}
        }
        holdUp.join()
        // The cycles that were due meanwhile, a millisecond each, one after the other and the first eight milliseconds late.
        for late in stride(from: 8, through: 4, by: -1) { render(lateBy: UInt64(late) * 1_000_000) }
        Futex.pause(microseconds: 5000)
        account.settle()
        #expect(account.count == 5 && account.ownCount == 0)
        // As late, and nothing held it up.
        Futex.pause(microseconds: 30_000)
        render(lateBy: 8_000_000)
        account.settle()
        alone.settle()
        #expect(account.ownCount == 1)
    }
}
