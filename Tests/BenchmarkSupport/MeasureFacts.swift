// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `bulkhead measure --json` printed, as far as the benchmarks need it. Any thread.

/// Chains in process and out of process, and the floor. What an older command does not tell of is nil.
public struct MeasureFacts: Decodable, Sendable {
    public struct Row: Decodable, Sendable {
        public let isolation: String
        public let placement, waiting: String?
        public let effects, frames: Int
        public let p50us, p99us, p999us, maxus: Double
        public let overheadPerEffectUs, ratioToFloor: Double
        /// Over the bare ring of as many processes.
        public let ratioToRing: Double?
        /// Blocks of single effects that something else stood in for, cycles that are not timed included.
        public let replacedBlocks: Int?
        /// Timed cycles in which somebody had not answered when the time was up.
        public let missedDeadlines: Int?

        public var isInProcess: Bool { isolation == "in-process" }
    }

    /// A bare hand-off there and back, or round rings of as many processes as a chain has effects; one for all rows, or one for each
    /// placement.
    public struct Floor: Decodable, Sendable {
        public let placement: String?
        /// Processes of a ring beside the measuring one, and rings; nil for one.
        public let effects, branches: Int?
        public let p50us, p99us, p999us, maxus: Double
    }

    public struct Noise: Decodable, Sendable {
        public let isTrustworthy: Bool
        /// The share of cycles that ended at their deadline, of all rows or of the worst.
        public let missedShare: Double?
    }

    /// A block that nobody has rendered takes next to no time: where there are more of them than this, a row says nothing.
    private static let mostReplaced = 0.01

    public let scheduling: String
    public let processor: Int?
    public let cycles: Int
    public let periodUs: Int?
    /// Such chains side by side; nil for one.
    public let branches: Int?
    public let noise: Noise?
    private let floor: Floor?
    private let floors: [Floor]?
    public let rows: [Row]

    /// The floor of a placement, or the only one; or the bare rings of as many processes.
    public func floor(of placement: String, effects: Int = 1, branches: Int = 1) throws(BenchmarkError) -> Floor {
        let all = floors ?? floor.map { [$0] } ?? []
        let found = all.first {
            $0.placement ?? placement == placement && $0.effects ?? 1 == effects && $0.branches ?? 1 == branches
        }
        guard let found else {
            throw BenchmarkError("The figures hold no floor for \(effects) effects placed \(placement).")
        }
        return found
    }

    /// The row of so many effects and frames, in process or out of it; throws for one whose effects were passed over.
    public func row(isInProcess: Bool, effects: Int, frames: Int) throws(BenchmarkError) -> Row {
        let found = rows.first { $0.isInProcess == isInProcess && $0.effects == effects && $0.frames == frames }
        guard let found else {
            let place = isInProcess ? "in process" : "out of process"
            throw BenchmarkError("The figures hold no row for \(effects) effects \(place) at \(frames) frames.")
        }
        let share = replacedShare(of: found)
        guard share <= Self.mostReplaced else {
            throw BenchmarkError(
                "in \((share * 100).digits(1)) % of the cycles of \(effects) effects at \(frames) frames nobody had answered in time"
            )
        }
        return found
    }

    private func replacedShare(of row: Row) -> Double {
        if row.isInProcess { return 0 }
        if let blocks = row.replacedBlocks {
            return min(1, Double(blocks) / Double(max(1, cycles * row.effects * (branches ?? 1))))
        }
        return noise?.missedShare ?? 0
    }

    /// What each effect beyond the first adds to its chain, in microseconds.
    public func furtherEffect(isInProcess: Bool, effects: Int, frames: Int) throws(BenchmarkError) -> Double {
        guard effects > 1 else { throw BenchmarkError("A chain of \(effects) has no further effect.") }
        let all = try row(isInProcess: isInProcess, effects: effects, frames: frames)
        let one = try row(isInProcess: isInProcess, effects: 1, frames: frames)
        return (all.p50us - one.p50us) / Double(effects - 1)
    }
}

/// What `bulkhead measure --startup N --json` printed.
public struct StartupFacts: Decodable, Sendable {
    public let starts: Int
    public let p50ms, p99ms, maxms: Double
    public let privateKiB, proportionalKiB: Double
}
