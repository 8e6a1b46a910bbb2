// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Joins the packets of system-exclusive messages to pieces for one unit. Render thread.

import AudioUnits
import Rendering

/// Joins the packets for one unit to pieces of up to 16 bytes, as the unit's events carry them.
///
/// The rest of an unfinished piece is handed out before any other message, and at the end of a block. So it keeps nothing between blocks.
struct SystemExclusiveJoiner {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var byteCount = 0
    private var cable: UInt8 = 0
    /// The frame of the piece's first byte.
    private(set) var time: Int64 = 0

    @_noLocks
    init() {}

    /// True if an unfinished piece must be taken before this packet.
    @_noLocks
    func isFull(before packet: DueMessage) -> Bool {
        let added =
            1 &+ (packet.data1 == SystemExclusivePacket.filler ? 0 : 1) &+ (packet.data2 == SystemExclusivePacket.filler ? 0 : 1)
        return byteCount > 0
            && (byteCount &+ added > 16 || packet.cable != cable || packet.time != time || packet.status == 0xF0)
    }

    /// True if an unfinished piece waits.
    var isOpen: Bool { @_noLocks get { byteCount > 0 } }

    /// Adds a packet; true if it ended the message, so that the piece must be taken.
    @_noLocks
    mutating func add(_ packet: DueMessage) -> Bool {
        if byteCount == 0 { (time, cable) = (packet.time, packet.cable) }
        return add(packet.status) || add(packet.data1) || add(packet.data2)
    }

    /// Adds a byte; true if it ends the message.
    @_noLocks
    private mutating func add(_ byte: UInt8) -> Bool {
        guard byte != SystemExclusivePacket.filler, byteCount < 16 else { return false }
        if byteCount < 8 {
            low |= UInt64(byte) &<< UInt64(8 &* byteCount)
        } else {
            high |= UInt64(byte) &<< UInt64(8 &* byteCount &- 64)
        }
        byteCount &+= 1
        return byte == 0xF7
    }

    /// Takes the piece; `continues` is false for the last one of a message.
    @_noLocks
    mutating func take(continues: Bool) -> MIDIMessage {
        defer { (low, high, byteCount) = (0, 0, 0) }
        return MIDIMessage(
            low: low, high: high, byteCount: UInt8(truncatingIfNeeded: byteCount), cable: cable, continues: continues)
    }
}
