// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A summary as a table and a list of findings, for a document. Any thread.

extension ValidationSummary {
    /// The counts as a table, one line for each failed case, and the warnings with their units.
    package var markdown: String {
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

    /// The cases with warnings, the most frequent first, each with its units.
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
