// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Recognizes the system-exclusive messages that reset an instrument: General MIDI, GS and XG. Any thread.

/// Joins packets, and finds the messages that reset everything.
struct SystemReset {
    private static var longest: Int { @_noLocks get { 11 } }
    private var bytes = InlineArray<11, UInt8>(repeating: 0)
    /// The number of bytes of the present message, also of those that have no room; 0 outside a message.
    private var count = 0

    @_noLocks init() {}

    /// Takes the next packet; true if a reset ends with it.
    @_noLocks
    mutating func take(_ packet: DueMessage) -> Bool {
        if packet.status == 0xF0 { count = 0 }
        return take(byte: packet.status) || take(byte: packet.data1) || take(byte: packet.data2)
    }

    /// Takes the next byte; true if a reset ends with it.
    @_noLocks
    mutating func take(byte: UInt8) -> Bool {
        guard byte != SystemExclusivePacket.filler, count > 0 || byte == 0xF0 else { return false }
        if count < Self.longest { bytes[count] = byte }
        count &+= 1
        guard byte == 0xF7 else { return false }
        defer { count = 0 }
        return isReset
    }

    /// True if a whole message switches General MIDI, GS or XG on.
    static func isReset(_ message: [UInt8]) -> Bool {
        var reset = SystemReset()
        return message.map { reset.take(byte: $0) }.last ?? false
    }

    private var isReset: Bool {
        @_noLocks get {
            guard count > 5, count <= Self.longest else { return false }
            switch bytes[1] {
            case 0x7E: return bytes[3] == 0x09 && bytes[4] != 2
            case 0x41:
                return count == 11 && bytes[3] == 0x42 && (bytes[5] == 0x40 || bytes[5] == 0) && bytes[6] == 0 && bytes[7] == 0x7F
            case 0x43:
                return count == 9 && bytes[3] == 0x4C && bytes[4] == 0 && bytes[5] == 0 && (bytes[6] == 0x7E || bytes[6] == 0x7F)
            default: return false
            }
        }
    }
}
