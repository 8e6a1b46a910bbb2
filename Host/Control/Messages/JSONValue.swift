// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value of JSON whose shape is not known before. Any thread.

/// Any value of JSON.
public enum JSONValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            var members: [String: JSONValue] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
            self = .list(values)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    /// Writes the value; a number that JSON does not have becomes null.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
        case .list(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .null: try Self.encode(encoder) { try $0.encodeNil() }
        case .flag(let value): try Self.encode(encoder) { try $0.encode(value) }
        case .text(let value): try Self.encode(encoder) { try $0.encode(value) }
        case .number(let value):
            try Self.encode(encoder) {
                if !value.isFinite {
                    try $0.encodeNil()
                } else if let whole = Int64(exactly: value), abs(whole) < 1 << 53 {
                    try $0.encode(whole)
                } else {
                    try $0.encode(value)
                }
            }
        }
    }

    private static func encode(
        _ encoder: any Encoder, _ body: (inout any SingleValueEncodingContainer) throws -> Void
    ) throws {
        var container = encoder.singleValueContainer()
        try body(&container)
    }
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

    /// An object of the members that are there.
    static func members(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

    /// A whole number.
    static func count(_ count: some BinaryInteger) -> JSONValue { .number(Double(count)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    /// Makes a text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Makes a number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Makes a truth value.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
}
