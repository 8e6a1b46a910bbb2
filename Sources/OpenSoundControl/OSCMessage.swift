// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One message of Open Sound Control, read and written by liblo. Any thread.

import CLo
import Glibc

/// The reason why bytes are not a packet, or why a message has no meaning here.
package struct OSCDefect: Error, Hashable {
    /// The reason in one sentence.
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A value in a message.
package enum OSCArgument: Hashable, Sendable {
    case integer(Int64)
    case float(Float)
    case double(Double)
    case text(String)
    case flag(Bool)

    /// The number; nil for a text.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .flag(let value): value ? 1 : 0
        case .text: nil
        }
    }
}

/// An address and its values.
package struct OSCMessage: Hashable, Sendable {
    package var address: String
    package var arguments: [OSCArgument]

    /// Makes a message to an address.
    package init(_ address: String, _ arguments: OSCArgument...) { (self.address, self.arguments) = (address, arguments) }

    /// Reads the bytes of a message.
    package init(_ bytes: [UInt8]) throws(OSCDefect) {
        guard bytes.first == UInt8(ascii: "/"), bytes.count % 4 == 0 else {
            throw OSCDefect("A message begins with \"/\" and has a multiple of 4 bytes.")
        }
        if let untyped = try Self.untyped(bytes) {
            self = untyped
            return
        }
        var copy = bytes
        var result: Int32 = 0
        let size = copy.count
        guard let message = copy.withUnsafeMutableBytes({ lo_message_deserialise($0.baseAddress, size, &result) }) else {
            throw OSCDefect("The message is cut short, or no message of Open Sound Control.")
        }
        defer { lo_message_free(message) }
        // liblo has found the end of the address. As a character, a slash could merge with a combining mark after it.
        let name = bytes.prefix { $0 != 0 }
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw OSCDefect("An address is ASCII without spaces; write other bytes as % and two hexadecimal digits.")
        }
        address = String(decoding: name, as: UTF8.self)
        arguments = try Self.arguments(of: message)
    }

    private static func arguments(of message: lo_message) throws(OSCDefect) -> [OSCArgument] {
        let count = Int(lo_message_get_argc(message))
        guard count > 0, let types = lo_message_get_types(message), let values = lo_message_get_argv(message) else { return [] }
        var arguments: [OSCArgument] = []
        for index in 0..<count {
            arguments.append(try argument(UInt8(bitPattern: types[index]), UnsafeRawPointer(values[index])))
        }
        return arguments
    }

    private static func argument(_ type: UInt8, _ value: UnsafeRawPointer?) throws(OSCDefect) -> OSCArgument {
        switch (Character(UnicodeScalar(type)), value) {
        case ("T", _): return .flag(true)
        case ("F", _): return .flag(false)
        // liblo has swapped the bytes of numbers; they are at multiples of 4.
        case ("i", let value?): return .integer(Int64(value.loadUnaligned(as: Int32.self)))
        case ("h", let value?): return .integer(value.loadUnaligned(as: Int64.self))
        case ("f", let value?): return .float(value.loadUnaligned(as: Float.self))
        case ("d", let value?): return .double(value.loadUnaligned(as: Double.self))
        case ("s", let value?), ("S", let value?): return .text(String(cString: value.assumingMemoryBound(to: CChar.self)))
        default: throw OSCDefect("Arguments are of the types i, h, f, d, s, S, T and F.")
        }
    }

    /// The message as a packet; empty if memory is short.
    package var bytes: [UInt8] {
        guard let message = lo_message_new() else { return [] }
        defer { lo_message_free(message) }
        for argument in arguments {
            switch argument {
            case .integer(let value):
                if let small = Int32(exactly: value) {
                    lo_message_add_int32(message, small)
                } else {
                    lo_message_add_int64(message, value)
                }
            case .float(let value): lo_message_add_float(message, value)
            case .double(let value): lo_message_add_double(message, value)
            case .text(let text): lo_message_add_string(message, text)
            case .flag(let flag): if flag { lo_message_add_true(message) } else { lo_message_add_false(message) }
            }
        }
        var size = 0
        guard let written = lo_message_serialise(message, address, nil, &size) else { return [] }
        defer { free(written) }
        return Array(UnsafeRawBufferPointer(start: written, count: size))
    }
}
