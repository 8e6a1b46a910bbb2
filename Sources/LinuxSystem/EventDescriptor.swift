// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wakes a thread that sleeps in poll(2). Any thread.

import CLinuxShims
import Glibc

/// An eventfd(2): whoever polls `descriptor` for input is woken by `ring`, and by every ring since the last `quieten`.
public final class EventDescriptor: Sendable {
    public let descriptor: Int32

    public init() throws(SystemError) {
        descriptor = try SystemError.check(CLinuxShims_eventDescriptor(), "make an eventfd")
    }

    deinit { close(descriptor) }

    /// Never waits.
    public func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Forgets the rings so far.
    public func quieten() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
