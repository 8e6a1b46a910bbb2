// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The socket for a child's output. Any thread.

import Glibc
import LinuxSystem

/// `[any]` One end of the socket that a child has as descriptors 1 and 2.
///
/// It belongs only to the child: a file or a terminal would show the child the output of others. The host can always read it,
/// so a child never waits for a terminal that the user has stopped.
package final class OutputSocket: Sendable {
    /// The number of the descriptor; the object owns it.
    package let descriptor: Int32

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes both ends, closed on exec; nothing can be sent to the child's end.
    static func pair() throws(SystemError) -> (own: OutputSocket, childs: OutputSocket) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("make a socket for its output") }
        let pair = (own: OutputSocket(owning: ends[0]), childs: OutputSocket(owning: ends[1]))
        guard shutdown(pair.own.descriptor, Int32(SHUT_WR)) == 0 else { throw SystemError("make a socket for its output") }
        return pair
    }

    /// The result of a read.
    package enum Reading: Equatable {
        case bytes(Int)
        case nothingYet
        /// No process can write to it any more.
        case end
    }

    /// Reads the available bytes; it never waits.
    ///
    /// The kernel closes descriptors that the child sends, because this read takes none.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        let count = SystemCall.receive(from: descriptor, into: buffer)
        if count > 0 { return .bytes(count) }
        return count < 0 && errno == EAGAIN ? .nothingYet : .end
    }
}
