// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Four ASCII characters in 32 bits, which identify types, subtypes and manufacturers. Any thread.

/// A four-character code such as `aufx`; zero matches every code in a query.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
    /// The four characters, the first in the highest byte.
    public let rawValue: UInt32

    /// Makes a code of any 32 bits, printable or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The code that matches any other in a query.
    public static let any = FourCharCode(rawValue: 0)

    /// Reads exactly four printable ASCII characters other than `:`, or `*` for the wildcard; nil otherwise.
    public init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        guard text.utf8.count == 4 else { return nil }
        var code: UInt32 = 0
        for byte in text.utf8 {
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: ":") else { return nil }
            code = code << 8 | UInt32(byte)
        }
        rawValue = code
    }

    /// True if the code can be written and read back.
    ///
    /// A code that a peer sends may not be.
    public var isPrintable: Bool { self == .any || FourCharCode(description) == self }
}

extension FourCharCode: CustomStringConvertible {
    /// The four characters, or `*` for the wildcard; a byte that is not printable shows as `?`.
    public var description: String {
        guard rawValue != 0 else { return "*" }
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
        return String(decoding: bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension FourCharCode: ExpressibleByStringLiteral {
    /// Makes a code from a literal in source code.
    ///
    /// A literal that is not a four-character code is a programming error, and traps.
    public init(stringLiteral value: String) {
        guard let code = FourCharCode(value) else { preconditionFailure("\"\(value)\" is not a four-character code") }
        self = code
    }
}
