// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is wrong with data from a peer. Any thread.

/// What is wrong with memory or a message from a peer.
public struct WireViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, with the field and the numbers.
    public let description: String
    /// Makes a violation from its description.
    public init(_ description: String) { self.description = description }
}
