// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frame at which a scheduled change takes effect. Thread of the case.

import AudioUnits
import PluginHosting

struct SampleAccuracyCase: ValidationCase {
    static let name = "sample-accuracy"
    static let summary = "a change scheduled at a frame changes nothing before it"
    private static let most = 5
    /// A frame inside the third block.
    private static let frame = 1211

    static func run(_ trial: Trial) throws(CaseEnd) {
        var noise: Sound?
        func sound(_ change: (HostedUnit) throws(HostingError) -> Void) throws(CaseEnd) -> Sound {
            try trial.renderFresh { (bench) throws(CaseEnd) in
                let played = noise ?? Sound.noise(bench.channelCount, frameCount: 4096, using: &trial.random)
                noise = played
                try trial.attempt { () throws(HostingError) in try change(bench.unit) }
                return try bench.render(played)
            }
        }
        trial.doing("rendering without a change")
        let parameters = try trial.open().settableParameters
        guard !parameters.isEmpty else { throw .notApplicable("It has no parameters.") }
        // A change to the same value also splits the block there, which may change the rounding.
        let (standing, value) = (parameters[0].keyPath, parameters[0].parameter.defaultValue)
        func unchanged() throws(CaseEnd) -> Sound {
            try sound { (unit) throws(HostingError) in try unit.schedule(standing, to: value, at: Int64(frame)) }
        }
        let plain = try unchanged()
        var exact = 0
        for (keyPath, parameter) in trial.choose(parameters, atMost: most) {
            let value = parameter.end(farthestFrom: parameter.defaultValue)
            trial.doing("rendering with \(keyPath) scheduled to become \(value) at frame \(frame)")
            let changed = try sound { (unit) throws(HostingError) in
                try unit.schedule(keyPath, to: value, at: Int64(frame))
            }
            try trial.requireFinite(changed)
            guard let first = plain.firstDifference(from: changed) else { continue }
            if first == frame { exact += 1 }
            guard first < frame else { continue }
            try trial.expectEqual(plain[0..<frame], changed[0..<frame]) {
                "A change of \(keyPath) at frame \(frame) is heard before that, \($0)."
            } again: { () throws(CaseEnd) in
                try unchanged()[0..<frame]
            }
        }
        trial.fact("heardAtTheFrameItself", Double(exact))
    }
}
