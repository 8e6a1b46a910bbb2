// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Cuts system-exclusive messages into pieces, and recognises a piece. Any thread.

extension MIDIMessage {
    /// The number of bytes in a piece.
    public static var longestByteCount: Int { @_noLocks get { 16 } }

    /// Cuts the bytes of one message into pieces of at most 16 bytes, in their order.
    ///
    /// `[control]` All pieces but the last have `continues` set. A message of up to 16 bytes is one piece.
    public static func pieces(of bytes: [UInt8], cable: UInt8 = 0) -> [MIDIMessage] {
        stride(from: 0, to: bytes.count, by: longestByteCount).map { start in
            let end = min(start + longestByteCount, bytes.count)
            var words: (low: UInt64, high: UInt64) = (0, 0)
            for (index, byte) in bytes[start..<end].enumerated() {
                if index < 8 {
                    words.low |= UInt64(byte) << UInt64(8 * index)
                } else {
                    words.high |= UInt64(byte) << UInt64(8 * index - 64)
                }
            }
            return MIDIMessage(
                low: words.low, high: words.high, byteCount: UInt8(end - start), cable: cable, continues: end < bytes.count)
        }
    }

    /// True if this is one whole system-exclusive message, from the byte F0 to the byte F7.
    ///
    /// `[control]`
    public static func isSystemExclusive(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes.first == 0xF0 && bytes.last == 0xF7 && bytes[1..<(bytes.count - 1)].allSatisfy { $0 < 0x80 }
    }

    /// True if this is a system-exclusive message, or a piece of one.
    ///
    /// `[any]` The first byte is F0, a data byte, or F7. Only the last byte of the last piece is F7. All other bytes are data.
    public var isSystemExclusivePiece: Bool {
        @_noLocks get {
            guard byteCount > 0, byteCount <= 16 else { return false }
            let (first, last) = (self[0], Int(byteCount) &- 1)
            guard first < 0x80 || first == 0xF0 || (first == 0xF7 && last == 0) else { return false }
            guard (self[last] == 0xF7) != continues else { return false }
            for index in 1..<max(1, last) where self[index] >= 0x80 { return false }
            return last == 0 || self[last] < 0x80 || self[last] == 0xF7
        }
    }
}
