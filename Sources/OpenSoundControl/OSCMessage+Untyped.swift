// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages of old senders, which do not say the types of their values. Any thread.

extension OSCMessage {
    /// Reads a message without type tags; nil if it has some.
    ///
    /// It has no value, one number, or one text. A number whose upper byte is 0 or 255 is a whole one: as a float it would be tiny or none.
    static func untyped(_ bytes: [UInt8]) throws(OSCDefect) -> OSCMessage? {
        guard let end = bytes.firstIndex(of: 0), bytes.count % 4 == 0 else { return nil }
        let start = (end / 4 + 1) * 4
        guard start <= bytes.count, start == bytes.count || bytes[start] != UInt8(ascii: ",") else { return nil }
        let (name, content) = (bytes[..<end], bytes[start...])
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw OSCDefect("An address is ASCII without spaces; write other bytes as % and two hexadecimal digits.")
        }
        var message = OSCMessage(String(decoding: name, as: UTF8.self))
        if content.isEmpty { return message }
        let text = content.prefix { $0 != 0 }
        if text.count < content.count, text.count > 0, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            content.count - text.count <= 4,
            content.dropFirst(text.count).allSatisfy({ $0 == 0 }), let word = String(validating: text, as: UTF8.self)
        {
            message.arguments = [.text(word)]
        } else if content.count == 4 {
            let bits = content.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            let isWhole = bits >> 24 == 0 || bits >> 24 == 0xFF
            message.arguments = [isWhole ? .integer(Int64(Int32(bitPattern: bits))) : .float(Float(bitPattern: bits))]
        } else {
            throw OSCDefect("A message without type tags has one number or one text; write the tags to send more.")
        }
        return message
    }
}
