// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The forms of numbers and the widths of texts in the log. Any thread.

import Glibc

/// The form of an integer in the log.
public struct OSLogIntegerFormatting: Hashable, Sendable {
    let radix: Int
    var isUppercase = false
    var prefix = ""
    var minimumDigitCount = 0

    /// The ten digits.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 10) }
    /// Sixteen digits, without a prefix.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// Eight digits, without a prefix.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    /// The ten digits, with zeros in front.
    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, minimumDigitCount: minDigits)
    }

    /// Sixteen digits, perhaps as capitals, or after 0x.
    public static func hex(includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, prefix: includePrefix ? "0x" : "", minimumDigitCount: minDigits)
    }

    func text(of number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: min(64, max(0, minimumDigitCount - digits.count)))
        return (number < 0 ? "-" : "") + prefix + zeros + digits
    }
}

/// The form of a fraction in the log.
public struct OSLogFloatFormatting: Hashable, Sendable {
    let letter: String
    var precision = 6

    /// Digits before and six after the point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting(letter: "f") }
    /// One digit before the point, six after it, and a power of ten.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(letter: "e") }
    /// Six digits, by the shorter form of the other two.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(letter: "g") }

    /// Digits before and so many after the point.
    public static func fixed(precision: Int) -> OSLogFloatFormatting { OSLogFloatFormatting(letter: "f", precision: precision) }
    /// One digit before the point, so many after it, and a power of ten.
    public static func exponential(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(letter: "e", precision: precision)
    }
    /// So many digits, by the shorter form of the other two.
    public static func hybrid(precision: Int) -> OSLogFloatFormatting { OSLogFloatFormatting(letter: "g", precision: precision) }

    func text(of number: Double) -> String {
        // A number of this type has at most 309 digits before the point.
        var bytes = [CChar](repeating: 0, count: 512)
        let digits = Int32(clamping: min(100, max(0, precision)))
        withVaList([digits, number]) { _ = vsnprintf(&bytes, bytes.count, "%.*\(letter)", $0) }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The form of a truth value in the log.
public enum OSLogBoolFormat: Hashable, Sendable {
    /// `true` or `false`.
    case truth
    /// `yes` or `no`.
    case answer
}

/// The width of a text in the log, and the side that it begins at.
public struct OSLogStringAlignment: Hashable, Sendable {
    let columnCount: Int
    let isLeft: Bool

    /// As wide as the text.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columnCount: 0, isLeft: true) }
    /// Spaces follow the text up to a width.
    public static func left(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columnCount: columns, isLeft: true) }
    /// Spaces stand before the text, up to a width.
    public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columnCount: columns, isLeft: false) }

    func aligned(_ text: String) -> String {
        let spaces = String(repeating: " ", count: min(256, max(0, columnCount - text.count)))
        return isLeft ? text + spaces : spaces + text
    }
}
