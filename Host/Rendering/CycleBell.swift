// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts render cycles, and tells somebody who sleeps while nothing is rendered that something is again. Render thread and one other.

import LinuxSystem
import Synchronization

/// Words in the host's own memory, at one address.
///
/// Whoever is about to sleep says so and then looks at the count; the render thread counts and then looks whether somebody sleeps. All
/// four are sequentially consistent: not both can miss each other.
public struct CycleBell: ~Copyable {
    private let countWord = Atomic<UInt64>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let bell: EventBell

    /// Rings `event`, which lives longer.
    public init(_ event: EventDescriptor?) { bell = event?.bell ?? .none }

    /// Cycles so far.
    public var count: UInt64 {
        @_noLocks get { countWord.load(ordering: .relaxed) }
    }

    /// `[render]` One cycle more. It makes a system call for the first one after a rest, and for no other.
    @_noLocks
    public borrowing func countCycle() {
        countWord.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        isAwaited.store(false, ordering: .relaxed)
        bell.ring()
    }

    /// `[render]` Rings although the cycle is not over, whoever sleeps. One system call.
    @_noLocks
    public borrowing func ring() { bell.ring() }

    /// `[control]` The next cycle is to ring. False when there have been more than `seen` already, and there is nothing to wait for.
    public borrowing func await(after seen: UInt64) -> Bool {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        return countWord.load(ordering: .sequentiallyConsistent) == seen
    }
}
