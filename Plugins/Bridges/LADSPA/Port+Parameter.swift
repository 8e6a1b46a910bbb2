// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A control port as a parameter. Control thread.

import PluginSDK

extension Plugin.Port {
    /// Makes a parameter of the port; its address is the port's index.
    func parameter(identifier: String, _ metadata: Metadata, default preset: Double?) -> Parameter {
        let hints = Hints(hint)
        let unit = unit(metadata.units[index])
        guard isInput else {
            // The hints of a meter are often wrong, and no plug-in obeys them.
            return Parameter(
                identifier, name: name, address: UInt64(index), range: -1e9...1e9, default: 0, unit: unit, flags: .meter)
        }
        if hints.isToggled {
            return Parameter(identifier, name: name, address: UInt64(index), isOn: (preset ?? hints.defaultValue) > 0)
        }
        var parameter = Parameter(
            identifier, name: name, address: UInt64(index), range: hints.range, default: hints.defaultValue, unit: unit,
            flags: hints.parameterFlags)
        if let preset, hints.range.contains(preset) {
            parameter.defaultValue = preset
            parameter.flags.remove(.defaultFollowsSampleRate)
        }
        if let names = valueStrings(metadata.scalePoints[index] ?? [:], hints) {
            parameter.valueStrings = names
            parameter.unit = .indexed
        }
        return parameter
    }

    /// The names of 0, 1, 2, … if the scale points name every value of the port.
    private func valueStrings(_ names: [Double: String], _ hints: Hints) -> [String]? {
        let range = hints.range
        guard hints.isInteger, range.lowerBound == 0, range.upperBound < 256 else { return nil }
        let all = (0...Int(range.upperBound)).map { names[Double($0)] }
        return all.contains(nil) ? nil : all.compactMap { $0 }
    }

    /// The unit from the metadata, or from the text in brackets at the end of the name.
    private func unit(_ described: String?) -> ParameterUnit {
        let bracketed = name.split(whereSeparator: { "([])".contains($0) }).dropFirst().last.map(String.init)
        switch (described ?? bracketed ?? "").lowercased().trimmed {
        case "db": return .decibels
        case "hz": return .hertz
        case "s", "sec", "seconds", "secs": return .seconds
        case "ms", "milliseconds", "msec": return .milliseconds
        case "%", "percent": return .percent
        case "coef", "coefficient": return .linearGain
        case "degrees", "deg": return .degrees
        case "samples", "frames": return .frames
        case "semitones": return .semitones
        case "cents": return .cents
        case "octaves": return .octaves
        case "bpm": return .beatsPerMinute
        case "m", "meters", "metres": return .meters
        default: return .generic
        }
    }
}
