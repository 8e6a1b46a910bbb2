// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Half a second of silence. Thread of the case.

import AudioUnits

struct SilenceCase: ValidationCase {
    static let name = "silence"
    static let summary = "silence in gives silence out, or at least numbers"
    private static let audible: Float = 0.001

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let bench = try Bench(trial, unit)
        trial.doing("hearing silence")
        let sound = try bench.renderSilence(24_000)
        try bench.close()
        try trial.requireFinite(sound)
        trial.fact("peak", Double(sound.peak))
        let isEffect = unit.description.component.type == ComponentType.effect.code
        if isEffect, sound.offset > audible {
            trial.warn("It puts out a constant of \(Wording.decibels(sound.offset)) when it hears silence.")
        } else if isEffect, sound.peak > audible {
            trial.warn("It sounds at up to \(Wording.decibels(sound.peak)) when it hears silence.")
        }
    }
}
