// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The watch over a render thread's deadline, without a unit: a waiting thread is woken in time, watched or not. Any thread.

import AudioUnits
import HostingTestSupport
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("measures when the watch looks"), .serialized) struct DeadlineWatchTests {
    private static let length: UInt64 = 2_000_000

    /// A futex word to sleep on, as in a row without units, and the watch over it.
    private final class Waiting: @unchecked Sendable {
        // SAFETY: each member is used by one thread; the watch reads atomics only.
        let memory: SharedMemory
        let doorbell: SharedFutexWord
        let watch: DeadlineWatch
        let sharedState: UnsafeMutablePointer<DeadlineSharedState>

        init(_ watch: DeadlineWatch = DeadlineWatch()) throws {
            memory = try SharedMemory(name: "doorbell", byteCount: 4096)
            doorbell = SharedFutexWord(unsafeAddress: memory.base)
            self.watch = watch
            sharedState = .allocate(capacity: 1)
            sharedState.initialize(to: DeadlineSharedState(watch: watch.sharedState))
            watch.lookAfter(WatchedRow(sharedState: sharedState, doorbell: doorbell, units: [], wakeUp: try EventDescriptor()))
        }

        deinit {
            watch.leaveAlone(sharedState)
            sharedState.deinitialize(count: 1)
            sharedState.deallocate()
        }

        /// Waits as the render thread does, without a ring, and returns how many nanoseconds past the deadline that ended.
        func overdue(_ length: UInt64 = length) -> Int64 {
            let deadline = MonotonicClock.now() + length
            while true {
                let bell = doorbell.load()
                let now = MonotonicClock.now()
                if now >= deadline { return Int64(now) - Int64(deadline) }
                sharedState.pointee.sleep(at: doorbell, while: bell, until: deadline, now: now)
            }
        }
    }

    @Test func everyWaitEndsAtItsDeadline() throws {
        let waiting = try Waiting()
        let overdue = (0..<200).map { _ in waiting.overdue() }.sorted()
        // Far below the time after which the watch would count as failed: the watch rang, or the thread's own timer.
        #expect(overdue[100] < 2_000_000, "the median wait was \(overdue[100]) ns overdue")
    }

    @Test func aWatchThatRestsIsCalled() throws {
        let waiting = try Waiting()
        for _ in 0..<5 { _ = waiting.overdue() }
        Futex.pause(microseconds: 60_000)
        let overdue = (0..<20).map { _ in waiting.overdue() }.sorted()
        #expect(overdue[10] < 2_000_000)
        if Stage.hasRealtimeRanks { #expect(waiting.watch.sharedState.pointee.nextLook.load(ordering: .relaxed) != 0) }
    }

    @Test func aShorterDeadlineThanBeforeIsKept() throws {
        let waiting = try Waiting()
        _ = waiting.overdue(20_000_000)
        let overdue = (0..<50).map { _ in waiting.overdue(500_000) }.sorted()
        #expect(overdue[25] < 2_000_000, "the median wait was \(overdue[25]) ns overdue")
    }

    @Test func aWatchGoesAtOnceWhateverItDoes() throws {
        let began = MonotonicClock.now()
        for pause: UInt32 in [0, 100, 5_000, 60_000] {
            let waiting = try Waiting()
            if pause > 0 { _ = waiting.overdue() }
            Futex.pause(microseconds: pause)
        }
        #expect(MonotonicClock.now() - began < 2_000_000_000)
    }

    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func aWatchThatHasLostItsRankAsksForItAnew() throws {
        let waiting = try Waiting()
        _ = waiting.overdue()
        let sharedState = waiting.watch.sharedState
        func isOnDuty() -> Bool { sharedState.pointee.isOnDuty.load(ordering: .acquiring) }
        #expect(waitUntil(milliseconds: 1000) { isOnDuty() })
        let thread = sharedState.pointee.thread.load(ordering: .relaxed)
        try Scheduling.set(.ordinary, ofThread: thread)
        let overdue = (0..<20).map { _ in waiting.overdue() }.sorted()
        #expect(overdue[10] < 2_000_000)
        #expect(waitUntil(milliseconds: 1000) { Scheduling.schedulingClass(ofThread: thread) != .ordinary })
        #expect(isOnDuty())
    }

    /// The test holds the watch's lock, and a unit sleeps through its deadline at a quarter of 171 ms.
    ///
    /// The supervisor notices, even if it was at rest before while another chain played. Slow, because it takes 2.5 seconds until the
    /// supervisor rests.
    @Test(arguments: [false, true]) func whatTheWatchForgetsTheSupervisorNotices(hasRested: Bool) throws {
        var policy = UnitPolicy()
        policy.deadlineShare = 0.3
        // Until one wait shows that it relied on the watch: the supervisor may look just after the deadline, one time in four.
        var milliseconds: [Double] = []
        while milliseconds.count < 2 || milliseconds.count < 10 && !milliseconds.contains(where: { $0 > 43 + 9 }) {
            Futex.pause(microseconds: UInt32.random(in: 0..<40_000))
            let unit = try Build.unit("Misbehaver")
            var bench = try Bench(
                [BenchUnit(unit)], input: [DeathTests.sine], maximumFrameCount: 8192, isLooping: true, policy: policy)
            var other = try Bench(
                [BenchUnit(try Build.unit("Misbehaver"))], input: [DeathTests.sine], maximumFrameCount: 8192, isLooping: true,
                policy: policy)
            for _ in 0..<3 { _ = bench.render(8192, isOffline: false) }
            try unit.send(MIDIMessage(0xB0, 5, 100))
            if hasRested { Futex.pause(microseconds: 2_500_000) }
            for _ in 0..<3 { _ = other.render(8192, isOffline: false) }
            DeadlineWatch.shared.rows.list.withLock { _ in
                let started = MonotonicClock.now()
                _ = bench.render(8192, isOffline: false)
                milliseconds.append(Double(MonotonicClock.now() - started) / 1e6)
            }
        }
        print("Without the watch a deadline after 43 ms was noticed after \(milliseconds) ms.")
        #expect(milliseconds.allSatisfy { $0 > 40 && $0 < 43 + 10 + 20 + 50 })
        #expect(
            !Stage.hasRealtimeRanks || milliseconds.contains { $0 > 43 + 9 },
            "no wait relied on the watch, and nothing has been tried")
    }

    /// Cycles at a steady pace, each over long before its deadline.
    ///
    /// The watch looks once for each, after its end, and hardly a wait goes unwatched.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func atAPaceTheWatchLooksOnceACycleWhenItIsOver() throws {
        let waiting = try Waiting()
        let sharedState = waiting.watch.sharedState
        let (period, length, work, count): (UInt64, UInt64, UInt64, UInt64) = (3_000_000, 2_000_000, 300_000, 60)
        // A busy machine is late now and then. A watch that does not know the pace fails in every round.
        let rounds = (0..<5).map { _ in
            var (interrupted, unwatched) = (0, 0)
            var begin = MonotonicClock.now()
            var looksBefore: UInt64 = 0
            for cycle in 0..<(count + 10) {
                // The watch learns the pace first.
                if cycle == 10 {
                    (interrupted, unwatched, looksBefore) = (0, 0, sharedState.pointee.lookCount.load(ordering: .relaxed))
                }
                begin += period
                MonotonicClock.sleep(until: begin)
                let now = MonotonicClock.now()
                let look = sharedState.pointee.nextLook.load(ordering: .relaxed)
                if look <= now || look > begin + length { unwatched += 1 }
                let looks = sharedState.pointee.lookCount.load(ordering: .relaxed)
                // Rung at once, and then busy for a while, as the units would be.
                let stale = waiting.doorbell.load() &+ 1
                waiting.sharedState.pointee.sleep(at: waiting.doorbell, while: stale, until: begin + length, now: now)
                while MonotonicClock.now() < begin + work {}
                if sharedState.pointee.lookCount.load(ordering: .relaxed) != looks { interrupted += 1 }
            }
            let looks = sharedState.pointee.lookCount.load(ordering: .relaxed) - looksBefore
            return (looks: looks, interrupted: interrupted, unwatched: unwatched)
        }
        #expect(
            rounds.contains { $0.looks <= count + 6 && $0.interrupted <= 6 && $0.unwatched <= 6 },
            "looks, cycles interrupted, and waits without the watch, of \(count) cycles: \(rounds)")
    }

    /// It keeps a short deadline although it also serves another chain, with longer ones.
    @Test func oneWatchServesAllChainsOfAProcess() throws {
        #expect(try Waiting(.shared).watch !== Waiting().watch)
        let watch = DeadlineWatch.shared
        #expect(DeadlineWatch.shared === watch)
        let overdue = Mutex<[Int64]>([])
        let threads = try [1_000_000, 7_000_000].map { (length: UInt64) in
            let waiting = try Waiting(watch)
            return try LinuxSystem.Thread(name: "waits") {
                let times = (0..<40).map { _ in waiting.overdue(length) }.sorted()
                overdue.withLock { $0.append(times[20]) }
            }
        }
        threads.forEach { $0.join() }
        #expect(
            overdue.withLock { $0.allSatisfy { $0 < 2_000_000 } }, "the median waits were \(overdue.withLock { $0 }) ns overdue")
    }
}
