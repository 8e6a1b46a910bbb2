// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A control port, or a property that is set by messages, as a parameter. Control thread.

import PluginSDK

extension Port {
    /// Makes a parameter of the port; its address is the port's index.
    func parameter(identifier: String) -> Parameter {
        guard isInput else {
            // The bounds of a meter are often wrong, and no plug-in obeys them.
            return Parameter(
                identifier, name: name, address: UInt64(index), range: -1e9...1e9, default: 0, unit: unit, flags: .meter)
        }
        if !choices.isEmpty {
            return Parameter(
                identifier, name: name, address: UInt64(index), choices: choices.map(\.label),
                default: choices.nearest(to: range.defaultValue()))
        }
        var parameter = unlistedParameter(identifier)
        // A port that scales with the sample rate has no fixed values to name.
        if !range.isTimesSampleRate { parameter.name(scalePoints) }
        return parameter
    }

    /// Makes a parameter that is no choice among names.
    private func unlistedParameter(_ identifier: String) -> Parameter {
        if has(Names.core + "toggled") || isTrigger {
            return Parameter(identifier, name: name, address: UInt64(index), isOn: range.defaultValue() > 0)
        }
        var parameter = Parameter(
            identifier, name: name, address: UInt64(index), range: range.bounds(), default: range.defaultValue(), unit: unit,
            flags: range.parameterFlags.union(.canRamp))
        if has(Names.core + "integer") { parameter.holdWholeNumbers() }
        let isCostly = has(Names.portProps + "expensive") || has(Names.portProps + "causesArtifacts")
        if isCostly { parameter.flags.remove(.canRamp) }
        // A logarithmic range must lie above zero.
        if has(Names.portProps + "logarithmic"), range.bounds().lowerBound > 0 { parameter.flags.insert(.logarithmic) }
        return parameter
    }
}

extension PatchProperty {
    func parameter(identifier: String, address: UInt64) -> Parameter {
        if kind == .truth { return Parameter(identifier, name: name, address: address, isOn: range.defaultValue() > 0) }
        var parameter = Parameter(
            identifier, name: name, address: address, range: range.bounds(), default: range.defaultValue(), unit: unit,
            flags: range.parameterFlags)
        if isWhole { parameter.holdWholeNumbers() }
        parameter.name(scalePoints)
        return parameter
    }
}

extension Parameter {
    /// Names the values of the points that can be set.
    fileprivate mutating func name(_ points: [ScalePoint]) {
        if unit == .boolean {
            let names = [0, 1].compactMap { value in points.first { $0.value == value }?.label }
            if names.count == 2 { valueStrings = names }
        }
        guard valueStrings.isEmpty else { return }
        let settable = points.filter { range.contains($0.value) && (!flags.contains(.integer) || $0.value == $0.value.rounded()) }
        namedValues = settable.map { NamedValue($0.value, $0.label) }
    }

    /// Makes the parameter one of whole numbers, if its range has any.
    fileprivate mutating func holdWholeNumbers() {
        let (low, high) = (range.lowerBound.rounded(.up), range.upperBound.rounded(.down))
        guard low <= high else { return }
        range = low...high
        defaultValue = min(max(defaultValue.rounded(), low), high)
        flags.remove(.canRamp)
        flags.insert(.integer)
    }
}
