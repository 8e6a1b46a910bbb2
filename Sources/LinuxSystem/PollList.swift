// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Descriptors that are waited for together, in a list that the kernel keeps. Control threads.

import CLinuxShims

/// `[control]` A list of descriptors (epoll(7)): a wait costs the same for one and for a thousand.
public struct PollList: ~Copyable {
    private static let mostAtOnce = 64
    private let list = Descriptor(owning: CLinuxShims_makePollList())

    /// An empty list.
    public init() {}

    /// The list's own descriptor, which can be read while one of the list's can.
    public var descriptor: Int32 { list.number }

    /// Adds a descriptor under a tag.
    ///
    /// It leaves the list when it is closed. What cannot be added is not waited for.
    public func add(_ descriptor: Int32, tag: UInt64) { _ = CLinuxShims_addToPollList(list.number, descriptor, tag) }

    /// Takes a descriptor out, if it is there.
    public func remove(_ descriptor: Int32) { CLinuxShims_removeFromPollList(list.number, descriptor) }

    /// The tags of descriptors that can be read now; some of them, if there are many.
    public var ready: [UInt64] {
        var tags = [UInt64](repeating: 0, count: Self.mostAtOnce)
        let count = CLinuxShims_readyInPollList(list.number, &tags, Int32(tags.count))
        return Array(tags.prefix(Int(count)))
    }
}
