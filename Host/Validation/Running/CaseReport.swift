// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a case is asked for, and what comes back: one line of JSON each way. Any thread.

import FoundationEssentials
import PluginHosting

/// One run of one case, as the process that runs it is told.
public struct CaseRequest: Codable, Sendable {
    public var component: Component
    public var caseName: String
    public var seed: UInt64
    public var timeLimitSeconds: Double

    public init(component: Component, caseName: String, seed: UInt64, timeLimitSeconds: Double) {
        self.component = component
        self.caseName = caseName
        self.seed = seed
        self.timeLimitSeconds = timeLimitSeconds
    }

    /// How long the case may take: some are as patient as their name says.
    var caseSeconds: Double { timeLimitSeconds * (ValidationCases.named(caseName)?.patience ?? 1) }
}

/// What one case found.
public struct CaseReport: Codable, Sendable {
    public var caseName: String
    public var seed: UInt64
    public var verdict: Verdict
    public var findings: [Finding]
    /// What is worth knowing and wrong in nobody's eyes.
    public var remarks: [String]
    /// What was measured, by name.
    public var facts: [String: Double]
    public var milliseconds: Double
    /// The beginning of what the plug-in wrote on its standard output and error.
    public var output: String

    private static let mostFindings = 20
    private static let longestSentence = 600
    private static let mostFacts = 100
    private static let longestName = 80

    /// What was found, cut to a size that fits one message.
    public init(
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
        // Of what is no number, JSON knows nothing.
        self.facts = facts.filter { $0.value.isFinite }
        self.milliseconds = milliseconds
        output = ""
    }

    /// What a process says into which a plug-in may have been loaded: about this request and nothing else, of a bounded size,
    /// and without what would steer a terminal.
    func checked(for request: CaseRequest) -> CaseReport {
        var report = CaseReport(request, findings: [], milliseconds: milliseconds)
        // One more than are kept says how many there were.
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

    /// One line of JSON.
    public var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
