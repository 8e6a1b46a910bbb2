// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One result of the examination of a machine. Any thread.

import Console

/// A result, its meaning, and the remedy.
struct DoctorFinding: Encodable {
    enum Verdict: String, Encodable {
        /// All that Bulkhead can use is there.
        case good
        /// Bulkhead works, but less well or less safely than it could.
        case partial
        case missing
    }

    let name: String
    let verdict: Verdict
    let sentence: String
    /// What to change; nil when nothing needs a change.
    let advice: String?

    init(_ name: String, _ verdict: Verdict, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.sentence = sentence
        self.advice = advice
    }

    /// One line, and a second one with the advice.
    var lines: [StyledText] {
        let mark: StyledText =
            switch verdict {
            case .good: "ok      "
            case .partial: "partly  "
            case .missing: StyledText.alarming("missing") + " "
            }
        let indent = String(repeating: " ", count: 28)
        return ["\(mark)\(name.padded(to: 20))\(sentence)"] + (advice.map { ["\(indent)\($0)"] } ?? [])
    }
}
