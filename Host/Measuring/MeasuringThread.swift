// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs all probes in turn, in small batches, on a thread with its own priority and placement. Measuring thread.

import Glibc
import LinuxSystem
import Synchronization

/// The thread that measures.
///
/// The series are interleaved, so that drift affects all of them alike.
final class MeasuringThread: Sendable {
    private static let settlingCount = 10
    private static let warmUpRounds = 4
    private let series: [Series]
    private let batchCount: Int
    private let doneBatches = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let mustStop = Atomic<Bool>(false)
    private let outcome = Mutex<Result<Outcome, SystemError>?>(nil)

    /// The results of a run beside the series.
    struct Outcome {
        /// The priority of the thread.
        let rank: SchedulingClass
        /// The reason why system calls were not counted.
        var omission: String?
    }

    /// Makes the thread; all series have `batchCount` batches.
    init(_ series: [Series], batchCount: Int) {
        self.series = series
        self.batchCount = batchCount
    }

    var progress: Double { Double(doneBatches.load(ordering: .relaxed)) / Double(max(1, batchCount)) }
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }
    func stop() { mustStop.store(true, ordering: .relaxed) }

    /// The outcome, once the thread has ended; throws the reason if it could not be placed.
    func result() throws -> Outcome {
        guard let outcome = try outcome.withLock({ $0 })?.get() else { throw MeasurementError.noResult }
        return outcome
    }

    /// The body of the thread.
    func run(at placement: MeasuringPlacement) {
        defer { isOver.store(true, ordering: .releasing) }
        let result = Result { () throws(SystemError) in
            let rank = try placement.take()
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

    /// Counts system calls at the very end, because the kernel then traces every call of the machine.
    ///
    /// Returns the reason if it was not done, otherwise nil.
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

    /// Runs one batch of each series, and then rests: the kernel throttles a real-time thread that never sleeps.
    private func round(_ batch: Int, _ own: ThreadCounter) {
        let started = MonotonicClock.now()
        for one in series where !mustStop.load(ordering: .relaxed) {
            one.measure(batch: batch, settlingCount: Self.settlingCount, own: own)
        }
        let now = MonotonicClock.now()
        MonotonicClock.sleep(until: now + (now - started) / 8)
    }
}
