// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads bytes of JSON into a value, quickly: a moving fader sends a thousand lines a second. Any thread.

extension JSONValue {
    /// Reads a value by RFC 8259; nil for other bytes, or for values nested more than 128 deep.
    ///
    /// Of members with one name the last one counts. Half of a surrogate pair becomes U+FFFD.
    public init?(json bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let value = reader.document() else { return nil }
        self = value
    }
}

/// Reads JSON.
private struct JSONReader {
    private let bytes: [UInt8]
    private var place = 0
    /// The deepest allowed nesting of values.
    private static let deepest = 128

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the only value of all bytes.
    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return place == bytes.count ? value : nil
    }

    /// The byte at the present position; at the end 0, which JSON does not have.
    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        for offset in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[offset] else { return nil }
            place += 1
        }
        return value
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth < Self.deepest else { return nil }
        switch next {
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
}

// MARK: - Numbers

extension JSONReader {
    private mutating func number() -> JSONValue? {
        let start = place
        if next == UInt8(ascii: "-") { place += 1 }
        if next == UInt8(ascii: "0") { place += 1 } else if !digits() { return nil }
        if next == UInt8(ascii: ".") {
            place += 1
            guard digits() else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            guard digits() else { return nil }
        }
        guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)), number.isFinite else { return nil }
        return .number(number)
    }

    /// Reads digits; false if there are none.
    private mutating func digits() -> Bool {
        let start = place
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
        return place > start
    }
}

// MARK: - Texts

extension JSONReader {
    private mutating func text() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        place += 1
        if let text = plainText() { return text }
        var plain: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: plain, as: UTF8.self)
            case ..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard let character = escaped() else { return nil }
                plain += Array(String(Character(character)).utf8)
            default: plain.append(byte)
            }
        }
        return nil
    }

    /// Reads a text of printable ASCII alone, such as a name or a path; nil for others, of which nothing is read.
    private mutating func plainText() -> String? {
        let start = place
        var end = start
        while end < bytes.count, (0x20..<0x7F).contains(bytes[end]), bytes[end] != UInt8(ascii: "\\") {
            guard bytes[end] == UInt8(ascii: "\"") else {
                end += 1
                continue
            }
            place = end + 1
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        return nil
    }

    /// Reads the character of an escape after its backslash.
    private mutating func escaped() -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        place += 1
        switch bytes[place - 1] {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "u"): return escapedScalar()
        default: return nil
        }
    }

    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let first = hexadecimal() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        // The second half of a character beyond the first 65,536.
        guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        let end = place
        place += 2
        guard let second = hexadecimal() else { return nil }
        guard (0xDC00..<0xE000).contains(second) else {
            // The second escape is a character of its own.
            place = end
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexadecimal() -> UInt32? {
        var number: UInt32 = 0
        for _ in 0..<4 {
            switch next {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(next - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt32(next - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): number = number << 4 | UInt32(next - UInt8(ascii: "A") + 10)
            default: return nil
            }
            place += 1
        }
        return number
    }
}
