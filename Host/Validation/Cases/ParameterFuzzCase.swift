// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random values at random frames of blocks of random sizes. Thread of the case.

import AudioUnits
import PluginHosting

struct ParameterFuzzCase: ValidationCase {
    static let name = "parameter-fuzz"
    static let summary = "random changes at random frames of random blocks put out numbers"
    private static let blocks = 200
    private static let mostChanges = 12

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let parameters = unit.settableParameters
        guard !parameters.isEmpty else { throw .notApplicable("It has no parameters.") }
        let bench = try Bench(trial, unit)
        for block in 1...blocks {
            let size = Int.random(in: 1...512, using: &trial.random)
            for _ in 0..<Int.random(in: 0...mostChanges, using: &trial.random) {
                // Cannot trap: there are some, or the case has ended.
                let (keyPath, parameter) = parameters.randomElement(using: &trial.random)!
                try change(unit, keyPath, trial.randomValue(of: parameter), at: bench.sampleTime, size, trial)
            }
            trial.doing("rendering block \(block) of random changes")
            try trial.requireFinite(try bench.renderNoise(size))
        }
        try bench.close()
    }

    /// Sets a value at once, or schedules it inside the next block.
    private static func change(
        _ unit: HostedUnit, _ keyPath: String, _ value: Double, at start: Int64, _ size: Int, _ trial: Trial
    ) throws(CaseEnd) {
        if Bool.random(using: &trial.random) { return try trial.set(unit, keyPath, value) }
        let time = start + Int64(Int.random(in: 0..<size, using: &trial.random))
        try trial.attempt { () throws(HostingError) in try unit.schedule(keyPath, to: value, at: time) }
    }
}
