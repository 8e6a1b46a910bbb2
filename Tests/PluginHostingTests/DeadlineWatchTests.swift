// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The watch over a render thread's deadline, without a unit: whoever waits is woken in time, watched or not. Any thread.

import LinuxSystem
import Testing
import Wire

@testable import PluginHosting

@Suite(.serialized) struct DeadlineWatchTests {
    private static let length: UInt64 = 2_000_000

    /// A word to sleep on, and the watch over it.
    private final class Waiting {
        let memory: SharedMemory
        let doorbell: SharedFutexWord
        let watch: DeadlineWatch

        init() throws {
            memory = try SharedMemory(name: "doorbell", byteCount: 4096)
            doorbell = SharedFutexWord(unsafeAddress: memory.base)
            watch = DeadlineWatch(doorbell: doorbell)
            watch.words.pointee.length.store(length, ordering: .relaxed)
        }

        /// Waits as the render thread does, for nobody; how many nanoseconds past the deadline it returned.
        func overdue(_ length: UInt64 = length) -> Int64 {
            let deadline = MonotonicClock.now() + length
            while true {
                let bell = doorbell.load()
                let now = MonotonicClock.now()
                if now >= deadline { return Int64(now) - Int64(deadline) }
                watch.words.pointee.sleep(at: doorbell, while: bell, until: deadline, now: now)
            }
        }
    }

    @Test func everyWaitEndsAtItsDeadline() throws {
        let waiting = try Waiting()
        let overdue = (0..<200).map { _ in waiting.overdue() }.sorted()
        // Well before the backstop: the watch rang, or the thread's own timer.
        #expect(overdue[100] < 2_000_000, "the median wait was \(overdue[100]) ns overdue")
    }

    @Test func aWatchThatRestsIsCalled() throws {
        let waiting = try Waiting()
        for _ in 0..<5 { _ = waiting.overdue() }
        Futex.pause(microseconds: 60_000)
        let overdue = (0..<20).map { _ in waiting.overdue() }.sorted()
        #expect(overdue[10] < 2_000_000)
        if Stage.hasRealtimeRanks { #expect(waiting.watch.words.pointee.nextLook.load(ordering: .relaxed) != 0) }
    }

    @Test func aShorterDeadlineThanBeforeIsKept() throws {
        let waiting = try Waiting()
        waiting.watch.words.pointee.length.store(20_000_000, ordering: .relaxed)
        _ = waiting.overdue(20_000_000)
        waiting.watch.words.pointee.length.store(500_000, ordering: .relaxed)
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
}
