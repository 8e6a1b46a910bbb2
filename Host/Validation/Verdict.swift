// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The result of a case, and its findings. Any thread.

import PluginHosting
import Printing

/// `[any]` The result of a case; later ones are worse.
package enum Verdict: String, Codable, Comparable, CaseIterable, Sendable {
    /// The case found no fault, a minor fault, or a fault that fails the unit.
    case pass, warning, fail
    /// The unit or the case's process did not answer in time.
    case hang
    /// The process of the unit or of the case died.
    case crash

    /// True if `left` is the better result.
    package static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

    // Cannot trap: `allCases` has every case.
    private var rank: Int { Self.allCases.firstIndex(of: self)! }

    /// True if a unit with this result has failed.
    package var isFailure: Bool { self >= .fail }
}

/// `[any]` One fault that a case found, as a sentence.
///
/// The sentence may quote a plug-in, so control characters are removed from it.
package struct Finding: Codable, Hashable, Sendable {
    /// The severity of the fault.
    package var verdict: Verdict
    /// The fault as a sentence.
    package var sentence: String

    /// Makes a finding, and removes control characters from the sentence.
    package init(_ verdict: Verdict, _ sentence: String) {
        self.verdict = verdict
        self.sentence = PrintableText.cleaned(sentence)
    }
}
