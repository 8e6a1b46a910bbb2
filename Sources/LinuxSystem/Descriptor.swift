// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An open file descriptor with one owner, closed with its owner. Control thread.

import CLinuxShims
import Glibc

/// Owns a file descriptor, and closes it at the end of its life.
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

extension Descriptor {
    /// Sleeps until one of `numbers` can be read, or `nanoseconds` have passed; nil sets no limit.
    ///
    /// Returns the indices of those that can be read.
    @discardableResult
    public static func awaitAny(_ numbers: [Int32], nanoseconds: UInt64?) -> [Int] {
        var descriptors = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = CLinuxShims_poll(&descriptors, UInt(descriptors.count), nanoseconds.map { Int64(clamping: $0) } ?? -1)
        return count > 0 ? descriptors.indices.filter { descriptors[$0].revents != 0 } : []
    }
}
