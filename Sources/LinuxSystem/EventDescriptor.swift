// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wakes a thread that sleeps in poll(2). Any thread.

import CLinuxShims
import Glibc

/// An eventfd(2): `ring` wakes a thread that polls `descriptor` for input.
///
/// It stays readable until `quieten`.
public final class EventDescriptor: Sendable {
    /// The descriptor to poll; the object owns it.
    public let descriptor: Int32

    /// Makes an eventfd; throws `SystemError`.
    public init() throws(SystemError) {
        descriptor = try SystemError.check(CLinuxShims_eventDescriptor(), "make an eventfd")
    }

    deinit { close(descriptor) }

    /// Wakes the polling thread; it never waits.
    public func ring() { bell.ring() }

    /// Clears all rings so far.
    public func quieten() {
        var count: UInt64 = 0
        _ = withUnsafeMutableBytes(of: &count) { SystemCall.read(descriptor, into: $0) }
    }

    /// A bell for code that cannot hold an object, such as a render thread.
    public var bell: EventBell { EventBell(descriptor: descriptor) }
}

/// Rings an event descriptor, which must outlive the bell.
public struct EventBell: Sendable {
    /// The descriptor of an eventfd(2), or a negative number for no bell.
    public let descriptor: Int32

    /// A bell that rings nothing.
    public static let none = EventBell(descriptor: -1)

    /// Makes a bell; `descriptor` is an eventfd(2), or negative for no bell.
    @_noLocks public init(descriptor: Int32) { self.descriptor = descriptor }

    /// `[render]` Makes one system call, which never waits.
    @_noLocks public func ring() { CLinuxShims_ringEvent(descriptor) }
}
