// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One figure over the rounds of a run. Any thread.

/// The values of one figure, one a round; at least one.
package struct Rounds: Equatable, Sendable {
    /// The values in the order of the rounds.
    package let values: [Double]

    /// Makes the rounds; nil without values, or if one is not finite.
    package init?(_ values: [Double]) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        self.values = values
    }

    /// The lowest value.
    package var lowest: Double { values.min() ?? 0 }
    /// The highest value.
    package var highest: Double { values.max() ?? 0 }

    /// The middle value, or the mean of the two in the middle.
    package var median: Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// The target of a figure.
package enum Limit: Equatable, Sendable {
    case atMost(Double)
    case atLeast(Double)

    /// Whether a value meets the target.
    package func isMet(by value: Double) -> Bool {
        switch self {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }
}

/// A row of the table of targets: the target, and the result.
package struct Target: Equatable, Sendable {
    /// The figure's name.
    package let name: String
    /// The unit that follows each number.
    package let unit: String
    /// The target.
    package let limit: Limit
    /// The figure over the rounds, or the reason why there is none.
    package let found: Result<Rounds, BenchmarkError>
    /// The rounds of the run; fewer may have given a figure.
    package let roundCount: Int

    /// Makes a row.
    package init(
        _ name: String, _ unit: String, _ limit: Limit, _ found: Result<Rounds, BenchmarkError>, ofRounds roundCount: Int
    ) {
        (self.name, self.unit, self.limit, self.found, self.roundCount) = (name, unit, limit, found, roundCount)
    }

    /// Whether the median meets the target; nil without measurements.
    package var isMet: Bool? { (try? found.get()).map { limit.isMet(by: $0.median) } }

    /// The cells of its row: the name, the target, the median, the range, and whether the target is met.
    package var cells: [String] {
        switch found {
        case .failure(let reason): [name, wanted, "–", "–", "not measured: \(reason)"]
        case .success(let rounds):
            [
                name, wanted, number(rounds.median), "\(number(rounds.lowest)) … \(number(rounds.highest))",
                verdict(rounds) + gaps(rounds),
            ]
        }
    }

    private var wanted: String {
        switch limit {
        case .atMost(let limit): "at most \(number(limit))"
        case .atLeast(let limit): "at least \(number(limit))"
        }
    }

    private func verdict(_ rounds: Rounds) -> String {
        let met = rounds.values.count { limit.isMet(by: $0) }
        guard met > 0, met < rounds.values.count else { return met > 0 ? "met" : "**missed**" }
        let count = "in \(met) of \(rounds.values.count) rounds"
        return limit.isMet(by: rounds.median) ? "met, \(count)" : "**missed**; met \(count)"
    }

    private func gaps(_ rounds: Rounds) -> String {
        let count = rounds.values.count
        return count == roundCount ? "" : "; figures from \(count) of \(roundCount) rounds"
    }

    private func number(_ value: Double) -> String { "\(value.digits(2)) \(unit)" }
}
