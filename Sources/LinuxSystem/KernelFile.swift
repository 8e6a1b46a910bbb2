// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads files that the kernel generates: in /proc, /sys and the control groups. Any thread but a render thread.

import Glibc

/// Text files whose size is unknown until they are read.
package enum KernelFile {
    /// The beginning of a file, at most `byteCount` bytes; nil if it cannot be read.
    package static func bytes(_ path: String, atMost byteCount: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        do throws(SystemError) { return try Descriptor.bytes(from: file, atMost: byteCount, "") } catch { return nil }
    }

    /// All lines of a file; nil if it cannot be read.
    package static func lines(_ path: String) -> [String]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        var lines: [String] = []
        while true {
            let count = getline(&buffer, &capacity, file)
            guard count > 0, let buffer else { return lines }
            if buffer[count - 1] == UInt8(ascii: "\n") { buffer[count - 1] = 0 }
            lines.append(String(cString: buffer))
        }
    }
}
