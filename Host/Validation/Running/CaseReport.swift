// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The request for a case and its report: one line of JSON each. Any thread.

import PluginHosting
import Printing

/// `[any]` The request for one run of one case.
package struct CaseRequest: Codable, Sendable {
    /// The unit's component.
    package var component: Component
    /// The name of the case.
    package var caseName: String
    /// The seed of the random numbers.
    package var seed: UInt64
    /// The seconds that a case of usual length may take.
    package var timeLimitSeconds: Double

    /// Makes a request.
    package init(component: Component, caseName: String, seed: UInt64, timeLimitSeconds: Double) {
        self.component = component
        self.caseName = caseName
        self.seed = seed
        self.timeLimitSeconds = timeLimitSeconds
    }

    /// The seconds that this case may take: its patience times the limit.
    var caseSeconds: Double { timeLimitSeconds * (ValidationCases.named(caseName)?.patience ?? 1) }
}

/// `[any]` The results of one case.
package struct CaseReport: Codable, Sendable {
    /// The name of the case.
    package var caseName: String
    /// The seed of the random numbers.
    package var seed: UInt64
    /// The worst of the findings.
    package var verdict: Verdict
    /// The faults.
    package var findings: [Finding]
    /// Remarks that are no faults.
    package var remarks: [String]
    /// Measured values by name.
    package var facts: [String: Double]
    /// The milliseconds that the case took.
    package var milliseconds: Double
    /// The beginning of the plug-in's standard output and error.
    package var output: String

    private static let mostFindings = 20
    private static let longestSentence = 600
    private static let mostFacts = 100
    private static let longestName = 80

    /// Makes a report, cut to a size that fits one message.
    package init(
        _ request: CaseRequest, findings: [Finding], remarks: [String] = [], facts: [String: Double] = [:], milliseconds: Double
    ) {
        caseName = request.caseName
        seed = request.seed
        verdict = findings.map(\.verdict).max() ?? .pass
        var kept = Array(findings.sorted { $0.verdict > $1.verdict }.prefix(Self.mostFindings))
        for index in kept.indices { kept[index].sentence = String(kept[index].sentence.prefix(Self.longestSentence)) }
        if findings.count > kept.count { kept.append(Finding(.warning, "And \(findings.count - kept.count) more.")) }
        self.findings = kept
        self.remarks = Self.cleaned(remarks)
        // JSON has no NaN and no infinity.
        self.facts = facts.filter { $0.value.isFinite }
        self.milliseconds = milliseconds
        output = ""
    }

    /// The trusted part of the report: the process that sent it may have loaded a plug-in.
    ///
    /// It concerns this request, and has a limited size and no control characters.
    func checked(for request: CaseRequest) -> CaseReport {
        var report = CaseReport(request, findings: [], milliseconds: milliseconds)
        // One more than the limit: the last one tells the number of dropped findings.
        report.findings = findings.prefix(Self.mostFindings + 1).map {
            Finding($0.verdict, String($0.sentence.prefix(Self.longestSentence)))
        }
        report.verdict = report.findings.map(\.verdict).max() ?? .pass
        report.remarks = Self.cleaned(remarks)
        for (name, value) in facts.sorted(by: { $0.key < $1.key }).prefix(Self.mostFacts) {
            report.facts[PrintableText.cleaned(name, limit: Self.longestName)] = value
        }
        return report
    }

    private static func cleaned(_ sentences: [String]) -> [String] {
        sentences.prefix(mostFindings).map { PrintableText.cleaned(String($0.prefix(longestSentence))) }
    }

    /// The report as one line of JSON.
    package var line: String {
        // It holds texts and finite numbers, which JSON has.
        (try? ReadableJSON.text(self)) ?? "{}"
    }
}
