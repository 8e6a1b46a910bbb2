// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether two sounds that should be equal are, and whether that can be told of such a unit at all. Thread of the case.

import PluginHosting

extension Trial {
    /// Opens a unit, has it rendered, and closes it before anybody opens the next.
    func renderFresh(
        _ settings: BenchSettings = BenchSettings(), inProcess: Bool = false,
        prepare: (HostedUnit) throws(CaseEnd) -> Void = { (_) throws(CaseEnd) in },
        _ body: (Bench) throws(CaseEnd) -> Sound
    ) throws(CaseEnd) -> Sound {
        let unit = try open(inProcess: inProcess)
        try prepare(unit)
        let bench = try Bench(self, unit, settings)
        let sound = try body(bench)
        try bench.close()
        return sound
    }

    /// Says so when two sounds differ, with what `sentence` makes of where and how much: a failure, or what `verdict`
    /// makes of the largest difference.
    ///
    /// A unit that renders `left` otherwise when it is asked `again` is not deterministic, and nothing can be told.
    func expectEqual(
        _ left: Sound, _ right: Sound, verdict: (Float) -> Verdict = audible, sentence: (String) -> String,
        again: () throws(CaseEnd) -> Sound
    ) throws(CaseEnd) {
        guard let frame = left.firstDifference(from: right) else { return }
        // Some plan their Fourier transforms by timing them, and differ now and then only.
        for _ in 0..<3 where try again().firstDifference(from: left) != nil {
            return remark("It is not deterministic, so that equality says nothing here.")
        }
        let difference = left.largestDifference(from: right)
        let words = sentence("from frame \(frame) on, by \(Wording.decibels(difference)) at most")
        if verdict(difference) == .fail { fail(words) } else { warn(words) }
    }

    /// What nobody hears (below -96 dB) is worth a warning.
    static func audible(_ difference: Float) -> Verdict { difference > 1.6e-5 || difference.isNaN ? .fail : .warning }
}
