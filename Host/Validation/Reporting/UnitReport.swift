// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What all cases of one unit found together, for scripts and for people. Any thread.

import PluginHosting

/// One unit's results.
public struct UnitReport: Codable, Sendable {
    public var id: String
    public var name: String
    public var format: String
    public var version: String
    /// The worst of its cases.
    public var verdict: Verdict
    public var cases: [CaseReport]

    init(_ component: Component, cases: [CaseReport], inOrder names: [String]) {
        id = component.id
        name = component.name
        format = component.format.rawValue
        version = component.version.description
        verdict = cases.map(\.verdict).max() ?? .pass
        self.cases = names.compactMap { name in cases.first { $0.caseName == name } }
    }

    /// Milliseconds that its cases took, one after the other.
    public var milliseconds: Double { cases.reduce(0) { $0 + $1.milliseconds } }

    /// The command that runs one of its cases again.
    public func command(for report: CaseReport) -> String {
        "bulkhead validate \(ShellWord.quoted(id)) --case \(report.caseName) --reproduce \(report.seed)"
    }
}

extension UnitReport {
    /// One line: the verdict, who it is, and how many cases it took.
    public var line: String {
        let counted = Verdict.allCases.reversed().compactMap { verdict -> String? in
            let count = cases.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.rawValue)"
        }
        let seconds = Wording.tenths(milliseconds / 1000)
        return "\(verdict.rawValue.padded(to: 7))  \(id)  \(name)  (\(counted.joined(separator: ", ")); \(seconds) s)"
    }

    /// What is wrong, a case a paragraph; empty when nothing is.
    public var findingLines: [String] {
        cases.filter { $0.verdict != .pass }.flatMap { report -> [String] in
            report.findings.map { "    \($0.verdict.rawValue.padded(to: 7))  \(report.caseName): \($0.sentence)" }
                + ["             \(command(for: report))"]
        }
    }

    /// Everything, for a file.
    public var text: String {
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

/// All units together.
public struct ValidationSummary: Codable, Sendable {
    public var seed: UInt64
    public var verdict: Verdict
    /// Units by verdict.
    public var counts: [String: Int]
    public var units: [UnitReport]

    public init(seed: UInt64, units: [UnitReport]) {
        self.seed = seed
        self.units = units
        verdict = units.map(\.verdict).max() ?? .pass
        counts = Dictionary(grouping: units, by: \.verdict.rawValue).mapValues(\.count)
    }

    /// One line.
    public var line: String {
        let parts = Verdict.allCases.compactMap { verdict in counts[verdict.rawValue].map { "\($0) \(verdict.rawValue)" } }
        return "\(Wording.count(units.count, "unit")): \(parts.joined(separator: ", ")). Seed \(seed)."
    }
}
