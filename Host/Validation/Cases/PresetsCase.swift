// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All factory presets of a unit. Thread of the case.

import AudioUnits
import PluginHosting

struct PresetsCase: ValidationCase {
    static let name = "presets"
    static let summary = "every factory preset can be selected, holds what it says and puts out numbers"
    private static let most = 64

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        trial.fact("presets", Double(unit.factoryPresets.count))
        guard !unit.factoryPresets.isEmpty else { throw .notApplicable("It has no presets.") }
        if let twice = Names.firstTwice(unit.factoryPresets.map(\.name)) { trial.warn("Two presets are called \"\(twice)\".") }
        let bench = try Bench(trial, unit)
        for preset in trial.choose(unit.factoryPresets, atMost: most) {
            if let defect = Names.defect(preset.name) { trial.fail("The name of a preset \(defect).") }
            trial.doing("rendering with the preset \"\(preset.name)\"")
            try trial.attempt { () throws(HostingError) in try unit.selectFactoryPreset(preset.name) }
            try trial.requireFinite(try bench.renderNoise(2048))
            let state = try trial.attempt { () throws(HostingError) in try unit.saveState() }
            for (keyPath, wanted) in preset.values { check(preset, keyPath, wanted, unit, state, trial) }
        }
        try bench.close()
    }

    private static func check(
        _ preset: FactoryPreset, _ keyPath: String, _ wanted: Double, _ unit: HostedUnit, _ state: FullState, _ trial: Trial
    ) {
        guard let parameter = unit.parameters[keyPath: keyPath] else {
            return trial.fail("The preset \"\(preset.name)\" sets \"\(keyPath)\", which does not exist.")
        }
        if !parameter.range.contains(wanted) { trial.fail("The preset \"\(preset.name)\" sets \(keyPath) out of its range.") }
        // Of two presets with the same name, the first one is selected.
        guard unit.factoryPresets.first(where: { $0.name == preset.name }) == preset, let value = state.values[keyPath],
            value != wanted
        else { return }
        trial.fail("The preset \"\(preset.name)\" has \(wanted) for \(keyPath), and selecting it gives \(value).")
    }
}
