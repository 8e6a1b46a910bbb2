// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A state saved by one unit and restored by another. Thread of the case.

import AudioUnits
import PluginHosting

struct StateRoundTripCase: ValidationCase {
    static let name = "state-round-trip"
    static let summary = "a fresh unit that is given a state saves the same one"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let first = try trial.open()
        try trial.randomize(first)
        trial.doing("saving its state")
        let saved = try trial.save(first)
        let again = try trial.save(first)
        let second = try trial.open()
        trial.doing("restoring its state")
        try trial.attempt { () throws(HostingError) in try second.restoreState(saved) }
        let restored = try trial.save(second)
        // What is no state but a time stamp differs from one save to the next.
        let ignoresCustom = again.custom != saved.custom
        if ignoresCustom { trial.remark("Its own part of the state differs from one save to the next.") }
        trial.compare(saved, restored, "restoring it in a fresh unit", ignoresCustom: ignoresCustom)
        try restoreWhileRendering(saved, ignoresCustom: ignoresCustom, trial)
    }

    private static func restoreWhileRendering(_ saved: FullState, ignoresCustom: Bool, _ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let bench = try Bench(trial, unit)
        _ = try bench.renderNoise(1024)
        trial.doing("restoring its state while it renders")
        try trial.attempt { () throws(HostingError) in try unit.restoreState(saved) }
        try trial.requireFinite(try bench.renderNoise(2048))
        trial.compare(saved, try trial.save(unit), "restoring it in a unit that renders", ignoresCustom: ignoresCustom)
        try bench.close()
    }
}

extension Trial {
    func save(_ unit: HostedUnit) throws(CaseEnd) -> FullState {
        try attempt { () throws(HostingError) in try unit.saveState() }
    }

    /// Fails for each difference between two states.
    func compare(_ saved: FullState, _ restored: FullState, _ act: String, ignoresCustom: Bool = false) {
        for keyPath in Set(saved.values.keys).union(restored.values.keys).sorted()
        where saved.values[keyPath] != restored.values[keyPath] {
            let (before, after) = (Self.text(saved.values[keyPath]), Self.text(restored.values[keyPath]))
            fail("Its state has \(before) for \(keyPath), and \(after) after \(act).")
        }
        for identifier in Set(saved.texts.keys).union(restored.texts.keys).sorted()
        where saved.texts[identifier] != restored.texts[identifier] {
            fail("Its state has another text for \(identifier) after \(act).")
        }
        if !ignoresCustom, saved.custom != restored.custom {
            fail(
                "What it keeps beside parameters has \(saved.custom.count) bytes, and others, \(restored.custom.count), after \(act)."
            )
        }
    }

    private static func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "nothing" }
}
