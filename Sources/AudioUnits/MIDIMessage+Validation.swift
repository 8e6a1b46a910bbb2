// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks that bytes form a MIDI message. Render threads.

extension MIDIMessage {
    /// True if this is one whole message of the MIDI 1.0 specification.
    ///
    /// `[any]` A whole message is a status byte, followed by as many data bytes below 128 as that status has. A piece of a
    /// longer message is not whole.
    public var isWhole: Bool {
        @_noLocks get {
            let status = self[0]
            guard byteCount > 0, byteCount <= 16, status >= 0x80, !continues else { return false }
            if status == 0xF0 { return byteCount > 1 && self[Int(byteCount) - 1] == 0xF7 && hasDataBytes(upTo: Int(byteCount) - 1) }
            return Int(byteCount) == Self.byteCount(ofStatus: status) && hasDataBytes(upTo: Int(byteCount))
        }
    }

    @_noLocks
    private func hasDataBytes(upTo end: Int) -> Bool {
        for index in 1..<max(1, end) where self[index] >= 0x80 { return false }
        return true
    }

    /// The number of bytes of a message that is not system exclusive; 0 for a byte that is not a status byte.
    @_noLocks
    private static func byteCount(ofStatus status: UInt8) -> Int {
        switch status {
        case 0xC0...0xDF, 0xF1, 0xF3: 2
        case 0x80...0xEF, 0xF2: 3
        case 0xF6, 0xF8, 0xFA...0xFC, 0xFE, 0xFF: 1
        default: 0
        }
    }
}
