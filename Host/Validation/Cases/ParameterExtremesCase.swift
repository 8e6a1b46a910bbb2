// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every parameter at the ends of its range, alone and with the others. Thread of the case.

import AudioUnits
import PluginHosting

struct ParameterExtremesCase: ValidationCase {
    static let name = "parameter-extremes"
    static let summary = "all parameters at their ends, alone and together, put out numbers"
    private static let most = 64
    private static let corners = 16

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let parameters = unit.settableParameters
        let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: 256))
        try render(bench, "all parameters at their lowest", trial) { $0.range.lowerBound }
        try render(bench, "all parameters at their highest", trial) { $0.range.upperBound }
        for corner in 1...corners {
            var random = trial.random
            try render(bench, "parameters in corner \(corner)", trial) {
                Bool.random(using: &random) ? $0.range.lowerBound : $0.range.upperBound
            }
            trial.random = random
        }
        try render(bench, "all parameters at their defaults again", trial) { $0.defaultValue }
        for (keyPath, parameter) in trial.choose(parameters, atMost: most) {
            for value in [parameter.range.lowerBound, parameter.range.upperBound] {
                try trial.set(unit, keyPath, value)
                trial.doing("rendering with \(keyPath) at \(value)")
                try trial.requireFinite(try bench.renderNoise(256))
            }
            try trial.set(unit, keyPath, parameter.defaultValue)
        }
        try bench.close()
    }

    private static func render(
        _ bench: Bench, _ setting: String, _ trial: Trial, _ value: (Parameter) -> Double
    ) throws(CaseEnd) {
        for (keyPath, parameter) in bench.unit.settableParameters {
            try trial.set(bench.unit, keyPath, parameter.step(near: value(parameter)))
        }
        trial.doing("rendering with \(setting)")
        try trial.requireFinite(try bench.renderNoise(1024))
    }
}
