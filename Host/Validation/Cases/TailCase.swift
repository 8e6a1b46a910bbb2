// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tail of a unit after its input fell silent, and its claimed tail. Thread of the case.

struct TailCase: ValidationCase {
    static let name = "tail"
    static let summary = "after the tail that it claims it is silent"
    /// The permitted remaining level: 60 dB below the loudest output, or inaudible.
    private static let share: Float = 0.001
    private static let inaudible: Float = 1e-5
    private static let longestSeconds = 30

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open(), BenchSettings(maximumFrameCount: 2048))
        let tail = bench.member.tailFrameCount
        guard tail < .max else { return trial.remark("It claims to sound for ever.") }
        trial.fact("tailFrames", Double(tail))
        guard tail <= longestSeconds * 48_000 else {
            return trial.remark("Its tail of \(tail / 48_000) s is longer than anybody waits for.")
        }
        trial.doing("hearing noise")
        let loud = try bench.renderNoise(24_000).peak
        trial.doing("sounding after its input fell silent")
        _ = try bench.renderSilence(tail + bench.member.latencyFrameCount)
        let rest = try bench.renderSilence(4800)
        try bench.close()
        try trial.requireFinite(rest)
        trial.fact("rest", Double(rest.peak))
        guard rest.peak > max(inaudible, loud * share) else { return }
        trial.fail(
            "It claims a tail of \(Wording.count(tail, "frame")) and still sounds at \(Wording.decibels(rest.peak)) after it.")
    }
}
