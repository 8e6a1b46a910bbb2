// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value of JSON whose shape is not known in advance. Any thread.

/// Any value of JSON.
public enum JSONValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// The members of an object; nil for other values.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text; nil for other values.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The number; nil for other values.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// The list; nil for other values.
    public var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    /// The truth value; nil for other values.
    public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

    /// Makes an object of the members that are not nil.
    package static func members(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

    /// Makes a whole number.
    package static func count(_ count: some BinaryInteger) -> JSONValue { .number(Double(count)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    /// Makes a text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Makes a number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Makes a truth value.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
}
