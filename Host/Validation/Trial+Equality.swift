// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares two sounds that should be equal, if the unit is deterministic. Thread of the case.

import PluginHosting

extension Trial {
    /// Opens a unit, renders it, and closes it before the next one is opened.
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

    /// Reports a difference between two sounds; `sentence` gets its position and size.
    ///
    /// `verdict` decides by the largest difference between a failure and a warning.
    ///
    /// A unit that renders `left` differently `again` is not deterministic. Equality has no meaning then, and only that is
    /// remarked.
    func expectEqual(
        _ left: Sound, _ right: Sound, verdict: (Float) -> Verdict = audible, sentence: (String) -> String,
        again: () throws(CaseEnd) -> Sound
    ) throws(CaseEnd) {
        guard let frame = left.firstDifference(from: right) else { return }
        // Some plug-ins plan their Fourier transforms by timing them, and differ only now and then.
        for _ in 0..<3 where try again().firstDifference(from: left) != nil {
            return remark("It is not deterministic, so that equality says nothing here.")
        }
        let difference = left.largestDifference(from: right)
        let words = sentence("from frame \(frame) on, by \(Wording.decibels(difference)) at most")
        if verdict(difference) == .fail { fail(words) } else { warn(words) }
    }

    /// An inaudible difference (below -96 dB) is a warning.
    static func audible(_ difference: Float) -> Verdict { difference > 1.6e-5 || difference.isNaN ? .fail : .warning }
}
