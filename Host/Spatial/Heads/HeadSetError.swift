// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons why a set of measured responses of a head is refused. Any thread.

/// The refusal of a set of head-related responses, with its name and the reason.
public struct HeadSetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the set, such as the path of its file.
    public let set: String
    /// The reason, as the end of a sentence.
    public let reason: String
    /// The user's remedy, as a sentence; empty if there is none.
    public let remedy: String

    /// Makes a refusal.
    public init(_ set: String, _ reason: String, remedy: String = "Choose another set.") {
        (self.set, self.reason, self.remedy) = (set, reason, remedy)
    }

    /// A sentence for the user.
    public var description: String { "Couldn't use the head \"\(set)\": \(reason).\(remedy.isEmpty ? "" : " ")\(remedy)" }
}
