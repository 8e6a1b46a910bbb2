// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A checksum against accidents: torn writes, flipped bits. Any thread.

/// FNV-1a with 64 bits.
///
/// Each step is reversible. So one changed byte always changes the sum.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { add($0) } }

    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.add($0) }
        return checksum.value
    }
}
