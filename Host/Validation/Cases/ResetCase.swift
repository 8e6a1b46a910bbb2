// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effect of a reset on all sound. Thread of the case.

import PluginHosting

struct ResetCase: ValidationCase {
    static let name = "reset"
    static let summary = "after a reset it sounds as a fresh one"

    static func run(_ trial: Trial) throws(CaseEnd) {
        var noise: Sound?
        func fresh() throws(CaseEnd) -> Sound {
            try trial.renderFresh { (bench) throws(CaseEnd) in
                let sound = noise ?? Sound.noise(bench.channelCount, frameCount: 8192, using: &trial.random)
                noise = sound
                trial.doing("rendering as a fresh unit")
                return try bench.render(sound)
            }
        }
        let first = try fresh()
        let second = try trial.renderFresh { (bench) throws(CaseEnd) in
            trial.doing("rendering before a reset")
            _ = try bench.renderNoise(12_000, level: 0.9)
            try trial.attempt { () throws(HostingError) in try bench.unit.reset() }
            try bench.startNote()
            trial.doing("rendering after a reset")
            return try bench.render(noise ?? Sound.noise(bench.channelCount, frameCount: 8192, using: &trial.random))
        }
        try trial.requireFinite(second)
        guard first.firstDifference(from: second) != nil else { return }
        // A unit that makes noise need not restart its random numbers.
        let verdict = try soundsByItself(trial) ? { _ in .warning } : Trial.audible
        try trial.expectEqual(first, second, verdict: verdict) {
            "After a reset it sounds otherwise than a fresh one, \($0)."
        } again: { () throws(CaseEnd) in
            try fresh()
        }
    }

    /// True if the unit is audible with a silent input.
    private static func soundsByItself(_ trial: Trial) throws(CaseEnd) -> Bool {
        trial.doing("rendering silence as a fresh unit")
        return try trial.renderFresh { (bench) throws(CaseEnd) in try bench.renderSilence(8192) }.peak > 1e-6
    }
}
