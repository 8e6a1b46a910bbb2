// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that is opened again and again. Thread of the case.

import LinuxSystem
import PluginHosting

struct OpeningCase: ValidationCase {
    static let name = "opening"
    static let summary = "it opens, cold and warm, in time, and says the same of itself each time"
    private static let rounds = 6
    private static let slowMilliseconds = 1000.0

    static func run(_ trial: Trial) throws(CaseEnd) {
        var first: HostedUnit?
        var warm: [Double] = []
        for round in 1...rounds {
            trial.doing("opening it, time \(round) of \(rounds)")
            let started = MonotonicClock.now()
            let unit = try trial.open()
            let milliseconds = Double(MonotonicClock.now() - started) / 1e6
            if let first { compare(unit, with: first, round, trial) }
            if round > 1 { warm.append(milliseconds) } else { trial.fact("coldMilliseconds", milliseconds) }
            first = first ?? unit
        }
        let median = warm.sorted()[warm.count / 2]
        trial.fact("warmMilliseconds", median)
        if median > slowMilliseconds { trial.warn("It takes \(Wording.tenths(median / 1000)) s to open.") }
    }

    private static func compare(_ unit: HostedUnit, with first: HostedUnit, _ round: Int, _ trial: Trial) {
        let what =
            unit.description != first.description
            ? "buses and names"
            : unit.parameters != first.parameters ? "parameters" : unit.factoryPresets != first.factoryPresets ? "presets" : nil
        if let what { trial.fail("Opened for the \(round). time it says other things of its \(what) than at first.") }
    }
}
