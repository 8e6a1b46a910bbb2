// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts positions of a knob to values of a parameter, and back. Any thread.

import Glibc

/// The curve from positions to values.
package enum MappingCurve: String, Codable, CaseIterable, Sendable {
    /// Equal distances are equal differences.
    case linear
    /// Equal distances are equal ratios.
    case logarithmic
    /// One end in the lower half, the other one in the upper half; for keys, while they are held.
    case onOff = "switch"
    /// From one end to the other at each press.
    case toggle

    /// True if every position has a value of its own.
    var isContinuous: Bool { self == .linear || self == .logarithmic }
}

/// The values that a mapping reaches.
package struct MappedRange: Hashable, Sendable {
    /// The value at the lowest position.
    package let minimum: Double
    /// The value at the highest position; it may be less than `minimum`.
    package let maximum: Double

    /// True if equal ratios lead from one end to the other.
    var takesRatios: Bool { minimum * maximum > 0 && (maximum / minimum).isFinite && maximum / minimum > 0 }

    /// The value at a position from 0 to 1.
    func value(at position: Double, _ curve: MappingCurve) -> Double {
        let bounds = min(minimum, maximum)...max(minimum, maximum)
        let value: Double
        switch curve {
        case _ where position <= 0: value = minimum
        case _ where position >= 1: value = maximum
        case .linear: value = minimum + (maximum - minimum) * position
        case .logarithmic: value = minimum * pow(maximum / minimum, position)
        case .onOff, .toggle: value = position >= 0.5 ? maximum : minimum
        }
        return max(bounds.lowerBound, min(bounds.upperBound, value))
    }

    /// The position from 0 to 1 that stands for a value; for a value beyond the range, the nearer end.
    func position(of value: Double, _ curve: MappingCurve) -> Double {
        guard minimum != maximum else { return 0 }
        let position: Double
        switch curve {
        case .linear: position = (value - minimum) / (maximum - minimum)
        case .logarithmic: position = value / minimum > 0 ? log(value / minimum) / log(maximum / minimum) : 0
        case .onOff, .toggle: position = abs(value - maximum) <= abs(value - minimum) ? 1 : 0
        }
        return position.isNaN ? 0 : max(0, min(1, position))
    }
}
