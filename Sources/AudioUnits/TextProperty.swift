// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a unit can be told beside numbers: texts, such as the path of an impulse response. Any thread.

/// A setting of a unit that is a text. It changes at no particular frame, so it is no parameter.
public struct TextProperty: Hashable, Sendable {
    /// What a text means.
    public enum Kind: UInt8, Sendable {
        case text = 0
        /// The path of a file that the unit reads.
        case path = 1
    }

    /// Permanent, unique among the unit's texts and the key paths of its parameters.
    public var identifier: String
    public var name: String
    public var kind: Kind

    public init(_ identifier: String, name: String, kind: Kind) {
        self.identifier = identifier
        self.name = name
        self.kind = kind
    }
}
