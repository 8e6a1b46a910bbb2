// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's description of its parameters, and its compliance. Thread of the case.

import AudioUnits
import PluginHosting

struct ParametersCase: ValidationCase {
    static let name = "parameters"
    static let summary = "ranges, defaults, names and steps fit, and values out of range are refused"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        trial.fact("parameters", Double(unit.parameters.parameters.count))
        for (keyPath, parameter) in unit.parameters.parameters { check(parameter, keyPath, trial) }
        checkSiblings(unit.parameters.children, "", trial)
        let state = try trial.attempt { () throws(HostingError) in try unit.saveState() }
        for (keyPath, parameter) in unit.settableParameters {
            trial.doing("setting \(keyPath)")
            if let value = state.values[keyPath], value != parameter.defaultValue {
                trial.fail("\(keyPath) stands at \(value) when it is new; its default is \(parameter.defaultValue).")
            }
            try checkSetting(keyPath, parameter, unit, trial)
        }
    }

    private static func check(_ parameter: Parameter, _ keyPath: String, _ trial: Trial) {
        if let defect = Names.defect(parameter.name) { trial.fail("The name of \(keyPath) \(defect).") }
        let range = parameter.range
        let isOutput = !parameter.flags.isDisjoint(with: [.readOnly, .meter])
        if range.lowerBound == range.upperBound, !isOutput {
            trial.warn("\(keyPath) can have one value only, \(range.lowerBound).")
        }
        if !range.contains(parameter.defaultValue) { trial.fail("The default of \(keyPath) lies outside its range.") }
        let isWhole = parameter.flags.contains(.integer)
        if isWhole, parameter.defaultValue != parameter.defaultValue.rounded() {
            trial.fail("\(keyPath) takes whole numbers, and its default is \(parameter.defaultValue).")
        }
        if isWhole, range.lowerBound.rounded(.up) > range.upperBound {
            trial.fail("\(keyPath) takes whole numbers, and there is none in its range.")
        }
        if parameter.flags.contains(.logarithmic), range.lowerBound <= 0, range.upperBound >= 0 {
            trial.warn("\(keyPath) is shown on a logarithmic scale, and its range holds 0.")
        }
        checkValueNames(parameter, keyPath, trial)
    }

    private static func checkValueNames(_ parameter: Parameter, _ keyPath: String, _ trial: Trial) {
        guard !parameter.valueStrings.isEmpty else { return }
        for name in parameter.valueStrings {
            if let defect = Names.defect(name) { trial.warn("The name of a value of \(keyPath) \(defect).") }
        }
        if let twice = Names.firstTwice(parameter.valueStrings) { trial.warn("Two values of \(keyPath) are called \"\(twice)\".") }
        if parameter.range.upperBound >= Double(parameter.valueStrings.count) {
            trial.fail(
                "\(keyPath) goes to \(parameter.range.upperBound) and has names for \(parameter.valueStrings.count) values, from 0 on."
            )
        }
    }

    /// Checks that siblings have different names, because users distinguish them by their names.
    private static func checkSiblings(_ nodes: [ParameterNode], _ path: String, _ trial: Trial) {
        let names = nodes.map { node in
            switch node {
            case .parameter(let parameter): parameter.name
            case .group(let group): group.name
            }
        }
        if let twice = Names.firstTwice(names) {
            trial.warn("Two parameters\(path.isEmpty ? "" : " in \(path)") are called \"\(twice)\".")
        }
        for case .group(let group) in nodes { checkSiblings(group.children, group.name, trial) }
    }

    private static func checkSetting(
        _ keyPath: String, _ parameter: Parameter, _ unit: HostedUnit, _ trial: Trial
    ) throws(CaseEnd) {
        let range = parameter.range
        for value in [range.lowerBound, range.upperBound, parameter.defaultValue] {
            try trial.attempt { () throws(HostingError) in try unit.set(keyPath, to: value) }
        }
        let accepted = parameter.accepted()
        for value in [range.lowerBound - 1, range.upperBound + 1, .nan, .infinity] where !accepted.contains(value) {
            let refusal = try trial.refusal { () throws(HostingError) in try unit.set(keyPath, to: value) }
            if refusal == nil { trial.fail("\(keyPath) took \(value), which lies outside its range.") }
        }
    }
}
