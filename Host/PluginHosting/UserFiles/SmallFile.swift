// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads small regular files from any source, up to a limit. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// Reads whole files.
package enum SmallFile {
    /// The bytes of a regular file, which must have at least one and at most `maximumByteCount` of them.
    package static func bytes(_ path: String, maximumByteCount: Int) throws(FileDefect) -> [UInt8] {
        Array(try read(path, maximumByteCount: maximumByteCount))
    }

    /// Reads a regular file, which must have at least one and at most `maximumByteCount` bytes.
    static func read(_ path: String, maximumByteCount: Int) throws(FileDefect) -> Data {
        // Reading a pipe or a device may block, and so may opening one.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw openingDefect(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileDefect("it is not a file")
        }
        let tooLong = FileDefect("it has more than \(maximumByteCount) bytes")
        guard status.st_size <= maximumByteCount else { throw tooLong }
        let data: [UInt8]
        do throws(SystemError) {
            data = try Descriptor.bytes(from: descriptor, atMost: maximumByteCount + 1, "read \"\(path)\"")
        } catch {
            throw FileDefect(code: error.code)
        }
        // It may have grown meanwhile.
        guard data.count <= maximumByteCount else { throw tooLong }
        guard !data.isEmpty else { throw FileDefect("it is empty") }
        return Data(data)
    }

    static func openingDefect(_ code: Int32) -> FileDefect {
        switch code {
        case ENOENT, ENOTDIR: FileDefect("it is not there", code: code)
        // A socket, or a pipe without a reader.
        case ENXIO: FileDefect("it is not a file")
        default: FileDefect(code: code)
        }
    }
}
