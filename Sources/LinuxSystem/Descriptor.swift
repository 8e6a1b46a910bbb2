// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An open file descriptor with one owner, closed when the owner goes. Control thread.

import CLinuxShims
import Glibc

/// Owns a descriptor.
public struct Descriptor: ~Copyable, Sendable {
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

    /// A second descriptor for the same open file, closed on exec.
    public borrowing func duplicate() throws(SystemError) -> Descriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("duplicate descriptor \(number)") }
        return Descriptor(owning: copy)
    }
}

extension Descriptor {
    /// Sleeps until one of `numbers` can be read from, or so many nanoseconds are over; nil for no end.
    public static func awaitAny(_ numbers: [Int32], nanoseconds: UInt64?) {
        var descriptors = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = CLinuxShims_poll(&descriptors, UInt(descriptors.count), nanoseconds.map { Int64(clamping: $0) } ?? -1)
    }
}
