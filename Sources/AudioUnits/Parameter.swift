// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One parameter of a unit, as its author describes it. Any thread.

/// What a parameter's number means.
public enum ParameterUnit: UInt32, Sendable, CaseIterable {
    case generic, indexed, boolean, percent, seconds, milliseconds, frames, hertz, cents, semitones, octaves
    case decibels, linearGain, ratio, degrees, beats, beatsPerMinute, pan, meters, phase, midiNote, midiController, rate

    /// The symbol after a number, empty where there is none.
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

/// Properties of a parameter that are either there or not.
public struct ParameterFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Changes may be spread over a ramp.
    public static let canRamp = ParameterFlags(rawValue: 1 << 0)
    /// Shown on a logarithmic scale.
    public static let logarithmic = ParameterFlags(rawValue: 1 << 1)
    /// Set by the unit, for display.
    public static let meter = ParameterFlags(rawValue: 1 << 2)
    /// Cannot be set from outside.
    public static let readOnly = ParameterFlags(rawValue: 1 << 3)
    /// Takes whole numbers only.
    public static let integer = ParameterFlags(rawValue: 1 << 4)
}

/// A parameter: a number in a range, with a permanent identifier and an address for the wire.
public struct Parameter: Hashable, Sendable {
    /// Permanent, unique among siblings; what hosts record, as part of the key path.
    public var identifier: String
    public var name: String
    /// Unique in the tree; may change between versions, so nobody stores it.
    public var address: UInt64
    public var range: ClosedRange<Double>
    public var defaultValue: Double
    public var unit: ParameterUnit
    /// Names of the values 0, 1, 2, … of an indexed parameter.
    public var valueStrings: [String]
    public var flags: ParameterFlags

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

    /// A choice among names; the value is the index.
    public init(_ identifier: String, name: String, address: UInt64, choices: [String], default index: Int = 0) {
        self.init(
            identifier, name: name, address: address, range: 0...Double(max(0, choices.count - 1)),
            default: Double(index), unit: .indexed, valueStrings: choices, flags: [.integer])
    }

    /// A switch: 0 is off, 1 is on.
    public init(_ identifier: String, name: String, address: UInt64, isOn: Bool) {
        self.init(
            identifier, name: name, address: address, range: 0...1, default: isOn ? 1 : 0, unit: .boolean,
            valueStrings: ["off", "on"], flags: [.integer])
    }

    /// The value as a person reads it, with its unit.
    public func string(from value: Double) -> String {
        if !valueStrings.isEmpty, let index = Int(exactly: value.rounded()), valueStrings.indices.contains(index) {
            return valueStrings[index]
        }
        let number = value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(Self.rounded(value))
        // A ratio is written 4:1, everything else with a space before its unit.
        return unit.symbol.isEmpty ? number : unit.symbol.hasPrefix(":") ? number + unit.symbol : "\(number) \(unit.symbol)"
    }

    /// Reads a number, or one of the value strings in any case; nil for anything else.
    public func value(from text: String) -> Double? {
        if let index = valueStrings.firstIndex(where: { $0.lowercased() == text.lowercased() }) { return Double(index) }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    private static func rounded(_ value: Double) -> Double {
        let scale: Double = abs(value) < 1 ? 10_000 : 100
        let scaled = (value * scale).rounded() / scale
        return scaled.isFinite ? scaled : value
    }
}
