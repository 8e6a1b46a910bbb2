// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An axis of a plot: the positions of values, and its labels. Any thread.

import Glibc

/// An axis from `low` to `high`; a logarithmic axis begins above 0.
package struct PlotAxis: Sendable {
    /// The values at its ends.
    package let low, high: Double
    /// True if equal ratios have equal distances.
    package let isLogarithmic: Bool

    /// Makes an axis from one value to a larger one.
    package init(low: Double, high: Double, isLogarithmic: Bool) {
        (self.low, self.high, self.isLogarithmic) = (low, high, isLogarithmic)
    }

    /// Makes an axis that holds all `values`, with some room; a linear axis begins at 0, or below.
    package init(holding values: [Double], isLogarithmic: Bool) {
        let finite = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
        let (least, most) = (finite.min() ?? 1, finite.max() ?? 10)
        self.isLogarithmic = isLogarithmic
        if isLogarithmic {
            (low, high) = (least * 0.9, max(most * 1.1, least * 1.5))
        } else {
            let room = max(most, 0) - min(least, 0)
            (low, high) = (least < 0 ? least - room * 0.05 : 0, max(most, 0) + (room > 0 ? room * 0.08 : 1))
        }
    }

    /// The position of a value, from 0 to 1; values beyond an end get the position of that end.
    package func position(_ value: Double) -> Double {
        let share =
            isLogarithmic ? log(max(value, low) / low) / log(high / low) : (value - low) / (high - low)
        return min(1, max(0, share))
    }

    /// Round values for labels, at most `most`, or one for each power of ten.
    package func ticks(atMost most: Int) -> [Double] { isLogarithmic ? logarithmicTicks(most) : linearTicks(most) }

    private func linearTicks(_ most: Int) -> [Double] {
        let rough = (high - low) / Double(max(1, most))
        let power = pow(10, floor(log10(rough)))
        let step = ([1, 2, 5, 10].first { $0 * power >= rough } ?? 10) * power
        return stride(from: (low / step).rounded(.up), through: (high / step).rounded(.down), by: 1).map { $0 * step }
    }

    private func logarithmicTicks(_ most: Int) -> [Double] {
        let powers = Int(floor(log10(low)))...Int(ceil(log10(high)))
        for mantissas in [[1.0, 1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]] {
            let ticks = powers.flatMap { power in mantissas.map { $0 * pow(10, Double(power)) } }.filter { low <= $0 && $0 <= high }
            if ticks.count <= most { return ticks }
        }
        return powers.map { pow(10, Double($0)) }.filter { low <= $0 && $0 <= high }
    }

    /// A tick's value without meaningless digits.
    package static func label(_ value: Double) -> String {
        let rounded = (value * 1e6).rounded() / 1e6
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}
