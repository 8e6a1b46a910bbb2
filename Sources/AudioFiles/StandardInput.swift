// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Standard input, whose first bytes can be looked at before it is read. Control thread.

import Glibc
import LinuxSystem
import Synchronization

/// The beginning of standard input, which tells its kind; later readers get these bytes first.
public enum StandardInput {
    private static let kept = Mutex<[UInt8]>([])

    /// Returns the first bytes, as many as there are up to `byteCount`; waits for them.
    ///
    /// Returns fewer if standard input ends, or cannot be read.
    public static func head(byteCount: Int) -> [UInt8] {
        kept.withLock { kept in
            while kept.count < byteCount, let more = next(byteCount - kept.count), !more.isEmpty { kept += more }
            return Array(kept.prefix(byteCount))
        }
    }

    /// Takes standard input to its end, but at most `byteCount` bytes; throws `SystemError`.
    public static func bytes(atMost byteCount: Int) throws(SystemError) -> [UInt8] {
        var bytes = takeHead()
        while bytes.count < byteCount {
            guard let more = next(min(65_536, byteCount - bytes.count)) else { throw SystemError("read standard input") }
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Takes the bytes that have been looked at.
    static func takeHead() -> [UInt8] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }

    /// Reads the next bytes, once there are some; none at the end, nil if that fails.
    private static func next(_ byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            guard errno == EAGAIN else { return nil }
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, -1) >= 0 else { return nil }
        }
    }
}
