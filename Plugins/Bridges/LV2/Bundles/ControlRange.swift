// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The range of a control port or of a property, and what is made of one that makes no sense. Control thread.

/// The bounds and the default of a number, as far as a bundle states them, and what is made of them.
struct ControlRange {
    var minimum: Double?
    var maximum: Double?
    var preset: Double?
    /// The bounds are multiples of the sample rate.
    var isTimesSampleRate = false

    /// The rate for which a description is made, which cannot know the one that will be.
    static let describedSampleRate = 48_000.0

    /// What the bounds are at a sample rate. One that is missing is placed ten times as far out as anything that is known.
    func bounds(sampleRate: Double = describedSampleRate) -> ClosedRange<Double> {
        let scale = isTimesSampleRate ? sampleRate : 1
        let (low, high) = (Self.sensible(minimum), Self.sensible(maximum))
        let reach = 10 * max(1, abs(low ?? 0), abs(high ?? 0), abs(Self.sensible(preset) ?? 0))
        let first = low ?? min(0, high.map { $0 - reach } ?? 0, Self.sensible(preset).map { $0 < 0 ? -reach : 0 } ?? 0)
        let last = high ?? max(reach, first)
        return min(first, last) * scale...max(first, last) * scale
    }

    /// Where the number starts: what is stated, as far as the bounds permit, otherwise the value nearest to zero.
    func defaultValue(sampleRate: Double = describedSampleRate) -> Double {
        let bounds = bounds(sampleRate: sampleRate)
        var value = Self.sensible(preset) ?? 0
        // A default that lies between the bounds as they are written is meant as they are.
        if isTimesSampleRate, self.bounds(sampleRate: 1).contains(value) { value *= sampleRate }
        return Swift.min(Swift.max(value, bounds.lowerBound), bounds.upperBound)
    }

    /// Numbers near the end of what a float can hold stand for "none".
    private static func sensible(_ value: Double?) -> Double? {
        value.flatMap { $0.isFinite && abs($0) < 1e30 ? $0 : nil }
    }
}

extension ControlRange {
    /// What is stated of a port, or of a property that can be set.
    init(_ node: Node, in world: World) {
        minimum = world.value(node, Names.core + "minimum")?.number
        maximum = world.value(node, Names.core + "maximum")?.number
        preset = world.value(node, Names.core + "default")?.number
    }
}
