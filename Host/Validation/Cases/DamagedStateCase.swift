// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// States that are empty, damaged or from another unit. Thread of the case.

import AudioUnits
import PluginHosting

struct DamagedStateCase: ValidationCase {
    static let name = "damaged-state"
    static let summary = "empty, foreign and damaged states are refused, or taken without harm"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        try trial.randomize(unit)
        let good = try trial.save(unit)
        for (what, state) in foreign(good) { try expectRefusal(unit, what, state, trial) }
        for (what, state) in outOfRange(unit, good) { try expectRefusal(unit, what, state, trial) }
        for (what, state) in damaged(good, &trial.random) { try survive(unit, what, state, trial) }
        trial.doing("rendering after damaged states")
        try trial.attempt { () throws(HostingError) in try unit.restoreState(good) }
        let bench = try Bench(trial, unit)
        try trial.requireFinite(try bench.renderNoise(2048))
        for (what, state) in damaged(good, &trial.random) {
            try survive(unit, what, state, trial)
            try trial.requireFinite(try bench.renderNoise(512))
        }
        try bench.close()
    }

    private static func foreign(_ good: FullState) -> [(String, FullState)] {
        var other = good
        other.component.subtype = other.component.subtype == "zzzz" ? "yyyy" : "zzzz"
        var newer = good
        newer.version = UnitVersion(rawValue: .max)
        return [("another component's state", other), ("a newer version's state", newer)]
    }

    private static func outOfRange(_ unit: HostedUnit, _ good: FullState) -> [(String, FullState)] {
        guard let (keyPath, parameter) = unit.settableParameters.first else { return [] }
        return [parameter.valueAbove, -.infinity, .nan].map { value in
            var state = good
            state.values[keyPath] = value
            return ("a state with \(value) for \(keyPath)", state)
        }
    }

    private static func damaged(_ good: FullState, _ random: inout SeededRandom) -> [(String, FullState)] {
        var empty = good
        empty.values = [:]
        empty.texts = [:]
        empty.custom = []
        var unknown = good
        unknown.values["there.is.no.such.parameter"] = 1
        var states = [("an empty state", empty), ("a state with an unknown parameter", unknown)]
        var truncated = good
        truncated.custom = Array(good.custom.prefix(good.custom.count / 2))
        if !good.custom.isEmpty { states.append(("a state cut short", truncated)) }
        for count in [1, 64, 4096] {
            var garbage = good
            garbage.custom = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            states.append(("a state with \(Wording.count(count, "byte")) of garbage", garbage))
        }
        return states
    }

    private static func expectRefusal(_ unit: HostedUnit, _ what: String, _ state: FullState, _ trial: Trial) throws(CaseEnd) {
        if try !survive(unit, what, state, trial) { trial.fail("It took \(what).") }
    }

    /// Tries to restore a state and returns whether the unit refused it.
    ///
    /// A refusal must change nothing.
    @discardableResult
    private static func survive(_ unit: HostedUnit, _ what: String, _ state: FullState, _ trial: Trial) throws(CaseEnd) -> Bool {
        trial.doing("restoring \(what)")
        let before = try trial.save(unit)
        let refusal = try trial.refusal { () throws(HostingError) in try unit.restoreState(state) }
        let after = try trial.save(unit)
        guard refusal != nil else { return false }
        if after != before { trial.warn("It refused \(what), and has changed all the same.") }
        return true
    }
}
