// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The loudest ordinary sounds. Thread of the case.

import Realtime

struct FullScaleCase: ValidationCase {
    static let name = "full-scale"
    static let summary = "full-scale noise, squares and constants come out as sane levels"
    /// The gains for +24 dB and +120 dB.
    private static let loud: Float = 15.8
    private static let absurd: Float = 1e6
    private static let audible: Float = 0.05

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open())
        let count = bench.channelCount
        let frames = 9600
        let sounds: [(name: String, sound: Sound)] = [
            ("noise", Sound.noise(count, frameCount: frames, level: 1, using: &trial.random)),
            ("a sine", Sound.every(count, frameCount: frames) { Float(Maths.sin(Double($0) * 0.0576)) }),
            ("a square wave", Sound.every(count, frameCount: frames) { $0 / 120 & 1 == 0 ? 1 : -1 }),
            ("a constant", Sound.every(count, frameCount: frames) { _ in 1 }),
        ]
        var loudest: Float = 0
        for (name, sound) in sounds {
            trial.doing("hearing \(name) at full scale")
            let output = try bench.render(sound)
            try trial.requireFinite(output)
            loudest = max(loudest, output.peak)
            if name == "a sine", output.offset > audible {
                trial.warn("Of a sine at full scale it makes a constant of \(Wording.decibels(output.offset)).")
            }
        }
        try bench.close()
        trial.fact("peak", Double(loudest))
        if loudest > absurd {
            trial.fail("It amplifies full scale to \(Wording.decibels(loudest)).")
        } else if loudest > loud {
            trial.warn("It amplifies full scale to \(Wording.decibels(loudest)).")
        }
    }
}
