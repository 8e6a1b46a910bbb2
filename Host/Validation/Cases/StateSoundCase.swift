// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a state holds everything that makes the sound. Thread of the case.

import AudioUnits
import PluginHosting

struct StateSoundCase: ValidationCase {
    static let name = "state-sound"
    static let summary = "a fresh unit with the state sounds as the first does after a reset"

    static func run(_ trial: Trial) throws(CaseEnd) {
        var state: FullState?
        var noise: Sound?
        var random = trial.random
        /// Sets values while it renders, as a person does who turns knobs.
        func original() throws(CaseEnd) -> Sound {
            trial.random = random
            return try trial.renderFresh { (bench) throws(CaseEnd) in
                _ = try bench.renderSilence(512)
                try trial.randomize(bench.unit)
                _ = try bench.renderSilence(512)
                state = try trial.save(bench.unit)
                let heard = noise ?? Sound.noise(bench.channelCount, frameCount: 8192, using: &trial.random)
                noise = heard
                trial.doing("rendering after values were set and it was reset")
                return try renderAfterReset(bench, heard, trial)
            }
        }
        random = trial.random
        let first = try original()
        let saved = state!
        let heard = noise!
        func restore(_ unit: HostedUnit) throws(CaseEnd) {
            try trial.attempt { () throws(HostingError) in try unit.restoreState(saved) }
        }
        let second = try trial.renderFresh(prepare: restore) { (bench) throws(CaseEnd) in
            _ = try bench.renderSilence(1024)
            trial.doing("rendering after its state was restored and it was reset")
            return try renderAfterReset(bench, heard, trial)
        }
        try trial.requireFinite(second)
        try trial.expectEqual(first, second) {
            "With the state of another unit it sounds otherwise than that one, \($0)."
        } again: { () throws(CaseEnd) in
            try original()
        }
    }

    private static func renderAfterReset(_ bench: Bench, _ sound: Sound, _ trial: Trial) throws(CaseEnd) -> Sound {
        try trial.attempt { () throws(HostingError) in try bench.unit.reset() }
        return try bench.render(sound)
    }
}
