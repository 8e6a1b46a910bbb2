// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs all probes in turn, in small batches, on a thread of its own at its own rank and place. Measuring thread.

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
    private let granted = Mutex(Result<SchedulingClass, SystemError>.success(.ordinary))

    /// All series have `batchCount` batches.
    init(_ series: [Series], batchCount: Int) {
        self.series = series
        self.batchCount = batchCount
    }

    var progress: Double { Double(doneBatches.load(ordering: .relaxed)) / Double(max(1, batchCount)) }
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }
    func stop() { mustStop.store(true, ordering: .relaxed) }

    /// The rank that the thread was given; throws why it could not take its place.
    func rank() throws(SystemError) -> SchedulingClass { try granted.withLock { $0 }.get() }

    /// The body of the thread.
    func run(at place: MeasuringPlace) {
        defer { isOver.store(true, ordering: .releasing) }
        let taken = Result { () throws(SystemError) in try place.take() }
        granted.withLock { $0 = taken }
        guard case .success = taken else { return }
        for _ in 0..<Self.warmUpRounds { round(0) }
        for one in series { one.forgetCounts() }
        for batch in 0..<batchCount where !mustStop.load(ordering: .relaxed) {
            round(batch)
            doneBatches.store(batch + 1, ordering: .relaxed)
        }
    }

    /// One batch of each series, and then a rest, so that the kernel has no reason to take the processor from
    /// a real-time thread that never sleeps.
    private func round(_ batch: Int) {
        let started = MonotonicClock.now()
        for one in series where !mustStop.load(ordering: .relaxed) {
            one.measure(batch: batch, settlingCount: Self.settlingCount)
        }
        let now = MonotonicClock.now()
        MonotonicClock.sleep(until: now + (now - started) / 8)
    }
}
