// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The deadline watch relies on this: a thread of low rank with a lock is not preempted by one of middle rank while one of high
// rank waits.

import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timed("uses real-time ranks"), .serialized) struct RankInheritanceTests {
    private static let processor = Scheduling.processors(ofThread: 0).max() ?? 0

    private final class Progress: Sendable {
        let lock = Mutex(())
        let isHeld = Atomic<Bool>(false)
        let waited = Atomic<UInt64>(0)
    }

    /// Starts a thread on the processor that all of them share.
    private func start(_ rank: Int32, _ body: @escaping @Sendable () -> Void) throws -> LinuxSystem.Thread {
        try LinuxSystem.Thread(name: "rank \(rank)") {
            try? Scheduling.setProcessors([Self.processor], ofThread: 0)
            try? Scheduling.set(SchedulingClass(realtimePriority: rank), ofThread: 0)
            body()
        }
    }

    private static func work(milliseconds: UInt64) {
        let end = MonotonicClock.now() + milliseconds * 1_000_000
        while MonotonicClock.now() < end {}
    }

    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks"))
    func whoHoldsAMutexRunsAtTheRankOfWhoWaitsForIt() throws {
        let progress = Progress()
        let low = try start(10) {
            progress.lock.withLock { _ in
                progress.isHeld.store(true, ordering: .releasing)
                Self.work(milliseconds: 20)
            }
        }
        while !progress.isHeld.load(ordering: .acquiring) { Futex.pause(microseconds: 100) }
        // From a higher rank, so that it is not kept from starting the other.
        let starter = try start(20) {
            let middle = try? start(11) { Self.work(milliseconds: 300) }
            let high = try? start(12) {
                let began = MonotonicClock.now()
                progress.lock.withLock { _ in }
                progress.waited.store(MonotonicClock.now() - began, ordering: .releasing)
            }
            middle?.join()
            high?.join()
        }
        starter.join()
        low.join()
        let milliseconds = Double(progress.waited.load(ordering: .acquiring)) / 1e6
        #expect(milliseconds > 0 && milliseconds < 150)
    }
}
