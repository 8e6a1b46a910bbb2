// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The position of a value on a slider, and the steps of keys. Any thread.

import Glibc

extension ScreenParameter {
    /// True if it has only two values, off and on.
    package var isSwitch: Bool { choices.count == 2 }
    /// True if it is a choice from a list.
    package var isList: Bool { choices.count > 2 }

    /// The position of the value between the lowest and the highest, from 0 to 1.
    package var share: Double { share(of: value) }

    private var isGeometric: Bool { isLogarithmic && minimum > 0 && maximum > minimum }

    private func share(of value: Double) -> Double {
        guard maximum > minimum, value.isFinite else { return 0 }
        let share =
            isGeometric ? log(max(minimum, value) / minimum) / log(maximum / minimum) : (value - minimum) / (maximum - minimum)
        return max(0, min(1, share))
    }

    /// The value at a share of the range.
    package func value(atShare share: Double) -> Double {
        let share = max(0, min(1, share))
        if !choices.isEmpty { return (minimum + share * (maximum - minimum)).rounded() }
        // The ends are exact.
        if share == 0 { return minimum }
        if share == 1 { return maximum }
        return rounded(isGeometric ? minimum * pow(maximum / minimum, share) : minimum + share * (maximum - minimum))
    }

    /// The value after a step in thousandths of the range; in a list, the next value.
    package func value(movedBy thousandths: Int) -> Double {
        guard choices.isEmpty else { return max(minimum, min(maximum, value + (thousandths < 0 ? -1 : 1))) }
        return value(atShare: share + Double(thousandths) / 1000)
    }

    /// Rounds a value to the precision of a slider, so that it is easy to read.
    private func rounded(_ value: Double) -> Double {
        let span = isGeometric ? abs(value) : maximum - minimum
        guard span > 0, value.isFinite else { return value }
        let scale = pow(10, 3 - floor(log10(span)))
        return (value * scale).rounded() / scale
    }
}
