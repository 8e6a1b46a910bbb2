// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is wrong with what a peer wrote. Any thread.

/// What is wrong with memory or a message that a peer passed. The text names the field and the numbers.
public struct WireViolation: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
