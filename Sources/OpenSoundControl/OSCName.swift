// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names as parts of addresses: a character that an address cannot hold becomes %HH. Any thread.

/// Converts names to parts of addresses, and back.
package enum OSCName {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// A name as a part of an address.
    ///
    /// Letters, digits and most signs stay as they are. Other characters become their UTF-8 bytes, each as % and two
    /// hexadecimal digits.
    package static func part(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 { bytes += isPlain(byte) ? [byte] : escaped(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name that a part of an address stands for.
    package static func name(_ part: Substring) throws(OSCDefect) -> String {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard isPlain(byte) else {
                    throw OSCDefect("A part of an address cannot hold this character as it is; write \(escapedText(byte)).")
                }
                bytes.append(byte)
                continue
            }
            guard let high = value(rest.popFirst()), let low = value(rest.popFirst()) else {
                throw OSCDefect("After % an address has two hexadecimal digits.")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.isEmpty, !bytes.contains(0), let name = String(validating: bytes, as: UTF8.self) else {
            throw OSCDefect("A part of an address is a name in UTF-8.")
        }
        return name
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !Array("#%*,/?[]{}".utf8).contains(byte)
    }

    /// A byte as % and two digits.
    package static func escaped(_ byte: UInt8) -> [UInt8] { [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] }

    private static func escapedText(_ byte: UInt8) -> String { String(decoding: escaped(byte), as: UTF8.self) }

    private static func value(_ digit: UInt8?) -> UInt8? {
        switch digit {
        case .some(let digit) where (0x30...0x39).contains(digit): digit - 0x30
        case .some(let digit) where (0x41...0x46).contains(digit & 0xDF): (digit & 0xDF) - 0x37
        default: nil
        }
    }
}
