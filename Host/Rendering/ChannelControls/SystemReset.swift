// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Recognizes the system-exclusive messages that reset an instrument: General MIDI, GS and XG. Any thread.

/// The messages that make an instrument begin anew.
enum SystemReset {
    /// True if a whole message switches General MIDI, GS or XG on.
    static func isReset(_ message: [UInt8]) -> Bool {
        message.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { isReset($0, count: bytes.count) } ?? false }
    }

    /// True if a whole message switches General MIDI, GS or XG on.
    @_noLocks
    static func isReset(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard count > 5, count <= 11 else { return false }
        switch bytes[1] {
        case 0x7E: return bytes[3] == 0x09 && bytes[4] != 2
        case 0x41:
            return count == 11 && bytes[3] == 0x42 && bytes[4] == 0x12 && (bytes[5] == 0x40 || bytes[5] == 0) && bytes[6] == 0
                && bytes[7] == 0x7F
        case 0x43:
            return count == 9 && bytes[2] & 0xF0 == 0x10 && bytes[3] == 0x4C && bytes[4] == 0 && bytes[5] == 0
                && (bytes[6] == 0x7E || bytes[6] == 0x7F)
        default: return false
        }
    }
}
