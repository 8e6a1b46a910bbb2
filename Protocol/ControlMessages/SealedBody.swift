// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a long body from a peer's memfd, once it can no longer change. Control thread.

import Glibc
import LinuxSystem
import Wire

/// The contents of a sealed memfd.
enum SealedBody {
    /// F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE, which fcntl.h defines in terms of macros.
    private static let seals: Int32 = 1 | 2 | 4 | 8
    /// F_GET_SEALS.
    private static let getSeals: Int32 = 1034

    /// Copies all contents; throws unless they are sealed and have exactly `byteCount` bytes.
    ///
    /// The body is read, not mapped. A mapping would fill the holes of a sparse file with memory of the reader.
    static func read(_ descriptor: borrowing Descriptor, byteCount: Int) throws(WireViolation) -> [UInt8] {
        let found = fcntl(descriptor.number, getSeals)
        guard found >= 0, found & seals == seals else { throw WireViolation("a message body that can still change") }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_size == byteCount else {
            throw WireViolation("a message body of \(status.st_size) bytes for \(byteCount)")
        }
        guard let bytes = Descriptor.bytes(from: descriptor.number, at: 0, byteCount: byteCount) else {
            throw WireViolation("a message body that cannot be read")
        }
        return bytes
    }
}
