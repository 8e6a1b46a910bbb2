// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The claimed latency of a unit, and its real latency. Thread of the case.

struct LatencyCase: ValidationCase {
    static let name = "latency"
    static let summary = "an impulse comes out as late as the latency it claims says, which it knows before its first block"
    private static let start = 2048
    private static let level: Float = 0.5

    /// The position of the response to an impulse, in frames after it.
    private struct Answer {
        let peak: Int
        /// The first and the last frame within 40 dB of the peak.
        let onset: Int
        let end: Int
        /// True if almost all energy lies in a few frames around the peak.
        let isClean: Bool

        init?(_ sound: Sound) {
            let energies = (0..<sound.frameCount).map { frame in
                sound.channels.reduce(0.0) { $0 + Double($1[frame]) * Double($1[frame]) }
            }
            let largest = energies.max() ?? 0
            guard largest > 1e-10, let peak = energies.firstIndex(of: largest) else { return nil }
            self.peak = peak
            onset = energies.firstIndex { $0 > largest * 1e-4 } ?? peak
            end = energies.lastIndex { $0 > largest * 1e-4 } ?? peak
            let around = energies[max(0, peak - 2)..<min(energies.count, peak + 3)].reduce(0, +)
            isClean = around > 0.98 * energies.reduce(0, +)
        }
    }

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open())
        let first = bench.member.latencyFrameCount
        trial.doing("answering an impulse")
        let before = try bench.renderSilence(start)
        let claimed = bench.member.latencyFrameCount
        trial.fact("claimedFrames", Double(claimed))
        if claimed != first { tellOfChange(first, claimed, trial) }
        let sound = try bench.render(
            Sound.impulse(bench.channelCount, frameCount: claimed + 16_384, at: 0, level: level))
        try trial.requireFinite(sound)
        guard before.peak < 1e-4 else { return trial.remark("It sounds by itself, so that its latency cannot be told.") }
        guard let answer = Answer(sound) else {
            return trial.remark("It does not answer an impulse, so that its latency cannot be told.")
        }
        trial.fact("measuredFrames", Double(answer.peak))
        if answer.peak != claimed {
            try judge([answer] + otherAnswers(bench, claimed, trial), claimed, trial)
        }
        try bench.close()
    }

    /// Reports a changed latency before any cause for a change: a host aligns its sound before the first block is heard.
    private static func tellOfChange(_ first: Int, _ claimed: Int, _ trial: Trial) {
        trial.fact("firstClaimedFrames", Double(first))
        trial.fail(
            "It claims a latency of \(Wording.count(first, "frame")) before it renders, and of \(claimed) once it has rendered.")
    }

    /// Measures the response several times.
    ///
    /// A modulated delay varies, and its unit claims the middle; parameters decide its range.
    private static func otherAnswers(_ bench: Bench, _ claimed: Int, _ trial: Trial) throws(CaseEnd) -> [Answer] {
        var answers: [Answer] = []
        for (index, distance) in [997, 5_003, 12_007, 20_011, 7_001, 9_001, 3_001, 11_003].enumerated() {
            if index > 3 { try trial.randomize(bench.unit) }
            _ = try bench.renderSilence(distance)
            let impulse = Sound.impulse(bench.channelCount, frameCount: claimed + 16_384, at: 0, level: level)
            if let answer = Answer(try bench.render(impulse)) { answers.append(answer) }
        }
        return answers
    }

    private static func judge(_ answers: [Answer], _ claimed: Int, _ trial: Trial) {
        let (first, last) = (answers.map(\.peak).min() ?? 0, answers.map(\.peak).max() ?? 0)
        guard last - first > 2, (first...last).contains(claimed) else { return judge(answers[0], claimed, trial) }
        trial.remark("An impulse comes out after \(first) to \(last) frames, and it claims a latency of \(claimed).")
    }

    private static func judge(_ answer: Answer, _ claimed: Int, _ trial: Trial) {
        let difference = "It claims a latency of \(Wording.count(claimed, "frame")), and an impulse comes out after \(answer.peak)"
        if abs(answer.peak - claimed) <= 1 {
            trial.remark("\(difference).")
        } else if answer.isClean, claimed > 0 {
            // A difference below a tenth of a millisecond is at most audible as a change of tone.
            if abs(answer.peak - claimed) < 5 { trial.warn("\(difference).") } else { trial.fail("\(difference).") }
        } else if answer.onset > claimed, claimed > 0 {
            trial.warn("\(difference).")
        } else if answer.onset > claimed {
            trial.remark(
                "An impulse comes out after \(Wording.count(answer.onset, "frame")): a delay, or a latency that it does not claim.")
        } else if answer.end < claimed {
            trial.fail(
                "It claims a latency of \(Wording.count(claimed, "frame")), and all of an impulse has come out after \(answer.end)."
            )
        } else {
            trial.remark("It smears an impulse, so that its latency cannot be told.")
        }
    }
}
