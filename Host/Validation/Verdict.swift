// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a case ended, and what it found. Any thread.

import PluginHosting

/// What is thought of a unit in a case; the later, the worse.
public enum Verdict: String, Codable, Comparable, CaseIterable, Sendable {
    case pass, warning, fail
    /// The unit, or what asked it, did not answer in time.
    case hang
    /// The unit's process died, or that of the case.
    case crash

    public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self)! }

    /// Whether a unit with it has failed.
    public var isFailure: Bool { self >= .fail }
}

/// One thing that is wrong, in a sentence, which may hold words of a plug-in's: what would steer a terminal is taken out.
public struct Finding: Codable, Hashable, Sendable {
    public var verdict: Verdict
    public var sentence: String

    public init(_ verdict: Verdict, _ sentence: String) {
        self.verdict = verdict
        self.sentence = PrintableText.cleaned(sentence)
    }
}
