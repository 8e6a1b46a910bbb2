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
    public func ring() { bell.ring() }

    /// Forgets the rings so far.
    public func quieten() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// For whoever cannot hold an object.
    public var bell: EventBell { EventBell(descriptor: descriptor) }
}

/// Rings an event descriptor, which lives longer.
public struct EventBell: Sendable {
    public let descriptor: Int32

    /// Rings nobody.
    public static let none = EventBell(descriptor: -1)

    /// `descriptor` is an eventfd(2), or a negative number.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// `[render]` One system call, which never waits.
    @_noLocks public func ring() { CLinuxShims_ringEvent(descriptor) }
}
