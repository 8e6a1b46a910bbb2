// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every parameter, swept from one end of its range to the other while the unit renders. Thread of the case.

import AudioUnits
import PluginHosting

struct ParameterSweepCase: ValidationCase {
    static let name = "parameter-sweep"
    static let summary = "each parameter swept through its range while it renders puts out numbers"
    private static let steps = 24
    /// The most parameters to sweep; of more than these, the seed chooses some.
    private static let most = 40

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: 64))
        for (keyPath, parameter) in trial.choose(unit.settableParameters, atMost: most) {
            for step in 0...steps {
                let value = parameter.value(at: Double(step) / Double(steps))
                try trial.set(unit, keyPath, value)
                trial.doing("rendering with \(keyPath) at \(value)")
                try trial.requireFinite(try bench.renderNoise(64))
            }
            try trial.set(unit, keyPath, parameter.defaultValue)
        }
        try bench.close()
    }
}

extension Parameter {
    /// The nearest value of the parameter at a share of its range; 0 is the lower end and 1 the upper end.
    func value(at share: Double) -> Double {
        // The width is not used: it may be infinite although both ends are finite.
        step(near: range.lowerBound * (1 - share) + range.upperBound * share)
    }

    /// A value above the accepted range: one more, or the next number if one more changes nothing.
    var valueAbove: Double { max(accepted().upperBound + 1, accepted().upperBound.nextUp) }

    /// The nearest value of the parameter.
    func step(near value: Double) -> Double {
        let isWhole = flags.contains(.integer) || !valueStrings.isEmpty
        return min(range.upperBound, max(range.lowerBound, isWhole ? value.rounded() : value))
    }
}

extension Trial {
    func set(_ unit: HostedUnit, _ keyPath: String, _ value: Double) throws(CaseEnd) {
        try attempt { () throws(HostingError) in try unit.set(keyPath, to: value) }
    }

    /// At most `count` of the elements, chosen by the seed, in their own order.
    func choose<Element>(_ all: [Element], atMost count: Int) -> [Element] {
        guard all.count > count else { return all }
        remark("Of \(all.count) the seed chose \(count).")
        return Array(all.indices.shuffled(using: &random).prefix(count)).sorted().map { all[$0] }
    }
}
