// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reason why a test cannot continue, as one sentence. Any thread.

/// The end of a test before its last step.
package struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence.
    package let description: String

    /// Makes a failure; `sentence` names what is missing or went wrong.
    package init(_ sentence: String) { description = sentence }
}
