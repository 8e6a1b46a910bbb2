// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The range and the default that a control port's hints give. Control thread.

import CLADSPA
import PluginSDK

/// The hints of a port, at one sample rate.
///
/// Bounds may be multiples of the rate.
struct Hints {
    /// The rate at which ranges are described, because a unit's range is fixed before its rate is known.
    ///
    /// At other rates a value is kept within what the port takes there.
    static let nominalSampleRate = 48000.0

    private let flags: Int32
    private let hint: LADSPA_PortRangeHint
    private let scale: Double

    init(_ hint: LADSPA_PortRangeHint, sampleRate: Double = nominalSampleRate) {
        self.hint = hint
        flags = Int32(hint.HintDescriptor)
        scale = flags & LADSPA_HINT_SAMPLE_RATE != 0 ? sampleRate : 1
    }

    var isToggled: Bool { flags & LADSPA_HINT_TOGGLED != 0 }
    var isInteger: Bool { flags & LADSPA_HINT_INTEGER != 0 }
    /// Whether the port is logarithmic; a range that reaches zero or below is not.
    var isLogarithmic: Bool { flags & LADSPA_HINT_LOGARITHMIC != 0 && range.lowerBound > 0 }

    private var lower: Double? {
        flags & LADSPA_HINT_BOUNDED_BELOW != 0 ? Self.finite(Double(hint.LowerBound) * scale) : nil
    }
    private var upper: Double? {
        flags & LADSPA_HINT_BOUNDED_ABOVE != 0 ? Self.finite(Double(hint.UpperBound) * scale) : nil
    }

    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    /// The range from bound to bound.
    ///
    /// A missing bound is placed ten times as far out as the largest known number.
    var range: ClosedRange<Double> {
        if isToggled { return 0...1 }
        let reach = 10 * max(1, abs(lower ?? 0), abs(upper ?? 0), abs(fixedDefault ?? 0))
        let low = lower ?? min(-reach, upper ?? 0)
        let high = upper ?? max(reach, low)
        let (first, last) = (min(low, high), max(low, high))
        guard isInteger else { return first...last }
        return first.rounded(.up) <= last.rounded(.down) ? first.rounded(.up)...last.rounded(.down) : first...last
    }

    /// The port's default.
    ///
    /// Without a hint it is zero if the range allows that, otherwise the nearest bound.
    var defaultValue: Double {
        let range = range
        let value = fixedDefault ?? interpolatedDefault ?? 0
        let rounded = isInteger || isToggled ? value.rounded() : value
        return min(max(rounded, range.lowerBound), range.upperBound)
    }

    private var fixedDefault: Double? {
        switch flags & LADSPA_HINT_DEFAULT_MASK {
        case LADSPA_HINT_DEFAULT_0: 0
        case LADSPA_HINT_DEFAULT_1: 1
        case LADSPA_HINT_DEFAULT_100: 100
        case LADSPA_HINT_DEFAULT_440: 440
        default: nil
        }
    }

    private var interpolatedDefault: Double? {
        switch flags & LADSPA_HINT_DEFAULT_MASK {
        case LADSPA_HINT_DEFAULT_MINIMUM: range.lowerBound
        case LADSPA_HINT_DEFAULT_LOW: between(0.25)
        case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
        case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
        case LADSPA_HINT_DEFAULT_MAXIMUM: range.upperBound
        default: nil
        }
    }

    /// A share of the way up, as `ladspa.h` defines low, middle and high.
    private func between(_ share: Double) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard isLogarithmic else { return low * (1 - share) + high * share }
        return exp(log(low) * (1 - share) + log(high) * share)
    }
}
