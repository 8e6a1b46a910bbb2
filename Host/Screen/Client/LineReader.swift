// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a line of JSON into a value, fast enough for 20 lines a second from each unit. Any thread.

import Control
import Glibc

/// Reads JSON.
struct LineReader {
    private let bytes: [UInt8]
    private var place = 0
    /// The deepest nesting of values.
    private static let deepest = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of a line; nil if it is not JSON.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        var reader = LineReader(bytes)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        return reader.place == bytes.count ? value : nil
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let isThere = word.withUTF8Buffer { bytes[place...].starts(with: $0) }
        place += word.utf8CodeUnitCount
        return isThere ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth < Self.deepest, place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return list(depth)
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return take("true", true)
        case UInt8(ascii: "f"): return take("false", false)
        case UInt8(ascii: "n"): return take("null", .null)
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        place += 1
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard let name = text(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members[name] = value
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list(_ depth: Int) -> JSONValue? {
        place += 1
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .list(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func number() -> JSONValue? {
        let start = place
        while place < bytes.count, bytes[place] < 0x80, Self.isOfNumber(bytes[place]) { place += 1 }
        return Double(String(decoding: bytes[start..<place], as: UTF8.self)).map { .number($0) }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func text() -> String? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
        var plain = bytes[start..<place]
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: plain, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard let character = escaped() else { return nil }
            plain += Array(String(Character(character)).utf8)
        }
        return nil
    }

    /// The character of an escape, after its backslash.
    private mutating func escaped() -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        place += 1
        switch bytes[place - 1] {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): break
        case let other: return Unicode.Scalar(other)
        }
        guard let first = hexadecimal() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        // The second half of a character beyond the first 65,536.
        guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        place += 2
        guard let second = hexadecimal() else { return nil }
        guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexadecimal() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        place += 4
        return UInt32(String(decoding: bytes[place - 4..<place], as: UTF8.self), radix: 16)
    }
}
