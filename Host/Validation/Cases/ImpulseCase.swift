// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The response to a single sample. Thread of the case.

struct ImpulseCase: ValidationCase {
    static let name = "impulse"
    static let summary = "the response to a single sample does not grow"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open())
        trial.doing("answering an impulse")
        let quarter = 8192
        let sound = try bench.render(Sound.impulse(bench.channelCount, frameCount: 4 * quarter, at: 0))
        try bench.close()
        try trial.requireFinite(sound)
        let peaks = (0..<4).map { sound[($0 * quarter)..<(($0 + 1) * quarter)].peak }
        trial.fact("peak", Double(sound.peak))
        guard peaks[3] > 4 * max(peaks[0], peaks[1], 1e-3), peaks[3] > peaks[2] else { return }
        trial.fail(
            "Its response to an impulse grows: \(Wording.decibels(peaks[0])) at first and \(Wording.decibels(peaks[3])) after 0.6 s."
        )
    }
}
