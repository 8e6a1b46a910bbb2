// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Several units of a component at once. Thread of the case.

import PluginHosting

struct InstancesCase: ValidationCase {
    static let name = "instances"
    static let summary = "several of it render at once, and none hears of the others"
    private static let count = 4

    static func run(_ trial: Trial) throws(CaseEnd) {
        var benches: [Bench] = []
        for index in 1...count {
            trial.doing("opening instance \(index) of \(count)")
            benches.append(try Bench(trial, try trial.open()))
        }
        let noise = Sound.noise(benches[0].channelCount, frameCount: 4096, using: &trial.random)
        // They render in turn, block by block: state that instances share by mistake would show.
        var outputs = [Sound](repeating: noise[0..<0], count: count)
        for start in stride(from: 0, to: noise.frameCount, by: 512) {
            for (index, bench) in benches.enumerated() {
                trial.doing("rendering with \(count) instances, in number \(index + 1)")
                let sound = try bench.render(noise[start..<(start + 512)])
                outputs[index] = outputs[index] + sound
            }
        }
        for bench in benches { try bench.close() }
        for output in outputs {
            try trial.requireFinite(output)
            try trial.expectEqual(outputs[0], output) {
                "Two instances with the same input sound different, \($0)."
            } again: {
                () throws(CaseEnd) in
                try trial.renderFresh { (bench) throws(CaseEnd) in try bench.render(noise) }
            }
        }
    }
}
