// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The results of all cases of one unit, as JSON for scripts and as text. Any thread.

import PluginHosting

/// `[any]` One unit's results.
package struct UnitReport: Codable, Sendable {
    /// The component's identifier.
    package var id: String
    /// The component's name.
    package var name: String
    /// The plug-in format, such as `lv2`.
    package var format: String
    /// The component's version.
    package var version: String
    /// The worst result of its cases.
    package var verdict: Verdict
    /// The cases, in the order in which they are listed.
    package var cases: [CaseReport]

    init(_ component: Component, cases: [CaseReport], inOrder names: [String]) {
        id = component.id
        name = component.name
        format = component.format.rawValue
        version = component.version.description
        verdict = cases.map(\.verdict).max() ?? .pass
        self.cases = names.compactMap { name in cases.first { $0.caseName == name } }
    }

    /// The milliseconds of all its cases.
    package var milliseconds: Double { cases.reduce(0) { $0 + $1.milliseconds } }

    /// The command that repeats one of its cases, with the same seed.
    package func command(for report: CaseReport) -> String {
        "bulkhead validate \(ShellWord.quoted(id)) --case \(report.caseName) --reproduce \(report.seed)"
    }
}

extension UnitReport {
    /// One line: the result, the unit, and the number of cases by result.
    package var line: String {
        let counted = Verdict.allCases.reversed().compactMap { verdict -> String? in
            let count = cases.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.rawValue)"
        }
        let seconds = Wording.tenths(milliseconds / 1000)
        return "\(verdict.rawValue.padded(to: 7))  \(id)  \(name)  (\(counted.joined(separator: ", ")); \(seconds) s)"
    }

    /// The findings with the commands that reproduce them; empty if every case passed.
    package var findingLines: [String] {
        cases.filter { $0.verdict != .pass }.flatMap { report -> [String] in
            report.findings.map { "    \($0.verdict.rawValue.padded(to: 7))  \(report.caseName): \($0.sentence)" }
                + ["             \(command(for: report))"]
        }
    }

    /// The whole report, for a file.
    package var text: String {
        var lines = [line, ""]
        for report in cases {
            lines.append("\(report.verdict.rawValue.padded(to: 7))  \(report.caseName)  \(Wording.tenths(report.milliseconds)) ms")
            lines += report.findings.map { "         \($0.verdict.rawValue): \($0.sentence)" }
            lines += report.remarks.map { "         \($0)" }
            lines += report.facts.sorted { $0.key < $1.key }.map { "         \($0.key) = \($0.value)" }
            if report.verdict != .pass { lines.append("         again: \(command(for: report))") }
            if !report.output.isEmpty {
                lines.append("         It printed:")
                lines += report.output.split(separator: "\n").prefix(20).map { "           | \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// `[any]` The results of all units.
package struct ValidationSummary: Codable, Sendable {
    /// The seed of the random numbers.
    package var seed: UInt64
    /// The worst result of all units.
    package var verdict: Verdict
    /// The number of units by result.
    package var counts: [String: Int]
    /// The units' reports.
    package var units: [UnitReport]

    /// Summarizes the reports of units that were tested with a seed.
    package init(seed: UInt64, units: [UnitReport]) {
        self.seed = seed
        self.units = units
        verdict = units.map(\.verdict).max() ?? .pass
        counts = Dictionary(grouping: units, by: \.verdict.rawValue).mapValues(\.count)
    }

    /// One line: the number of units by result, and the seed.
    package var line: String {
        let parts = Verdict.allCases.compactMap { verdict in counts[verdict.rawValue].map { "\($0) \(verdict.rawValue)" } }
        return "\(Wording.count(units.count, "unit")): \(parts.joined(separator: ", ")). Seed \(seed)."
    }
}
