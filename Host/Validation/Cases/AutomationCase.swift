// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ramps whose points lie at the edges of blocks. Thread of the case.

import AudioUnits
import PluginHosting

struct AutomationCase: ValidationCase {
    static let name = "automation"
    static let summary = "lanes with points at the edges of blocks are followed, and put out numbers"
    private static let most = 24
    private static let blockSize = 128

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let parameters = trial.choose(unit.settableParameters, atMost: most)
        guard !parameters.isEmpty else { throw .notApplicable("It has no parameters.") }
        for ramps in [true, false] {
            let lanes = parameters.map { lane($0.parameter, ramps: ramps, trial) }
            let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: blockSize, automation: lanes))
            trial.doing("following automation in \(ramps ? "lines" : "steps")")
            try trial.requireFinite(try bench.renderNoise(40 * blockSize))
            try checkEnds(unit, lanes, trial)
            try bench.close()
        }
    }

    /// Points on the first and the last frame of blocks, beside them, and close together.
    private static func lane(_ parameter: Parameter, ramps: Bool, _ trial: Trial) -> AutomationLane {
        let edges = (1...16).map { $0 * blockSize }
        let times = edges.flatMap { [$0 - 1, $0, $0 + 1] } + [0, 1]
        let points = times.map { time in
            let isAnywhere = time == times.max() || Bool.random(using: &trial.random)
            let end = time & 1 == 0 ? parameter.range.lowerBound : parameter.range.upperBound
            let value = isAnywhere ? trial.randomValue(of: parameter) : end
            return AutomationLane.Point(sampleTime: Int64(time), value: parameter.step(near: value))
        }
        return AutomationLane(address: parameter.address, points: points, ramps: ramps && parameter.flags.contains(.canRamp))
    }

    /// Checks that each parameter keeps the value of its last point.
    private static func checkEnds(_ unit: HostedUnit, _ lanes: [AutomationLane], _ trial: Trial) throws(CaseEnd) {
        let state = try trial.attempt { () throws(HostingError) in try unit.saveState() }
        for lane in lanes {
            guard let keyPath = unit.parameters.keyPath(ofAddress: lane.address), let end = lane.points.last?.value else {
                continue
            }
            guard let value = state.values[keyPath], value != end else { continue }
            // A trigger returns by itself, so this is a warning.
            trial.warn("Automation left \(keyPath) at \(value), and its last point is \(end).")
        }
    }
}
