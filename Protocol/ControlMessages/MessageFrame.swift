// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A control message as bytes: a header, followed by the body. Control thread.

import CWireLayout
import Wire

/// The header and the body of a control message.
package struct MessageFrame: Hashable, Sendable {
    /// The kind of message, one of `CWireLayout_message…`.
    package var kind: UInt16
    /// The number of a request, which its answer repeats.
    ///
    /// The requesting side chooses it.
    package var serial: UInt32
    /// The payload.
    package var body: [UInt8]

    /// The size of the header in bytes.
    package static let headerByteCount = MemoryLayout<CWireLayout_MessageHeader>.size

    /// Makes a frame from its parts.
    package init(kind: UInt16, serial: UInt32, body: [UInt8]) {
        self.kind = kind
        self.serial = serial
        self.body = body
    }

    /// The place of a body.
    package enum BodyPlace: Sendable {
        /// After the header, in the same datagram.
        case datagram
        /// In the last descriptor of the message.
        case descriptor
        /// In the next datagrams, all but the last with the longest length of a body in a datagram.
        case pieces

        fileprivate var flags: UInt16 {
            switch self {
            case .datagram: 0
            case .descriptor: UInt16(CWireLayout_messageBodyInDescriptor)
            case .pieces: UInt16(CWireLayout_messageBodyInPieces)
            }
        }
    }

    /// The 16 bytes that announce the body.
    package func header(_ place: BodyPlace) -> [UInt8] {
        var writer = PayloadWriter()
        writer.write(UInt32(CWireLayout_magic))
        writer.write(kind)
        writer.write(place.flags)
        writer.write(serial)
        writer.write(UInt32(body.count))
        return writer.bytes
    }

    /// Header and body in one piece.
    package var bytes: [UInt8] { header(.datagram) + body }

    /// The contents of a header.
    package struct Announcement: Sendable {
        /// The kind of message.
        package let kind: UInt16
        /// The number of the request.
        package let serial: UInt32
        /// The size of the body.
        package let byteCount: Int
        /// The place of the body.
        package let place: BodyPlace
    }

    /// Reads the header of a datagram.
    ///
    /// Throws `WireViolation` if it is no header, announces more than the protocol allows, or does not fit the datagram.
    package static func announcement(of bytes: [UInt8]) throws(WireViolation) -> Announcement {
        var reader = PayloadReader(Array(bytes.prefix(headerByteCount)))
        guard try reader.read(UInt32.self) == UInt32(CWireLayout_magic) else {
            throw WireViolation("a message without the Bulkhead magic")
        }
        let kind = try reader.read(UInt16.self)
        let flags = try reader.read(UInt16.self)
        let serial = try reader.read(UInt32.self)
        let byteCount = Int(try reader.read(UInt32.self))
        guard byteCount <= WireLimits.bodyByteCount else { throw WireViolation("a message of \(byteCount) bytes") }
        guard let place = [BodyPlace.datagram, .descriptor, .pieces].first(where: { $0.flags == flags }) else {
            throw WireViolation("a message with unknown flags \(flags)")
        }
        guard bytes.count - headerByteCount == (place == .datagram ? byteCount : 0) else {
            throw WireViolation("a message that announces \(byteCount) bytes and has \(bytes.count - headerByteCount)")
        }
        return Announcement(kind: kind, serial: serial, byteCount: byteCount, place: place)
    }

    /// Reads header and body from one piece.
    ///
    /// Throws `WireViolation`, also if the body lies elsewhere.
    package init(_ bytes: [UInt8]) throws(WireViolation) {
        let announcement = try Self.announcement(of: bytes)
        guard announcement.place == .datagram else { throw WireViolation("a message without its body") }
        self.init(
            kind: announcement.kind, serial: announcement.serial, body: Array(bytes.dropFirst(Self.headerByteCount)))
    }
}
