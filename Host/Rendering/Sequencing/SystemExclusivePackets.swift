// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Carries system-exclusive messages in packets of three bytes. Control and render threads.

/// A packet of a system-exclusive message, in the place of a channel message's three bytes.
///
/// As over USB, the message passes in packets of up to three bytes, in their order. The first packet begins with F0. The last one has F7
/// behind its last data byte. A missing byte is `filler`, which no message contains.
package enum SystemExclusivePacket {
    /// Stands for no byte.
    package static var filler: UInt8 { @_noLocks get { 0xFF } }

    /// True if the first of three bytes begins a packet, not a message of a channel or of the system.
    @_noLocks
    package static func begins(with byte: UInt8) -> Bool { byte < 0x80 || byte == 0xF0 || byte == 0xF7 }

    /// Cuts one whole message, from F0 to F7, into packets.
    package static func packets(of bytes: [UInt8]) -> [(UInt8, UInt8, UInt8)] {
        stride(from: 0, to: bytes.count, by: 3).map { start in
            (
                bytes[start], start + 1 < bytes.count ? bytes[start + 1] : filler,
                start + 2 < bytes.count ? bytes[start + 2] : filler
            )
        }
    }

    /// Joins packets to whole messages; a message without an end is left out.
    package static func messages(of packets: some Sequence<(UInt8, UInt8, UInt8)>) -> [[UInt8]] {
        var (messages, open) = ([[UInt8]](), [UInt8]())
        for packet in packets {
            for byte in [packet.0, packet.1, packet.2] where byte != filler {
                if byte == 0xF0 { open = [] }
                open.append(byte)
                guard byte == 0xF7 else { continue }
                if open.first == 0xF0 { messages.append(open) }
                open = []
            }
        }
        return messages
    }
}
