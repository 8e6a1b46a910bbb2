// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Numbers so small that they slow processors down. Thread of the case.

import PluginHosting

struct DenormalsCase: ValidationCase {
    static let name = "denormals"
    static let summary = "it makes no subnormal numbers of its own, and is not slowed down by any"
    private static let slowdown = 8.0
    /// The nanoseconds of a block below which a time measures the clock, not the unit.
    private static let negligible = 20_000.0

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open())
        let count = bench.channelCount
        trial.doing("hearing noise")
        let noise = Sound.noise(count, frameCount: 8192, using: &trial.random)
        let usual = try nanoseconds(bench, noise).median
        trial.doing("hearing subnormal numbers")
        // The factor is 9e-40, itself subnormal.
        let tiny = Sound(channels: noise.channels.map { $0.map { $0 * Float(bitPattern: 0x000A_0000) } })
        let slow = try nanoseconds(bench, tiny)
        trial.doing("fading away after noise")
        let fading = try nanoseconds(bench, Sound(channelCount: count, frameCount: 24_000))
        try bench.close()
        for sound in [slow.sound, fading.sound] { try trial.requireFinite(sound) }
        if slow.sound.subnormalCount > 0 { trial.remark("It passes subnormal numbers on.") }
        if fading.sound.subnormalCount > 0 {
            trial.warn("It puts out subnormal numbers, \(fading.sound.subnormalCount) of them, when its input has fallen silent.")
        }
        judge(usual, max(slow.median, fading.median), trial)
    }

    private static func judge(_ usual: Double, _ slow: Double, _ trial: Trial) {
        let factor = slow / max(1, usual)
        trial.fact("slowdown", factor)
        guard factor > slowdown, slow > negligible else { return }
        trial.warn("It renders subnormal numbers \(Wording.tenths(factor)) times as long as others.")
    }

    private static func nanoseconds(_ bench: Bench, _ sound: Sound) throws(CaseEnd) -> (median: Double, sound: Sound) {
        var times: [UInt64] = []
        let output = try bench.render(sound) { (start) throws(CaseEnd) in
            if start > 0 { times.append(bench.member.renderNanoseconds) }
        }
        return (Double(times.sorted()[times.count / 2]), output)
    }
}
