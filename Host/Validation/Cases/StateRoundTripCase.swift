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
        // Private state that contains a time stamp differs between two saves.
        let ignoresCustom = again.custom != saved.custom
        if ignoresCustom { trial.remark("Its own part of the state differs from one save to the next.") }
        trial.compare(saved, restored, "restoring it in a fresh unit", ignoresCustom: ignoresCustom)
        try restoreWhileRendering(saved, ignoresCustom: ignoresCustom, trial)
    }

    /// Saves the state of a rendering unit, and restores it in another one.
    ///
    /// Some units save more while they render, and some change their own values, as a trigger that returns does.
    private static func restoreWhileRendering(_ values: FullState, ignoresCustom: Bool, _ trial: Trial) throws(CaseEnd) {
        let first = try Bench(trial, try trial.open())
        trial.doing("restoring its state while it renders")
        try trial.attempt { () throws(HostingError) in try first.unit.restoreState(values) }
        _ = try first.renderNoise(2048)
        let saved = try trial.save(first.unit)
        try first.close()
        let second = try Bench(trial, try trial.open())
        _ = try second.renderNoise(1024)
        try trial.attempt { () throws(HostingError) in try second.unit.restoreState(saved) }
        try trial.requireFinite(try second.renderNoise(2048))
        trial.compare(
            saved, try trial.save(second.unit), "restoring it in another unit that renders", ignoresCustom: ignoresCustom)
        try second.close()
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
        guard !ignoresCustom, saved.custom != restored.custom else { return }
        let start = zip(saved.custom, restored.custom).prefix { $0 == $1 }.count
        let (before, after) = (Self.text(saved.custom, from: start), Self.text(restored.custom, from: start))
        let parting = "from byte \(start) on \"\(before)\", and then \"\(after)\""
        // A plug-in that keeps a table may write its rows in any order.
        if saved.custom.sorted() == restored.custom.sorted() {
            warn("What it keeps beside parameters stands in another order after \(act): \(parting).")
        } else {
            fail(
                "What it keeps beside parameters has \(saved.custom.count) bytes, and \(restored.custom.count) after \(act): \(parting)."
            )
        }
    }

    /// Some bytes as text, with dots for bytes that are not printable.
    private static func text(_ bytes: [UInt8], from start: Int) -> String {
        String(decoding: bytes.dropFirst(start).prefix(32).map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }, as: UTF8.self)
    }

    private static func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "nothing" }
}
