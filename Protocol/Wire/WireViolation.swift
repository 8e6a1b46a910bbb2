// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A fault in data from a peer. Any thread.

/// A fault in memory or in a message from a peer.
public struct WireViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, with the field and the numbers.
    public let description: String
    /// Makes a violation from its description.
    public init(_ description: String) { self.description = description }
}
