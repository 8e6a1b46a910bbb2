// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A summary as a table and a list of what did not pass, for a document that people read. Any thread.

extension ValidationSummary {
    /// Counts in a table, a line for each case that failed, and the warnings, each with those whom it concerns.
    public var markdown: String {
        let verdicts = Verdict.allCases
        var lines = ["| plug-ins | \(verdicts.map(\.rawValue).joined(separator: " | ")) |"]
        lines.append("| " + [String](repeating: "---:", count: verdicts.count + 1).joined(separator: " | ") + " |")
        let numbers = [units.count] + verdicts.map { counts[$0.rawValue] ?? 0 }
        lines.append("| " + numbers.map(String.init).joined(separator: " | ") + " |")
        let failures = units.filter(\.verdict.isFailure).sorted { $0.id < $1.id }
        if !failures.isEmpty { lines += ["", "What does not pass:", ""] + failures.flatMap(\.failureLines) }
        let warnings = warningLines
        if !warnings.isEmpty { lines += ["", "Warnings:", ""] + warnings }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Cases, the most frequent first, with the units that each warns of.
    private var warningLines: [String] {
        var unitsByCase: [String: [String]] = [:]
        for unit in units {
            for report in unit.cases where report.findings.contains(where: { $0.verdict == .warning }) {
                unitsByCase[report.caseName, default: []].append(unit.shortName)
            }
        }
        let sorted = unitsByCase.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return sorted.map { "- **\($0.key)** (\($0.value.count)): \($0.value.sorted().joined(separator: ", "))" }
    }
}

extension UnitReport {
    /// The identifier without its format, as code.
    fileprivate var shortName: String { "`\(id.drop { $0 != ":" }.dropFirst())`" }

    fileprivate var failureLines: [String] {
        cases.filter(\.verdict.isFailure).flatMap { report in
            report.findings.filter(\.verdict.isFailure).map { finding in
                "- `\(id)` \(finding.verdict.rawValue) in **\(report.caseName)**: \(finding.sentence)"
            }
        }
    }
}
