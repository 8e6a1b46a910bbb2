// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One thing that a machine offers or lacks, in plain words. Any thread.

import Console

/// What was found, what it means, and what to do about it.
struct DoctorFinding: Encodable {
    enum Verdict: String, Encodable {
        /// All that Bulkhead makes use of.
        case good
        /// It works, and less well or less safely than it could.
        case partial
        case missing
    }

    let name: String
    let verdict: Verdict
    let sentence: String
    /// What to change; nil where nothing needs to be.
    let advice: String?

    init(_ name: String, _ verdict: Verdict, _ sentence: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.sentence = sentence
        self.advice = advice
    }

    /// A line, and one more with the advice.
    var text: String {
        let mark =
            switch verdict {
            case .good: "ok      "
            case .partial: "partly  "
            case .missing: ANSIText.alarming("missing") + " "
            }
        return "\(mark)\(name.padded(to: 20))\(sentence)" + (advice.map { "\n\(String(repeating: " ", count: 28))\($0)" } ?? "")
    }
}
