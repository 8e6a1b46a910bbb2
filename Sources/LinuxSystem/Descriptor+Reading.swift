// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads up to the end of a file, or up to a limit. Any thread.

import Glibc

extension Descriptor {
    private static let pieceByteCount = 65_536

    /// Reads to the end of a file, but at most `byteCount` bytes; throws `SystemError` with the act.
    public static func bytes(
        from number: Int32, atMost byteCount: Int, _ act: @autoclosure () -> String
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(pieceByteCount, max(0, byteCount)))
        while bytes.count < byteCount {
            let wanted = min(piece.count, byteCount - bytes.count)
            let count = piece.withUnsafeMutableBytes { SystemCall.read(number, into: .init(rebasing: $0[..<wanted])) }
            guard count >= 0 else { throw SystemError(act()) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Reads at most `byteCount` next bytes of a file; none if it cannot be read.
    public static func head(of number: Int32, byteCount: Int) -> [UInt8] {
        do throws(SystemError) { return try bytes(from: number, atMost: byteCount, "") } catch { return [] }
    }

    /// Reads `byteCount` bytes from an offset on, or nil if the file has fewer; its position stays.
    public static func bytes(from number: Int32, at byteOffset: Int, byteCount: Int) -> [UInt8]? {
        let bytes = bytes(from: number, at: byteOffset, atMost: byteCount)
        return bytes.count == byteCount ? bytes : nil
    }

    /// Reads at most `byteCount` bytes from an offset on; the file's position stays.
    public static func bytes(from number: Int32, at byteOffset: Int, atMost byteCount: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
            while filled < byteCount {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<byteCount])
                let count = SystemCall.read(number, at: byteOffset + filled, into: rest)
                guard count > 0 else { return }
                filled += count
            }
        }
    }
}
