// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Two runs with the same input. Thread of the case.

import PluginHosting

struct DeterminismCase: ValidationCase {
    static let name = "determinism"
    static let summary = "two fresh units with the same input put out the same bits"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let random = trial.random
        func sound() throws(CaseEnd) -> Sound {
            trial.random = random
            return try trial.renderFresh { (bench) throws(CaseEnd) in
                try bench.renderNoise(16_384)
            }
        }
        trial.doing("rendering the same twice")
        let first = try sound()
        let second = try sound()
        try trial.requireFinite(second)
        guard let frame = first.firstDifference(from: second) else { return }
        let level = Wording.decibels(first.largestDifference(from: second))
        trial.warn("Two runs with the same input differ, from frame \(frame) on by up to \(level): it is not deterministic.")
    }
}
