// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One parameter of a unit, as its author describes it. Any thread.

/// The quantity that a parameter measures.
public enum ParameterUnit: UInt32, Sendable, CaseIterable {
    /// A plain number, an index into names, a switch (0 or 1), per cent, times, frequency and musical intervals.
    case generic, indexed, boolean, percent, seconds, milliseconds, frames, hertz, cents, semitones, octaves
    /// Levels, ratios, angles, musical time, stereo position, length, phase, MIDI numbers and rates.
    case decibels, linearGain, ratio, degrees, beats, beatsPerMinute, pan, meters, phase, midiNote, midiController, rate

    /// The symbol after a number; empty if the unit has no symbol.
    public var symbol: String {
        switch self {
        case .percent: "%"
        case .seconds: "s"
        case .milliseconds: "ms"
        case .frames: "frames"
        case .hertz: "Hz"
        case .cents: "cents"
        case .semitones: "semitones"
        case .octaves: "oct"
        case .decibels: "dB"
        case .ratio: ":1"
        case .degrees: "°"
        case .beats: "beats"
        case .beatsPerMinute: "BPM"
        case .meters: "m"
        default: ""
        }
    }
}

/// Properties that a parameter has or lacks.
public struct ParameterFlags: OptionSet, Hashable, Sendable {
    /// The flags as bits, as messages carry them.
    public let rawValue: UInt32
    /// Makes a set of flags from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The unit can spread a change over a ramp.
    public static let canRamp = ParameterFlags(rawValue: 1 << 0)
    /// Hosts show the parameter on a logarithmic scale.
    public static let logarithmic = ParameterFlags(rawValue: 1 << 1)
    /// The unit sets the value, and hosts display it.
    public static let meter = ParameterFlags(rawValue: 1 << 2)
    /// Hosts cannot set the value.
    public static let readOnly = ParameterFlags(rawValue: 1 << 3)
    /// The value is a whole number.
    public static let integer = ParameterFlags(rawValue: 1 << 4)
    /// The lower bound is only for drawing: the unit accepts lower values, too.
    public static let openBelow = ParameterFlags(rawValue: 1 << 5)
    /// The upper bound is only for drawing: the unit accepts higher values, too.
    public static let openAbove = ParameterFlags(rawValue: 1 << 6)
    /// The range is stated for 48,000 Hz, and scales with the sample rate.
    public static let rangeFollowsSampleRate = ParameterFlags(rawValue: 1 << 7)
    /// The default scales with the sample rate, too; used only together with `rangeFollowsSampleRate`.
    public static let defaultFollowsSampleRate = ParameterFlags(rawValue: 1 << 8)
}

/// A value of a parameter that has a name.
public struct NamedValue: Hashable, Sendable {
    /// The value, in the parameter's unit.
    public var value: Double
    /// The name for people.
    public var name: String

    /// Names a value.
    public init(_ value: Double, _ name: String) { (self.value, self.name) = (value, name) }
}

/// A number in a range, with a permanent identifier and an address for messages.
public struct Parameter: Hashable, Sendable {
    /// The permanent identifier, unique among siblings.
    ///
    /// Hosts record it, as part of the key path.
    public var identifier: String
    /// The name for people.
    public var name: String
    /// The address in messages, unique in the tree.
    ///
    /// It may change between versions: never store it.
    public var address: UInt64
    /// The lowest and the highest value, in `unit`; beyond an open end, further values are accepted.
    public var range: ClosedRange<Double>
    /// The default value, in `unit`.
    ///
    /// It lies in `range`.
    public var defaultValue: Double
    /// The quantity that the value measures.
    public var unit: ParameterUnit
    /// The names of the values 0, 1, 2, … of an indexed parameter; empty for a parameter of numbers.
    public var valueStrings: [String]
    /// Some values of a parameter of numbers that have names; empty for an indexed parameter.
    public var namedValues: [NamedValue] = []
    /// The properties that the parameter has.
    public var flags: ParameterFlags

    /// Describes a parameter of numbers.
    public init(
        _ identifier: String, name: String, address: UInt64, range: ClosedRange<Double>, default defaultValue: Double,
        unit: ParameterUnit = .generic, valueStrings: [String] = [], flags: ParameterFlags = [.canRamp]
    ) {
        self.identifier = identifier
        self.name = name
        self.address = address
        self.range = range
        self.defaultValue = defaultValue
        self.unit = unit
        self.valueStrings = valueStrings
        self.flags = flags
    }

    /// Describes a choice among names; the value is the index of the name.
    public init(_ identifier: String, name: String, address: UInt64, choices: [String], default index: Int = 0) {
        self.init(
            identifier, name: name, address: address, range: 0...Double(max(0, choices.count - 1)),
            default: Double(index), unit: .indexed, valueStrings: choices, flags: [.integer])
    }

    /// Describes a switch: 0 is off, 1 is on.
    public init(_ identifier: String, name: String, address: UInt64, isOn: Bool) {
        self.init(
            identifier, name: name, address: address, range: 0...1, default: isOn ? 1 : 0, unit: .boolean,
            valueStrings: ["off", "on"], flags: [.integer])
    }

    /// The value as text for people, with its unit: `-6 dB`, `4:1`, `off`.
    ///
    /// The text has up to two decimals, or four for a value between -1 and 1.
    public func string(from value: Double) -> String {
        if !valueStrings.isEmpty, let index = Int(exactly: value.rounded()), valueStrings.indices.contains(index) {
            return valueStrings[index]
        }
        if let named = namedValues.first(where: { $0.value == value }) { return named.name }
        let number = value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(Self.rounded(value))
        // A ratio is written 4:1; any other number has a space before its unit.
        return unit.symbol.isEmpty ? number : unit.symbol.hasPrefix(":") ? number + unit.symbol : "\(number) \(unit.symbol)"
    }

    /// Parses a number, or the name of a value in any case; nil for any other text.
    ///
    /// The number may carry the parameter's unit, as in `text`: "40 %" or "40%". It is not checked against `range`.
    public func value(from text: String) -> Double? {
        if let index = valueStrings.firstIndex(where: { $0.lowercased() == text.lowercased() }) { return Double(index) }
        // A switch accepts "on" and "off" even if its states have other names.
        if unit == .boolean, let index = ["off", "on"].firstIndex(of: text.lowercased()) { return Double(index) }
        if let named = namedValues.first(where: { $0.name.lowercased() == text.lowercased() }) { return named.value }
        guard let value = Double(withoutUnit(text)), value.isFinite else { return nil }
        return value
    }

    /// The text without the parameter's unit and the space before it.
    private func withoutUnit(_ text: String) -> Substring {
        guard !unit.symbol.isEmpty, text.lowercased().hasSuffix(unit.symbol.lowercased()) else { return text[...] }
        let number = text.dropLast(unit.symbol.count)
        return number.last == " " ? number.dropLast() : number
    }

    private static func rounded(_ value: Double) -> Double {
        let scale: Double = abs(value) < 1 ? 10_000 : 100
        let scaled = (value * scale).rounded() / scale
        return scaled.isFinite ? scaled : value
    }
}
