// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The settings of a unit that are texts, such as the path of an impulse response. Any thread.

/// A setting of a unit that is a text.
///
/// It is not a parameter, since it does not change at a particular frame.
public struct TextProperty: Hashable, Sendable {
    /// The meaning of a text.
    public enum Kind: UInt8, Sendable {
        /// Any text.
        case text = 0
        /// The path of a file that the unit reads.
        case path = 1
    }

    /// The permanent identifier, unique among the texts and the key paths of the parameters of a unit.
    public var identifier: String
    /// The name for people.
    public var name: String
    /// The meaning of the text.
    public var kind: Kind

    /// Describes a text.
    public init(_ identifier: String, name: String, kind: Kind) {
        self.identifier = identifier
        self.name = name
        self.kind = kind
    }
}
