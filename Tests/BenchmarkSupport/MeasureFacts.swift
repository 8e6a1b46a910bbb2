// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The part of `bulkhead measure --json` that the benchmarks need. Any thread.

/// Chains in process and out of process, and the floor.
///
/// Fields that an older command does not print are nil.
package struct MeasureFacts: Decodable, Sendable {
    /// The times of chains of one length and one block size.
    package struct Row: Decodable, Sendable {
        /// The isolation of the effects.
        package let isolation: String
        package let placement, waiting: String?
        package let effects, frames: Int
        package let p50us, p99us, p999us, maxus: Double
        package let overheadPerEffectUs, ratioToFloor: Double
        /// The chain's time over that of the bare ring with as many processes.
        package let ratioToRing: Double?
        /// The number of single effects' blocks that a fallback replaced, including untimed cycles.
        package let replacedBlocks: Int?
        /// The number of timed cycles in which a unit missed the deadline.
        package let missedDeadlines: Int?

        /// Whether the effects ran in the host's process.
        package var isInProcess: Bool { isolation == "in-process" }
    }

    /// A bare hand-off there and back, or turns of rings with one process for each effect.
    ///
    /// There is one for all rows, or one for each placement.
    package struct Floor: Decodable, Sendable {
        /// The placement of its processes; nil if it holds for all.
        package let placement: String?
        /// The processes of a ring beside the measuring one, and the number of rings; nil for one.
        package let effects, branches: Int?
        package let p50us, p99us, p999us, maxus: Double
    }

    /// The noise of the machine.
    package struct Noise: Decodable, Sendable {
        /// Whether the machine was quiet enough to be trusted.
        package let isTrustworthy: Bool
        /// The share of cycles that missed their deadline, of all rows or of the worst.
        package let missedShare: Double?
    }

    /// The largest share of replaced blocks: these take no time, so beyond it a row has no meaning.
    private static let mostReplaced = 0.01

    /// The scheduling class of the render threads.
    package let scheduling: String
    /// The processor that the threads were bound to, if any.
    package let processor: Int?
    /// The number of timed cycles.
    package let cycles: Int
    /// Microseconds from cycle to cycle; nil without a pause.
    package let periodUs: Int?
    /// The number of such chains side by side; nil for one.
    package let branches: Int?
    /// The machine's noise, if the command printed it.
    package let noise: Noise?
    private let floor: Floor?
    private let floors: [Floor]?
    /// The measured chains.
    package let rows: [Row]

    /// The floor of a placement, or the only one; or the bare rings with as many processes.
    ///
    /// Throws if the figures lack it.
    package func floor(of placement: String, effects: Int = 1, branches: Int = 1) throws(BenchmarkError) -> Floor {
        let all = floors ?? floor.map { [$0] } ?? []
        let found = all.first {
            $0.placement ?? placement == placement && $0.effects ?? 1 == effects && $0.branches ?? 1 == branches
        }
        guard let found else {
            throw BenchmarkError("The figures hold no floor for \(effects) effects placed \(placement).")
        }
        return found
    }

    /// The row with so many effects and frames, in process or out of process.
    ///
    /// Throws if it is missing, or if too many of its blocks were replaced.
    package func row(isInProcess: Bool, effects: Int, frames: Int) throws(BenchmarkError) -> Row {
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

    /// The cost of each effect beyond the first, in microseconds.
    package func furtherEffect(isInProcess: Bool, effects: Int, frames: Int) throws(BenchmarkError) -> Double {
        guard effects > 1 else { throw BenchmarkError("A chain of \(effects) has no further effect.") }
        let all = try row(isInProcess: isInProcess, effects: effects, frames: frames)
        let one = try row(isInProcess: isInProcess, effects: 1, frames: frames)
        return (all.p50us - one.p50us) / Double(effects - 1)
    }
}

/// The facts of `bulkhead measure --startup N --json`.
package struct StartupFacts: Decodable, Sendable {
    /// The number of starts.
    package let starts: Int
    package let p50ms, p99ms, maxms: Double
    package let privateKiB, proportionalKiB: Double
}
