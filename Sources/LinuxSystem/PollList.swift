// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Descriptors that a thread waits for together, in a list of the kernel's. Control threads.

import CLinuxShims

/// `[control]` A list of descriptors (epoll(7)): a wait costs the same for one and for a thousand.
public struct PollList: ~Copyable {
    private static let mostAtOnce = 64
    private let list = Descriptor(owning: CLinuxShims_makePollList())

    /// Makes an empty list.
    public init() {}

    /// The list's own descriptor; it can be read while a listed descriptor can.
    public var descriptor: Int32 { list.number }

    /// Adds a descriptor under a tag.
    ///
    /// A closed descriptor leaves the list. A descriptor that cannot be added is not waited for.
    public func add(_ descriptor: Int32, tag: UInt64) { _ = CLinuxShims_addToPollList(list.number, descriptor, tag) }

    /// Removes a descriptor, if it is in the list.
    public func remove(_ descriptor: Int32) { CLinuxShims_removeFromPollList(list.number, descriptor) }

    /// The tags of descriptors that can be read now; if there are many, only some of them.
    public var ready: [UInt64] {
        var tags = [UInt64](repeating: 0, count: Self.mostAtOnce)
        let count = CLinuxShims_readyInPollList(list.number, &tags, Int32(tags.count))
        return Array(tags.prefix(Int(count)))
    }
}
