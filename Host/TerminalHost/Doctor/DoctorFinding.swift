// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One result of the examination of a machine. Any thread.

import Console

/// A result, its meaning, and the remedy.
struct DoctorFinding: Encodable {
    enum Verdict: String, Encodable {
        /// The machine has all that Bulkhead can use.
        case good
        /// Bulkhead works, but could work better or more safely.
        case partial
        case missing
    }

    let name: String
    let verdict: Verdict
    let sentence: String
    /// The change to make; nil if none is needed.
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
