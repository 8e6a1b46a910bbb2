// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An open file descriptor with one owner, closed with its owner. Control thread.

import Glibc

/// Owns a file descriptor, and closes it at the end of its lifetime.
public struct Descriptor: ~Copyable, Sendable {
    /// The number of the descriptor.
    public let number: Int32

    /// Takes ownership of `number`.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Gives the descriptor up without closing it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Makes a second descriptor of the same open file, closed on exec.
    public borrowing func duplicate() throws(SystemError) -> Descriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("duplicate descriptor \(number)") }
        return Descriptor(owning: copy)
    }
}
