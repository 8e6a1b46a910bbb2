// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The range and the default of a control port, from its hints. Control thread.

import CLADSPA
import PluginSDK

/// The hints of a port.
///
/// Bounds may be multiples of the sample rate. They are read for `Parameter.describedSampleRate`, and flags mark those that
/// follow the rate.
struct Hints {
    private let flags: Int32
    private let hint: LADSPA_PortRangeHint
    private let scale: Double

    init(_ hint: LADSPA_PortRangeHint) {
        self.hint = hint
        flags = Int32(hint.HintDescriptor)
        scale = flags & LADSPA_HINT_SAMPLE_RATE != 0 ? Parameter.describedSampleRate : 1
    }

    var isToggled: Bool { flags & LADSPA_HINT_TOGGLED != 0 }
    var isInteger: Bool { flags & LADSPA_HINT_INTEGER != 0 }
    /// True if the port has a logarithmic scale; a range that reaches zero or below has none.
    var isLogarithmic: Bool { hasLogarithmicHint && range.lowerBound > 0 }
    private var hasLogarithmicHint: Bool { flags & LADSPA_HINT_LOGARITHMIC != 0 }

    /// The values of the fields, even if no flag marks them as bounds.
    private var lowerField: Double { Double(hint.LowerBound) * scale }
    private var upperField: Double { Double(hint.UpperBound) * scale }

    private var lower: Double? { flags & LADSPA_HINT_BOUNDED_BELOW != 0 ? Self.finite(lowerField) : nil }
    private var upper: Double? { flags & LADSPA_HINT_BOUNDED_ABOVE != 0 ? Self.finite(upperField) : nil }

    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    /// The properties of the port's parameter.
    var parameterFlags: ParameterFlags {
        var result: ParameterFlags = isInteger ? .integer : .canRamp
        if isLogarithmic { result.insert(.logarithmic) }
        // Bounds in the wrong order are exchanged, and a missing one does not move the other.
        if lower == nil { result.insert(.openBelow) }
        if upper == nil { result.insert(.openAbove) }
        guard flags & LADSPA_HINT_SAMPLE_RATE != 0 else { return result }
        result.insert(.rangeFollowsSampleRate)
        let isMultiple = interpolatedDefault != nil || !range.contains(fixedDefault ?? 0)
        if isMultiple { result.insert(.defaultFollowsSampleRate) }
        return result
    }

    /// The range between the bounds.
    ///
    /// A missing bound is drawn ten times as far out as the largest known number.
    var range: ClosedRange<Double> {
        if isToggled { return 0...1 }
        let reach = 10 * max(1, abs(lower ?? 0), abs(upper ?? 0), abs(wantedDefault))
        let low = lower ?? min(-reach, upper ?? 0)
        let high = upper ?? max(reach, low)
        let (first, last) = (min(low, high), max(low, high))
        guard isInteger else { return first...last }
        return first.rounded(.up) <= last.rounded(.down) ? first.rounded(.up)...last.rounded(.down) : first...last
    }

    /// The port's default after `ladspa.h`, as far as the range allows.
    ///
    /// Without a hint it is zero if the range allows that, otherwise the nearest bound.
    var defaultValue: Double {
        let range = range
        let rounded = isInteger || isToggled ? wantedDefault.rounded() : wantedDefault
        return min(max(rounded, range.lowerBound), range.upperBound)
    }

    private var wantedDefault: Double { fixedDefault ?? interpolatedDefault ?? 0 }

    private var fixedDefault: Double? {
        switch flags & LADSPA_HINT_DEFAULT_MASK {
        case LADSPA_HINT_DEFAULT_0: 0
        case LADSPA_HINT_DEFAULT_1: 1
        case LADSPA_HINT_DEFAULT_100: 100
        case LADSPA_HINT_DEFAULT_440: 440
        default: nil
        }
    }

    /// A default between the fields; other hosts read them even if they are not flagged as bounds.
    private var interpolatedDefault: Double? {
        let value: Double? =
            switch flags & LADSPA_HINT_DEFAULT_MASK {
            case LADSPA_HINT_DEFAULT_MINIMUM: lowerField
            case LADSPA_HINT_DEFAULT_LOW: between(0.25)
            case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
            case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
            case LADSPA_HINT_DEFAULT_MAXIMUM: upperField
            default: nil
            }
        return value.flatMap(Self.finite)
    }

    /// A share of the range, as `ladspa.h` defines low, middle and high.
    ///
    /// On a logarithmic scale with a lower field of 0, everything below the top is 0. If a field is negative, the formula has
    /// no result, and the scale is linear.
    private func between(_ share: Double) -> Double {
        let (low, high) = (lowerField, upperField)
        guard hasLogarithmicHint, low >= 0, high >= 0 else { return low * (1 - share) + high * share }
        return exp(log(low) * (1 - share) + log(high) * share)
    }
}
