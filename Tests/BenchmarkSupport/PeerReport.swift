// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a run of the peer found: a chain of PipeWire's own filters, one process each. Any thread.

/// The facts of `PipeWireChain`, as its `--json` prints them.
public struct PeerReport: Codable, Equatable, Sendable {
    /// From the head of the chain to its tail, in microseconds. The shortest chain, of no filter at all, comes first.
    public struct Row: Codable, Equatable, Sendable {
        public let effects: Int
        public let p50us, p99us, p999us, maxus: Double
        /// Cycles that were not over when the next one began.
        public let missed: Int
        /// The median without that of the chain of no filter, divided by the filters; 0 for that one.
        public let overheadPerEffectUs: Double

        public init(effects: Int, nanoseconds: [UInt32], missed: Int, empty: [UInt32]) {
            let (times, emptyTimes) = (Percentiles(nanoseconds: nanoseconds), Percentiles(nanoseconds: empty))
            self.effects = effects
            (p50us, p99us, p999us, maxus) = (times.p50us, times.p99us, times.p999us, times.maxus)
            self.missed = missed
            overheadPerEffectUs = effects == 0 ? 0 : (times.p50us - emptyTimes.p50us) / Double(effects)
        }
    }

    public let placement: String
    /// Null when the kernel placed the threads.
    public let processor: Int?
    public let scheduling: String
    /// Of the threads that process, in the order of the signal: the filters, the ends of the chain, the daemon.
    public let realtimePriorities: [Int32]
    public let frames, channels, cycles: Int
    public let pipeWireVersion: String
    public let rows: [Row]

    public init(
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
}

/// What is told of measured times: nearest ranks, in microseconds.
public struct Percentiles: Equatable, Sendable {
    public let p50us, p99us, p999us, maxus: Double

    /// All are 0 when nothing was measured.
    public init(nanoseconds: [UInt32]) {
        let sorted = nanoseconds.sorted()
        func percentile(_ share: Double) -> Double {
            guard let last = sorted.indices.last else { return 0 }
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return Double(sorted[min(max(rank - 1, 0), last)]) / 1000
        }
        (p50us, p99us, p999us, maxus) = (percentile(0.5), percentile(0.99), percentile(0.999), percentile(1))
    }
}
