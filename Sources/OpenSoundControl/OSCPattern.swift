// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Addresses that stand for several ones, by the rules of Open Sound Control. Any thread.

/// A pattern of addresses: `?` is one character, `*` any number of them, `[a-z]` and `[!a-z]` one of a set, `{one,two}` one of some texts.
///
/// No sign stands for a slash, so a pattern has as many parts as the addresses that it matches.
package struct OSCPattern: Sendable {
    private enum Token {
        case byte(UInt8)
        case one, any
        case set(Set<UInt8>)
        case words([[UInt8]])
    }

    private let parts: [[Token]]

    /// True if an address has signs of a pattern.
    package static func isPattern(_ address: String) -> Bool { address.utf8.contains { "?*[]{}".utf8.contains($0) } }

    /// Reads a pattern; throws for a bracket without its other one.
    package init(_ address: String) throws(OSCDefect) {
        var parts: [[Token]] = []
        for part in address.dropFirst().utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            parts.append(try Self.tokens(Array(part)))
        }
        self.parts = parts
    }

    private static func tokens(_ bytes: [UInt8]) throws(OSCDefect) -> [Token] {
        var tokens: [Token] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "?"): tokens.append(.one)
            case UInt8(ascii: "*"): tokens.append(.any)
            case UInt8(ascii: "["): tokens.append(.set(set(try content(&rest, upTo: "]"))))
            case UInt8(ascii: "{"):
                let words = try content(&rest, upTo: "}").split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                tokens.append(.words(words.map { Array($0) }))
            case UInt8(ascii: "]"), UInt8(ascii: "}"): throw OSCDefect("A pattern has brackets in pairs.")
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    private static func content(_ rest: inout ArraySlice<UInt8>, upTo end: Unicode.Scalar) throws(OSCDefect) -> ArraySlice<UInt8> {
        guard let index = rest.firstIndex(of: UInt8(ascii: end)) else { throw OSCDefect("A pattern has brackets in pairs.") }
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
    }

    /// The characters of a set; a minus between two stands for all between them, and a ! in front for all others.
    private static func set(_ content: ArraySlice<UInt8>) -> Set<UInt8> {
        let isOthers = content.first == UInt8(ascii: "!")
        let bytes = Array(isOthers ? content.dropFirst() : content)
        var found: Set<UInt8> = []
        var index = 0
        while index < bytes.count {
            if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "-") {
                let (low, high) = (min(bytes[index], bytes[index + 2]), max(bytes[index], bytes[index + 2]))
                found.formUnion(low...high)
                index += 3
            } else {
                found.insert(bytes[index])
                index += 1
            }
        }
        return isOthers ? Set(0...UInt8.max).subtracting(found) : found
    }

    /// True if the pattern stands for an address.
    package func matches(_ address: String) -> Bool {
        let names = address.dropFirst().utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return names.count == parts.count && zip(parts, names).allSatisfy { Self.matches($0, Array($1)) }
    }

    /// Follows all places that the tokens may have reached, so that no pattern takes long.
    private static func matches(_ tokens: [Token], _ text: [UInt8]) -> Bool {
        var places: Set<Int> = [0]
        for token in tokens {
            if case .any = token {
                places = Set((places.min() ?? text.count)...text.count)
                continue
            }
            places = places.reduce(into: []) { next, place in
                switch token {
                case .byte(let byte): if place < text.count, text[place] == byte { next.insert(place + 1) }
                case .one: if place < text.count { next.insert(place + 1) }
                case .any: break
                case .set(let set): if place < text.count, set.contains(text[place]) { next.insert(place + 1) }
                case .words(let words):
                    for word in words where text[place...].starts(with: word) { next.insert(place + word.count) }
                }
            }
            if places.isEmpty { return false }
        }
        return places.contains(text.count)
    }
}
