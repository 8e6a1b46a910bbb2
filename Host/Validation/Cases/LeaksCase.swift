// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Memory, descriptors and threads that a unit does not free. Thread of the case.

import LinuxSystem
import PluginHosting

struct LeaksCase: ValidationCase {
    static let name = "leaks"
    static let summary = "memory, descriptors and threads come back after its resources were taken"
    static let patience = 3.0
    private static let rounds = 100
    /// The rounds that are not counted: allocators keep memory that they have once had.
    private static let warmUp = 20
    private static let budget: UInt64 = 4_000_000_000
    private static let slackKiB = 256

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        guard let process = unit.processIdentifier else { throw .failed("It has no process.") }
        var census: [Census] = []
        let started = MonotonicClock.now()
        trial.doing("being given resources and losing them again")
        while census.count < rounds, census.count < 30 || MonotonicClock.now() < started + budget {
            let bench = try Bench(trial, unit)
            _ = try bench.renderNoise(256)
            try bench.close()
            census.append(Census(process))
        }
        trial.fact("rounds", Double(census.count))
        judge(census, trial)
    }

    private static func judge(_ census: [Census], _ trial: Trial) {
        let (first, last) = (census[warmUp], census[census.count - 1])
        let counted = census.count - 1 - warmUp
        for (what, before, after) in [
            ("descriptor", first.descriptorCount, last.descriptorCount), ("thread", first.threadCount, last.threadCount),
        ] where after - before >= counted / 2 {
            trial.fail(
                "\(counted) times it was given resources and lost them, and it keeps \(Wording.count(after - before, what)) of it.")
        }
        // A leak grows in both halves of the rounds.
        let middle = census[warmUp + counted / 2]
        let growth = (middle.privateKiB - first.privateKiB, last.privateKiB - middle.privateKiB)
        trial.fact("grownKiB", Double(growth.0 + growth.1))
        guard growth.0 + growth.1 > slackKiB, min(growth.0, growth.1) > slackKiB / 4 else { return }
        let sentence = "\(counted) times it was given resources and lost them, and its memory grew by \(growth.0 + growth.1) KiB."
        // Memory that a classic plug-in never frees is freed with its own process.
        let isGrave = growth.0 + growth.1 > 4 * slackKiB && trial.component.format == .native
        if isGrave { trial.fail(sentence) } else { trial.warn(sentence) }
    }
}
