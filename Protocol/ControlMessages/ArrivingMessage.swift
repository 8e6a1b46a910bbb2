// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A message whose body comes in pieces. Control thread.

import Wire

/// The part of a message that has arrived so far.
struct ArrivingMessage: Sendable {
    private let announcement: MessageFrame.Announcement
    private var body: [UInt8] = []

    init(_ announcement: MessageFrame.Announcement) { self.announcement = announcement }

    /// True if the whole body has arrived.
    var isWhole: Bool { body.count == announcement.byteCount }

    /// The message; call it once the message is whole.
    var frame: MessageFrame { MessageFrame(kind: announcement.kind, serial: announcement.serial, body: body) }

    /// Adds a piece; throws if it is shorter or longer than the next piece must be.
    ///
    /// So a peer cannot keep the reader busy for ever.
    mutating func add(_ piece: [UInt8]) throws(WireViolation) {
        let due = min(WireLimits.inlineByteCount, announcement.byteCount - body.count)
        guard piece.count == due else { throw WireViolation("a piece of \(piece.count) bytes where \(due) were due") }
        body += piece
    }
}
