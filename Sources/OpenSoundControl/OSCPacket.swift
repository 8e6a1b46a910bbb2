// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The contents of a datagram: a message, or a bundle of messages and bundles with their times. Any thread.

/// The time of a bundle: seconds since 1900 in the upper half, the fraction in the lower half.
package struct OSCTime: Hashable, Sendable {
    package let bits: UInt64

    /// Makes a time from its bits.
    package init(bits: UInt64) { self.bits = bits }

    /// At once.
    package static let immediate = OSCTime(bits: 1)
    /// The seconds from 1900 to 1970.
    private static let secondsTo1970: UInt64 = 2_208_988_800

    /// The nanoseconds from now until this time; 0 if it is past or immediate.
    ///
    /// `unixNanoseconds` is the present time since 1970.
    package func nanoseconds(after unixNanoseconds: UInt64) -> UInt64 {
        let (seconds, fraction) = (bits >> 32, bits & 0xFFFF_FFFF)
        guard bits != Self.immediate.bits, seconds >= Self.secondsTo1970 else { return 0 }
        let due = (seconds - Self.secondsTo1970) * 1_000_000_000 + (fraction * 1_000_000_000) >> 32
        return due > unixNanoseconds ? due - unixNanoseconds : 0
    }

    /// The time that lies `unixNanoseconds` nanoseconds after the start of 1970.
    package static func after(_ unixNanoseconds: UInt64) -> OSCTime {
        let (seconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return OSCTime(bits: (seconds + secondsTo1970) << 32 | (rest << 32) / 1_000_000_000)
    }
}

/// The messages of a datagram.
package struct OSCPacket: Sendable {
    /// The limits of a packet: its bytes, its messages, and the nesting of its bundles.
    package static let (mostBytes, mostMessages, mostDepth) = (16_384, 256, 8)

    /// The messages in order, each with the time of its bundle.
    package private(set) var messages: [(time: OSCTime, message: OSCMessage)] = []

    /// Reads a complete datagram, or throws.
    package init(_ bytes: [UInt8]) throws(OSCDefect) {
        guard bytes.count <= Self.mostBytes else { throw OSCDefect("A packet has at most \(Self.mostBytes) bytes.") }
        try read(bytes[...], at: .immediate, depth: 0)
    }

    private static let bundleMark = Array("#bundle\0".utf8)

    private mutating func read(_ bytes: ArraySlice<UInt8>, at time: OSCTime, depth: Int) throws(OSCDefect) {
        guard bytes.starts(with: Self.bundleMark) else {
            guard messages.count < Self.mostMessages else { throw OSCDefect("A packet has at most \(Self.mostMessages) messages.") }
            return messages.append((time, try OSCMessage(Array(bytes))))
        }
        guard depth < Self.mostDepth else { throw OSCDefect("Bundles are at most \(Self.mostDepth) deep.") }
        var rest = bytes.dropFirst(Self.bundleMark.count)
        guard let bits = Self.number(&rest, byteCount: 8) else { throw OSCDefect("The bundle is cut short.") }
        // By the standard an inner bundle is not due before the outer one.
        let time = bits == OSCTime.immediate.bits ? time : OSCTime(bits: max(bits, time.bits))
        while !rest.isEmpty {
            guard let count = Self.number(&rest, byteCount: 4), count <= UInt64(rest.count) else {
                throw OSCDefect("The bundle is cut short.")
            }
            try read(rest.prefix(Int(count)), at: time, depth: depth + 1)
            rest = rest.dropFirst(Int(count))
        }
    }

    /// Takes a number in network order; nil if there are too few bytes.
    private static func number(_ bytes: inout ArraySlice<UInt8>, byteCount: Int) -> UInt64? {
        guard bytes.count >= byteCount else { return nil }
        defer { bytes = bytes.dropFirst(byteCount) }
        return bytes.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Makes a bundle of messages.
    package static func bundle(_ messages: [[UInt8]], at time: OSCTime) -> [UInt8] {
        func network(_ number: UInt64, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        return messages.reduce(bundleMark + network(time.bits, 8)) { $0 + network(UInt64($1.count), 4) + $1 }
    }
}
