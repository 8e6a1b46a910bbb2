// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The position of a value in the range of its parameter, and the steps of keys. The view's thread.

import AudioUnits
import Glibc

extension Parameter {
    /// The position of a value: 0 at the lower end of the range, 1 at the upper end; the scale may be logarithmic.
    public func position(of value: Double) -> Double {
        let position =
            isLogarithmic
            ? log(max(range.lowerBound, value) / range.lowerBound) / log(range.upperBound / range.lowerBound)
            : (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return position.isFinite ? max(0, min(1, position)) : 0
    }

    /// The value at a position from 0 to 1.
    public func value(at position: Double) -> Double {
        let position = max(0, min(1, position))
        let value =
            isLogarithmic
            ? range.lowerBound * pow(range.upperBound / range.lowerBound, position)
            : range.lowerBound + position * (range.upperBound - range.lowerBound)
        return flags.contains(.integer) || !valueStrings.isEmpty ? value.rounded() : value
    }

    private var isLogarithmic: Bool { flags.contains(.logarithmic) && range.lowerBound > 0 }
}
