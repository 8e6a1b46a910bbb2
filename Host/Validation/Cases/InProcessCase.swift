// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The same unit in the host's process and in its own. Thread of the case.

import AudioUnits
import PluginHosting

struct InProcessCase: ValidationCase {
    static let name = "in-process"
    static let summary = "in the host's own process it puts out the same bits"

    static func run(_ trial: Trial) throws(CaseEnd) {
        guard trial.component.consentsToInProcess, trial.component.libraryPath != nil else {
            throw .notApplicable("It may not be loaded into the host's process.")
        }
        guard trial.component.isTrusted else {
            throw .notApplicable("You have not trusted it to run in the host's process: bulkhead trust \(trial.component.id)")
        }
        let random = trial.random
        func sound(inProcess: Bool) throws(CaseEnd) -> Sound {
            trial.random = random
            return try trial.renderFresh(inProcess: inProcess, prepare: trial.randomize) { (bench) throws(CaseEnd) in
                trial.doing("rendering \(inProcess ? "in the host's process" : "in its own process")")
                let noise = Sound.noise(bench.channelCount, frameCount: 8192, using: &trial.random)
                return try bench.render(noise, blocks: [512, 100, 1, 333, 512]) { (start) throws(CaseEnd) in
                    try change(bench, trial)
                }
            }
        }
        let apart = try sound(inProcess: false)
        let within = try sound(inProcess: true)
        try trial.requireFinite(within)
        try trial.expectEqual(apart, within) {
            "In the host's process it sounds otherwise than in its own, \($0)."
        } again: { () throws(CaseEnd) in
            try sound(inProcess: false)
        }
    }

    /// Schedules a random change inside the next block.
    private static func change(_ bench: Bench, _ trial: Trial) throws(CaseEnd) {
        guard let (keyPath, parameter) = bench.unit.settableParameters.randomElement(using: &trial.random) else { return }
        let value = trial.randomValue(of: parameter)
        try trial.attempt { () throws(HostingError) in
            try bench.unit.schedule(keyPath, to: value, at: bench.sampleTime + 50, rampFrameCount: 64)
        }
    }
}
