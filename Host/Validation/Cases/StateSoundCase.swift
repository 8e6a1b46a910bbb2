// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The completeness of a state: all that determines the sound. Thread of the case.

import AudioUnits
import PluginHosting

struct StateSoundCase: ValidationCase {
    static let name = "state-sound"
    static let summary = "a fresh unit with the state sounds as the first does after a reset"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let model = try trial.open()
        try trial.randomize(model)
        let values = try trial.save(model).values
        let noise = Sound.noise(model.chainChannelCount ?? 2, frameCount: 8192, using: &trial.random)
        let (first, state) = try renderOriginal(noise, values, trial)
        func restored() throws(CaseEnd) -> Sound {
            trial.doing("rendering after its state was restored")
            return try renderPrepared(noise, trial) { (unit) throws(CaseEnd) in
                try trial.attempt { () throws(HostingError) in try unit.restoreState(state) }
            }
        }
        let second = try restored()
        try trial.requireFinite(second)
        guard first.firstDifference(from: second) != nil else { return }
        trial.doing("rendering after values were set before it rendered")
        let third = try renderPrepared(noise, trial) { (unit) throws(CaseEnd) in try trial.set(values, of: unit) }
        if third.firstDifference(from: second) == nil {
            return trial.remark("What it has rendered changes its sound for good, and neither a reset nor a state tells of it.")
        }
        try trial.expectEqual(second, third, verdict: Trial.audible) {
            "With the state of another unit it sounds otherwise than that one, and than one with the same values, \($0)."
        } again: { () throws(CaseEnd) in
            try restored()
        }
    }

    /// Renders a unit whose values are set meanwhile, as when a user turns knobs.
    private static func renderOriginal(
        _ sound: Sound, _ values: [String: Double], _ trial: Trial
    ) throws(CaseEnd) -> (Sound, FullState) {
        trial.doing("rendering after values were set while it rendered")
        let unit = try trial.open()
        let bench = try Bench(trial, unit)
        _ = try bench.renderSilence(512)
        try trial.set(values, of: unit)
        _ = try bench.renderSilence(512)
        let state = try trial.save(unit)
        let rendered = try renderAfterReset(bench, sound, trial)
        try bench.close()
        return (rendered, state)
    }

    private static func renderPrepared(
        _ sound: Sound, _ trial: Trial, _ prepare: (HostedUnit) throws(CaseEnd) -> Void
    ) throws(CaseEnd) -> Sound {
        try trial.renderFresh(prepare: prepare) { (bench) throws(CaseEnd) in
            _ = try bench.renderSilence(1024)
            return try renderAfterReset(bench, sound, trial)
        }
    }

    private static func renderAfterReset(_ bench: Bench, _ sound: Sound, _ trial: Trial) throws(CaseEnd) -> Sound {
        try trial.attempt { () throws(HostingError) in try bench.unit.reset() }
        return try bench.render(sound)
    }
}

extension Trial {
    /// Sets the values of a state, in the order of the parameter tree.
    func set(_ values: [String: Double], of unit: HostedUnit) throws(CaseEnd) {
        for (keyPath, _) in unit.settableParameters {
            if let value = values[keyPath] { try set(unit, keyPath, value) }
        }
    }
}
