// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The result of a run of the peer: a chain of PipeWire's own filters, one process each. Any thread.

/// The facts of `PipeWireChain`, as its `--json` prints them.
package struct PeerReport: Codable, Equatable, Sendable {
    /// The process that runs the filters.
    package enum Isolation: String, Codable, Sendable {
        case inProcess = "in-process"
        case individually
    }

    /// Times from the head of a chain to its tail, in microseconds.
    package struct Row: Codable, Equatable, Sendable {
        /// The isolation of the filters.
        package let isolation: Isolation
        /// The number of filters.
        package let effects: Int
        package let p50us, p99us, p999us, maxus: Double
        /// The number of cycles that had not ended when the next one began.
        package let missed: Int
        /// The median minus the in-process median, divided by the number of filters.
        package let overheadPerEffectUs: Double

        /// Summarizes measured times.
        ///
        /// `inProcess` are the times of the same chain in process; nil for that chain itself.
        package init(
            _ isolation: Isolation, effects: Int, _ nanoseconds: [UInt32], missed: Int, inProcess: [UInt32]? = nil
        ) {
            let times = Percentiles(nanoseconds: nanoseconds)
            let inside = inProcess.map { Percentiles(nanoseconds: $0) } ?? times
            (self.isolation, self.effects, self.missed) = (isolation, effects, missed)
            (p50us, p99us, p999us, maxus) = (times.p50us, times.p99us, times.p999us, times.maxus)
            overheadPerEffectUs = (times.p50us - inside.p50us) / Double(max(1, effects))
        }
    }

    /// The placement of the threads, in the words of the command line.
    package let placement: String
    /// The processor of the threads; nil if the kernel placed them.
    package let processor: Int?
    /// The scheduling class of the threads.
    package let scheduling: String
    /// The priorities of the processing threads, in the order of the signal: the filters, the ends of the chain, the daemon.
    package let realtimePriorities: [Int32]
    package let frames, channels, cycles: Int
    /// The version of the PipeWire library.
    package let pipeWireVersion: String
    /// The measured chains.
    package let rows: [Row]

    /// Makes a report; the scheduling class follows from the priorities.
    package init(
        placement: String, processor: Int?, realtimePriorities: [Int32], frames: Int, channels: Int, cycles: Int,
        pipeWireVersion: String, rows: [Row]
    ) {
        self.placement = placement
        self.processor = processor
        scheduling = realtimePriorities.allSatisfy { $0 > 0 } ? "SCHED_FIFO" : "SCHED_OTHER"
        self.realtimePriorities = realtimePriorities
        (self.frames, self.channels, self.cycles) = (frames, channels, cycles)
        self.pipeWireVersion = pipeWireVersion
        self.rows = rows
    }

    /// The largest share of late cycles: a late cycle is timed from its successor's start, which is too short.
    private static let mostMissed = 0.1

    /// The row with so many filters, each in its own process; throws if it is missing or was too slow to be timed.
    package func row(effects: Int) throws(BenchmarkError) -> Row {
        guard let found = rows.first(where: { $0.isolation == .individually && $0.effects == effects }) else {
            throw BenchmarkError("The peer's figures hold no chain of \(effects) filters.")
        }
        let share = Double(found.missed) / Double(max(1, cycles))
        guard share <= Self.mostMissed else {
            throw BenchmarkError("\((share * 100).digits(1)) % of the cycles of \(effects) filters were not over in time")
        }
        return found
    }
}

/// Percentiles of measured times by nearest rank, in microseconds.
package struct Percentiles: Equatable, Sendable {
    package let p50us, p99us, p999us, maxus: Double

    /// Computes the percentiles; all are 0 without measurements.
    package init(nanoseconds: [UInt32]) {
        let sorted = nanoseconds.sorted()
        func percentile(_ share: Double) -> Double {
            guard let last = sorted.indices.last else { return 0 }
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return Double(sorted[min(max(rank - 1, 0), last)]) / 1000
        }
        (p50us, p99us, p999us, maxus) = (percentile(0.5), percentile(0.99), percentile(0.999), percentile(1))
    }
}
