// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs all probes in turn, in small batches, on a thread of its own at its own rank and place. Measuring thread.

import Glibc
import LinuxSystem
import Synchronization

/// The thread that measures. The series are interleaved, so that whatever drifts drifts for all of them.
final class MeasuringThread: Sendable {
    private static let settlingCount = 10
    private static let warmUpRounds = 4
    private let series: [Series]
    private let batchCount: Int
    private let doneBatches = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let mustStop = Atomic<Bool>(false)
    private let outcome = Mutex<Result<Outcome, SystemError>?>(nil)

    /// What a run comes to beside the series.
    struct Outcome {
        /// The rank that the thread was given.
        let rank: SchedulingClass
        /// Why system calls were not counted.
        var omission: String?
    }

    /// All series have `batchCount` batches.
    init(_ series: [Series], batchCount: Int) {
        self.series = series
        self.batchCount = batchCount
    }

    var progress: Double { Double(doneBatches.load(ordering: .relaxed)) / Double(max(1, batchCount)) }
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }
    func stop() { mustStop.store(true, ordering: .relaxed) }

    /// Once the thread has ended; throws why it could not take its place.
    func result() throws -> Outcome {
        guard let outcome = try outcome.withLock({ $0 })?.get() else { throw CommandError.failed("Couldn't measure.") }
        return outcome
    }

    /// The body of the thread.
    func run(at place: MeasuringPlace) {
        defer { isOver.store(true, ordering: .releasing) }
        let result = Result { () throws(SystemError) in
            let rank = try place.take()
            let own = try ThreadCounter(thread: Scheduling.currentThread, of: getpid())
            for _ in 0..<Self.warmUpRounds { round(0, own) }
            for one in series { one.forgetCounts() }
            for batch in 0..<batchCount where !mustStop.load(ordering: .relaxed) {
                round(batch, own)
                doneBatches.store(batch + 1, ordering: .relaxed)
            }
            return Outcome(rank: rank, omission: countSystemCalls())
        }
        outcome.withLock { $0 = result }
    }

    /// After everything else, since the kernel looks at every call of the whole machine meanwhile; why it was not done, or nil.
    private func countSystemCalls() -> String? {
        do throws(SystemError) {
            let tracepoint = try SystemCallCounter.tracepoint()
            let own = try SystemCallCounter(thread: Scheduling.currentThread, tracepoint: tracepoint)
            for one in series where !one.isFloor && !mustStop.load(ordering: .relaxed) {
                try one.countSystemCalls(settlingCount: Self.settlingCount, own: own, tracepoint: tracepoint)
            }
            return nil
        } catch {
            return error.description
        }
    }

    /// One batch of each series, and then a rest, so that the kernel has no reason to take the processor from
    /// a real-time thread that never sleeps.
    private func round(_ batch: Int, _ own: ThreadCounter) {
        let started = MonotonicClock.now()
        for one in series where !mustStop.load(ordering: .relaxed) {
            one.measure(batch: batch, settlingCount: Self.settlingCount, own: own)
        }
        let now = MonotonicClock.now()
        MonotonicClock.sleep(until: now + (now - started) / 8)
    }
}
