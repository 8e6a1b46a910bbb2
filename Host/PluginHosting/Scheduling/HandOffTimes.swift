// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The times of hand-offs on one processor and between two, and the placement that they suggest. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// The median times of a hand-off there and back between two threads, in microseconds.
package struct HandOffTimes: Codable, Hashable, Sendable {
    /// The times on one processor, between two processors with sleeping threads, and between two with spinning threads.
    package var together, apart, spinning: Double

    /// The fastest placement for the units of a row, which take turns.
    package var placement: UnitPlacement { apart < together ? .spread : .together }

    /// Takes times in microseconds.
    package init(together: Double, apart: Double, spinning: Double) {
        (self.together, self.apart, self.spinning) = (together, apart, spinning)
    }

    /// Measures for some tens of milliseconds.
    ///
    /// Returns nil if this process has only one processor, or if its threads cannot be bound.
    package static func measured() -> HandOffTimes? {
        let processors = Scheduling.ownProcessors.sorted()
        guard let own = processors.last, let other = processors.first, own != other else { return nil }
        let together = HandOffMeasurement(processors: (own, own), spins: false)
        let apart = HandOffMeasurement(processors: (own, other), spins: false)
        let spinning = HandOffMeasurement(processors: (own, other), spins: true)
        var times: [[UInt64]] = [[], [], []]
        // In turn, so that the machine's other work affects all of them.
        for _ in 0..<4 {
            for (index, measurement) in [together, apart, spinning].enumerated() {
                guard let some = measurement.run() else { return nil }
                times[index] += some
            }
        }
        let medians = times.map { Double($0.sorted()[$0.count / 2]) / 1000 }
        return HandOffTimes(together: medians[0], apart: medians[1], spinning: medians[2])
    }
}

/// Measures some hand-offs between two new threads.
private struct HandOffMeasurement {
    private static let count: UInt32 = 200
    private static let settlingCount = 50
    /// The nanoseconds after which the measurement gives up.
    private static let patience: UInt64 = 500_000_000
    private static let rank = SchedulingClass(realtimePriority: 60)

    let processors: (own: Int, other: Int)
    let spins: Bool

    /// The nanoseconds of each hand-off; nil if the threads did not get their processors, or took too long.
    func run() -> [UInt64]? {
        let sharedState = HandOffSharedState(spins: spins, until: MonotonicClock.now() + Self.patience)
        let times = TimesBox()
        let other = processors.other
        let answering = try? LinuxSystem.Thread(name: "hand-off") {
            try? Scheduling.setProcessors([other], ofThread: 0)
            try? Scheduling.set(Self.rank, ofThread: 0)
            for number in 1...Self.count {
                guard sharedState.wait(for: number, at: sharedState.request) else { return }
                sharedState.hand(number, to: sharedState.reply)
            }
        }
        let own = processors.own
        let asking = try? LinuxSystem.Thread(name: "hand-off") {
            guard (try? Scheduling.setProcessors([own], ofThread: 0)) != nil else { return sharedState.giveUp() }
            // The waiting thread outranks the thread for which it waits.
            try? Scheduling.set(SchedulingClass(realtimePriority: Self.rank.realtimePriority + 1), ofThread: 0)
            for number in 1...Self.count {
                let before = MonotonicClock.now()
                sharedState.hand(number, to: sharedState.request)
                guard sharedState.wait(for: number, at: sharedState.reply) else { return }
                times.values.append(MonotonicClock.now() - before)
            }
        }
        if asking == nil || answering == nil { sharedState.giveUp() }
        asking?.join()
        answering?.join()
        guard times.values.count == Int(Self.count) else { return nil }
        return Array(times.values.dropFirst(Self.settlingCount))
    }

    private final class TimesBox: @unchecked Sendable {
        // SAFETY: one thread writes, and the reader has joined it.
        var values: [UInt64] = []
    }
}
