// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines for standard error that are dropped rather than waited for. Any thread.

import Glibc
import Synchronization

/// Writes lines to standard error as far as there is room.
///
/// Neither a terminal that the user stopped with Ctrl-S nor a pipe without a reader ever holds up the caller. Lines without
/// room are counted. The next line that finds room follows a line with that count.
package final class OfferedLines: Sendable {
    private struct State {
        var leftOutCount = 0
        /// The rest of a line that was written in part.
        var rest: [UInt8] = []
    }

    private let prefix: String
    private let state = Mutex(State())

    /// Makes a writer of lines that begin with `prefix`.
    package init(prefix: String = "") { self.prefix = prefix }

    /// Writes a line and a line feed, or drops the line.
    ///
    /// With `erasing` it replaces an unfinished line on the terminal.
    package func offer(_ line: String, erasing: Bool = false) {
        state.withLock { state in
            state.rest.removeFirst(Self.write(state.rest))
            guard state.rest.isEmpty else {
                state.leftOutCount += 1
                return
            }
            var text = "\(prefix)\(line)\n"
            if state.leftOutCount > 0 {
                text = "\(prefix)\(Self.count(state.leftOutCount)) left out, because standard error took no more.\n" + text
            }
            let bytes = Array(((erasing ? "\r\u{1B}[K" : "") + text).utf8)
            let written = Self.write(bytes)
            guard written > 0 else {
                state.leftOutCount += 1
                return
            }
            state.leftOutCount = 0
            state.rest = Array(bytes[written...])
        }
    }

    private static func count(_ lines: Int) -> String { lines == 1 ? "1 line is" : "\(lines) lines are" }

    /// Writes as many bytes as there is room for, and returns their number.
    private static func write(_ bytes: [UInt8]) -> Int {
        guard !bytes.isEmpty else { return 0 }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return bytes.count }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK:
            return count(send(STDERR_FILENO, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)), bytes)
        case S_IFCHR, S_IFIFO: return writeWithoutWaiting(bytes)
        default: return count(Glibc.write(STDERR_FILENO, bytes, bytes.count), bytes)
        }
    }

    /// Opens the terminal or the pipe again: non-blocking mode belongs to the open file, which other processes share.
    private static func writeWithoutWaiting(_ bytes: [UInt8]) -> Int {
        let file = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if file >= 0 {
            defer { close(file) }
            return count(Glibc.write(file, bytes, bytes.count), bytes)
        }
        // This happens, for example, on another user's terminal. A write that finds some room may wait for more.
        var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1, room.revents & Int16(POLLOUT) != 0 else { return 0 }
        return count(Glibc.write(STDERR_FILENO, bytes, bytes.count), bytes)
    }

    /// The byte count of a write; all bytes if there is no reader any more.
    private static func count(_ result: Int, _ bytes: [UInt8]) -> Int {
        if result >= 0 { return result }
        return errno == EAGAIN || errno == EINTR ? 0 : bytes.count
    }
}
