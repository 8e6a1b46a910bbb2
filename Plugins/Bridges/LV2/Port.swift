// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A port as a bundle describes it. Control thread.

import PluginSDK

/// A port of a plug-in.
struct Port {
    enum Kind {
        case audio
        case control
        /// A signal that controls something.
        case cv
        /// A buffer for a sequence of events.
        case atom
        /// Something that need not be connected, and is not.
        case unconnected
    }

    let index: Int
    let symbol: String
    let name: String
    let isInput: Bool
    let kind: Kind
    let properties: Set<String>
    let designation: String?
    /// The group that the port is in.
    let group: Node?
    let isSideChain: Bool
    var range = ControlRange()
    var scalePoints: [ScalePoint] = []
    var unit = ParameterUnit.generic
    /// What an atom port understands.
    var supported: Set<String> = []
    /// The room that an atom port wants, in bytes.
    var byteCount = 0

    func has(_ property: String) -> Bool { properties.contains(property) }

    var isLatency: Bool {
        !isInput && kind == .control && (has(Names.core + "reportsLatency") || designation == Names.core + "latency")
    }

    var isFreeWheeling: Bool { isInput && kind == .control && designation == Names.core + "freeWheeling" }

    /// Whether the port is a parameter: something to be set, or a meter.
    var isParameter: Bool { kind == .control && !isLatency && !isFreeWheeling }

    /// Whether the port switches the plug-in on and off, with a fade: a bypass of its own.
    var isSwitch: Bool { isInput && kind == .control && designation == Names.core + "enabled" }

    var isTrigger: Bool { has(Names.portProps + "trigger") }

    /// The values of an enumeration, lowest first; empty for other ports.
    var choices: [ScalePoint] {
        guard isInput, has(Names.core + "enumeration") else { return [] }
        return scalePoints
    }
}

/// A value with a name.
struct ScalePoint: Hashable {
    let value: Double
    let label: String
}

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
