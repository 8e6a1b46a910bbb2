// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mark of tests whose outcome depends on how fast the machine is. Any thread.

import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// Marks a test, or a suite, that waits for a schedule, counts late cycles or measures time.
    ///
    /// `.ci/test` sets `BULKHEAD_TIMED=later` to put these off. It runs them afterwards, a suite a processor, and those that fail once
    /// more with nothing beside them. Every other test has to pass on a machine that is busy with something else.
    ///
    /// - Parameters:
    ///   - reason: what it does that takes time, such as "renders under deadlines".
    ///   - sourceLocation: where the mark stands.
    /// - Returns: the trait.
    package static func timed(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let isPutOff = getenv("BULKHEAD_TIMED").map { String(cString: $0) } == "later"
        return .enabled(if: !isPutOff, "timed: \(reason)", sourceLocation: sourceLocation)
    }
}
