// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The forbidden calls of a unit on its render thread. Thread of the case.

import PluginHosting

struct RenderThreadCase: ValidationCase {
    static let name = "render-thread"
    static let summary = "while it renders it neither allocates, locks, sleeps nor touches files"

    static func run(_ trial: Trial) throws(CaseEnd) {
        guard let library = RenderWatch.libraryPath else {
            return trial.warn("What it does while it renders could not be watched: \(RenderWatch.libraryName) is not installed.")
        }
        let watch = try RenderWatch()
        let unit = try trial.open(adding: watch.addition(library: library))
        let bench = try Bench(trial, unit)
        trial.doing("rendering with values that change")
        for block in 0..<120 {
            if block % 4 == 1 { try trial.randomize(unit) }
            if block % 40 == 20 { try trial.attempt { () throws(HostingError) in try unit.reset() } }
            _ = try bench.renderNoise(512)
        }
        try bench.close()
        guard let counts = watch.counts else {
            return trial.fail("It wrote nonsense where its render thread is watched, so that nothing can be said of that.")
        }
        trial.fact("rendersWatched", Double(counts.renderCount))
        guard counts.renderCount > 0 else {
            return trial.remark("It does not say when it renders, so that nothing can be watched.")
        }
        for offence in counts.offences {
            trial.fact(offence.name, Double(offence.count))
            let by = offence.first.isEmpty ? "" : ", at first \(offence.first)"
            trial.warn(
                "While it rendered \(counts.renderCount) blocks it \(offence.phrase) \(Wording.count(offence.count, "time"))\(by).")
        }
    }
}
