// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The range of a control port or of a property, and the repair of an invalid one. Control thread.

import PluginSDK

/// The bounds and the default of a number in a bundle, and the usable range made from them.
struct ControlRange {
    var minimum: Double?
    var maximum: Double?
    var preset: Double?
    /// True if the bounds are multiples of the sample rate.
    var isTimesSampleRate = false

    /// The bounds at a sample rate.
    ///
    /// A missing bound is drawn ten times as far out as the largest known number.
    func bounds(sampleRate: Double = Parameter.describedSampleRate) -> ClosedRange<Double> {
        let scale = isTimesSampleRate ? sampleRate : 1
        let (low, high) = (Self.sensible(minimum), Self.sensible(maximum))
        let reach = 10 * max(1, abs(low ?? 0), abs(high ?? 0), abs(Self.sensible(preset) ?? 0))
        let first = low ?? min(0, high.map { $0 - reach } ?? 0, Self.sensible(preset).map { $0 < 0 ? -reach : 0 } ?? 0)
        let last = high ?? max(reach, first)
        return min(first, last) * scale...max(first, last) * scale
    }

    /// The default: the stated one, limited to the bounds, otherwise the value nearest to zero.
    func defaultValue(sampleRate: Double = Parameter.describedSampleRate) -> Double {
        let bounds = bounds(sampleRate: sampleRate)
        var value = Self.sensible(preset) ?? 0
        if isPresetTimesSampleRate { value *= sampleRate }
        return Swift.min(Swift.max(value, bounds.lowerBound), bounds.upperBound)
    }

    /// True if the default is a multiple of the rate, like the bounds, because it lies between them as written.
    private var isPresetTimesSampleRate: Bool {
        isTimesSampleRate && bounds(sampleRate: 1).contains(Self.sensible(preset) ?? 0)
    }

    /// The properties of a parameter with this range.
    var parameterFlags: ParameterFlags {
        var flags: ParameterFlags = []
        if Self.sensible(minimum) == nil { flags.insert(.openBelow) }
        if Self.sensible(maximum) == nil { flags.insert(.openAbove) }
        guard isTimesSampleRate else { return flags }
        flags.insert(.rangeFollowsSampleRate)
        if isPresetTimesSampleRate { flags.insert(.defaultFollowsSampleRate) }
        return flags
    }

    /// The number, or nil near the limits of a float, where it means "none".
    private static func sensible(_ value: Double?) -> Double? {
        value.flatMap { $0.isFinite && abs($0) < 1e30 ? $0 : nil }
    }
}

extension ControlRange {
    /// Reads the range of a port, or of a property that can be set.
    init(_ node: Node, in world: World) {
        minimum = world.value(node, Names.core + "minimum")?.number
        maximum = world.value(node, Names.core + "maximum")?.number
        preset = world.value(node, Names.core + "default")?.number
    }
}
