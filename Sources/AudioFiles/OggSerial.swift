// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives a finished Ogg stream a serial number made from its contents, so that equal audio makes equal files. Control thread.

import Glibc
import LinuxSystem

/// The serial number of an Ogg stream, which libsndfile takes from the time of day.
///
/// The number cannot be constant, because successive streams in one file need different numbers. Source of the page: RFC 3533,
/// section 6.
enum OggSerial {
    private static let headerByteCount = 27
    /// The positions of the serial number and the checksum in a page.
    private static let (serialOffset, checksumOffset) = (14, 22)

    /// A page in the file.
    private struct Page {
        let offset: Int
        var bytes: [UInt8]
    }

    /// Writes the number and the new checksum into each page; nothing if the file is not a sequence of whole pages.
    ///
    /// Returns false if a page could be read or written only in part, so that the file is damaged.
    static func derive(descriptor: CInt) -> Bool {
        var (digest, end): (UInt32, Int) = (2_166_136_261, 0)
        while let page = page(descriptor, at: end) {
            // The contents without the serial number and the checksum.
            for (index, byte) in page.bytes.enumerated()
            where !(serialOffset..<serialOffset + 4 ~= index) && !(checksumOffset..<checksumOffset + 4 ~= index) {
                digest = (digest ^ UInt32(byte)) &* 16_777_619
            }
            end += page.bytes.count
        }
        guard end > 0, end == Int(lseek(descriptor, 0, SEEK_END)) else { return true }
        var offset = 0
        while offset < end, let page = page(descriptor, at: offset) {
            guard rewrite(page, descriptor, serial: digest) else { return false }
            offset += page.bytes.count
        }
        return offset == end
    }

    private static func rewrite(_ page: Page, _ descriptor: CInt, serial: UInt32) -> Bool {
        var bytes = page.bytes
        put(serial, in: &bytes, at: serialOffset)
        put(0, in: &bytes, at: checksumOffset)
        put(checksum(of: bytes), in: &bytes, at: checksumOffset)
        let count = bytes.withUnsafeBytes {
            SystemCall.write(UnsafeRawBufferPointer(rebasing: $0[..<headerByteCount]), to: descriptor, at: page.offset)
        }
        return count == headerByteCount
    }

    /// A page's header with its table of segments; nil at the end.
    private static func header(_ descriptor: CInt, at offset: Int) -> [UInt8]? {
        let bytes = Descriptor.bytes(from: descriptor, at: offset, atMost: headerByteCount + 255)
        guard bytes.count >= headerByteCount, bytes.starts(with: Array("OggS".utf8)) else { return nil }
        let wanted = headerByteCount + Int(bytes[headerByteCount - 1])
        return bytes.count >= wanted ? Array(bytes[..<wanted]) : nil
    }

    private static func length(of header: [UInt8]) -> Int { header[headerByteCount...].reduce(header.count) { $0 + Int($1) } }

    private static func page(_ descriptor: CInt, at offset: Int) -> Page? {
        guard let header = header(descriptor, at: offset),
            let bytes = Descriptor.bytes(from: descriptor, at: offset, byteCount: length(of: header))
        else { return nil }
        return Page(offset: offset, bytes: bytes)
    }

    private static func put(_ word: UInt32, in bytes: inout [UInt8], at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index)) }
    }

    /// CRC-32 with the polynomial 0x04C11DB7, from 0, neither reflected nor inverted.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { word, _ in word << 1 ^ (word >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
}
