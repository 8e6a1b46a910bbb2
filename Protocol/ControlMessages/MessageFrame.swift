// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A control message as bytes: the header in front of the body. Control thread.

import CWireLayout
import Wire

/// A header and a body.
public struct MessageFrame: Hashable, Sendable {
    public var kind: UInt16
    /// Chosen by whoever asks; an answer repeats it.
    public var serial: UInt32
    public var body: [UInt8]

    public static let headerByteCount = MemoryLayout<CWireLayout_MessageHeader>.size

    public init(kind: UInt16, serial: UInt32, body: [UInt8]) {
        self.kind = kind
        self.serial = serial
        self.body = body
    }

    /// The 16 bytes in front of the body.
    public func header(bodyInDescriptor: Bool) -> [UInt8] {
        var writer = PayloadWriter()
        writer.write(UInt32(CWireLayout_magic))
        writer.write(kind)
        writer.write(UInt16(bodyInDescriptor ? CWireLayout_messageBodyInDescriptor : 0))
        writer.write(serial)
        writer.write(UInt32(body.count))
        return writer.bytes
    }

    /// Header and body in one piece.
    public var bytes: [UInt8] { header(bodyInDescriptor: false) + body }

    /// What a header announces.
    public struct Announcement {
        public let kind: UInt16
        public let serial: UInt32
        public let byteCount: Int
        public let bodyInDescriptor: Bool
    }

    /// Reads a header; throws when it is not one, or announces more than the protocol allows.
    public static func announcement(of bytes: [UInt8]) throws(WireViolation) -> Announcement {
        var reader = PayloadReader(Array(bytes.prefix(headerByteCount)))
        guard try reader.read(UInt32.self) == UInt32(CWireLayout_magic) else {
            throw WireViolation("a message without the Bulkhead magic")
        }
        let kind = try reader.read(UInt16.self)
        let flags = try reader.read(UInt16.self)
        let serial = try reader.read(UInt32.self)
        let byteCount = Int(try reader.read(UInt32.self))
        guard byteCount <= WireLimits.bodyByteCount else { throw WireViolation("a message of \(byteCount) bytes") }
        guard flags & ~UInt16(CWireLayout_messageBodyInDescriptor) == 0 else {
            throw WireViolation("a message with unknown flags \(flags)")
        }
        let inDescriptor = flags != 0
        guard bytes.count - headerByteCount == (inDescriptor ? 0 : byteCount) else {
            throw WireViolation("a message that announces \(byteCount) bytes and has \(bytes.count - headerByteCount)")
        }
        return Announcement(kind: kind, serial: serial, byteCount: byteCount, bodyInDescriptor: inDescriptor)
    }

    /// Reads header and body from one piece.
    public init(_ bytes: [UInt8]) throws(WireViolation) {
        let announcement = try Self.announcement(of: bytes)
        guard !announcement.bodyInDescriptor else { throw WireViolation("a message without its body") }
        self.init(
            kind: announcement.kind, serial: announcement.serial, body: Array(bytes.dropFirst(Self.headerByteCount)))
    }
}
