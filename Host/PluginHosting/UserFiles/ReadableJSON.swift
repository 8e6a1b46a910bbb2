// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// JSON for people and scripts, and descriptions of defects in JSON. Any thread.

import FoundationEssentials
import Printing

/// JSON on several lines, with sorted keys: equal values are equal text.
package enum ReadableJSON {
    /// The value as text, without a line feed at its end.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// The value as bytes, with a line feed at its end.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] { Array(try encode(value)) + [0x0A] }

    /// The value on one line, with a line feed at its end.
    package static func line(_ value: some Encodable) throws -> [UInt8] { Array(try encodeLine(value)) + [0x0A] }

    /// The value as text on one line, without a line feed at its end.
    package static func text(_ value: some Encodable) throws -> String { String(decoding: try encodeLine(value), as: UTF8.self) }

    private static func encodeLine(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Reads a value from bytes, and throws the errors of its type or of the decoder.
    package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Reads a document, and finds a key in it that its type does not ask for; nil if there is none.
    ///
    /// Such a key is a typing error, or of a newer format: the version comes first.
    package static func document<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws -> (value: Value, unknown: UnknownKey?) {
        let (decoder, notes) = (JSONDecoder(), KeyNotes())
        if let key = CodingUserInfoKey.keyNotes { decoder.userInfo[key] = notes }
        return (try decoder.decode(NotedValue<Value>.self, from: Data(bytes)).value, notes.unknown)
    }

    /// Reads a document of bytes; the thrown reason names the wrong field.
    static func document<Value: Decodable>(_ type: Value.Type, in data: Data) throws(FileDefect) -> (Value, UnknownKey?) {
        do {
            return try document(type, from: Array(data))
        } catch {
            throw FileDefect(reason(of: error))
        }
    }

    /// Reads a value; the thrown reason names the wrong field.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(FileDefect) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw FileDefect(reason(of: error))
        }
    }

    /// The defect of a document, to follow a colon.
    ///
    /// The names of fields leave the outer `depth` ones out. `isJSON` is true if another type was read from the document.
    package static func reason(of error: any Error, below depth: Int = 0, isJSON: Bool = false) -> String {
        // A key may hold any characters.
        func shown(_ key: String) -> String { key.isPrintable ? String(key.prefix(80)) : "?" }
        func path(_ context: DecodingError.Context, _ last: String? = nil) -> String {
            var text = ""
            for key in context.codingPath.dropFirst(depth) {
                text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + shown(key.stringValue)
            }
            return "\"" + text + (last.map { (text.isEmpty ? "" : ".") + shown($0) } ?? "") + "\""
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): return "\(path(context, key.stringValue)) is missing"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty,
            .valueNotFound(_, let context) where context.codingPath.isEmpty:
            return "it is not an object"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context)) has the wrong type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\(path(context)) cannot be understood"
        // The decoder does not name the place.
        default: return isJSON ? "a number has the wrong type" : "it is not JSON, or cut short"
        }
    }
}

extension String {
    /// True if the text is not empty and holds no control characters or characters that disguise it.
    var isPrintable: Bool { !isEmpty && PrintableText.isPrintable(self) }
}
