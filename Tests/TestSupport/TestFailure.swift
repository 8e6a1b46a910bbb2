// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a test cannot go on, as one sentence. Any thread.

/// The end of a test before its last step.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String

    /// `sentence` says what is missing or went wrong.
    public init(_ sentence: String) { description = sentence }
}
