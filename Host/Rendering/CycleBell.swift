// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts render cycles, and tells somebody who sleeps while nothing is rendered that one has begun. Render thread and one other.

import LinuxSystem
import Synchronization

/// Words in the host's own memory, at one address.
///
/// Whoever is about to sleep says so and then looks at the count of beginnings; the render thread counts one and then looks whether
/// somebody sleeps. All four are sequentially consistent: not both can miss each other. It is the beginning that rings: whoever looks
/// after a cycle is awake before the cycle waits for anybody.
public struct CycleBell: ~Copyable {
    private let begunWord = Atomic<UInt64>(0)
    private let endedWord = Atomic<UInt64>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let bell: EventBell

    /// Rings `event`, which lives longer.
    public init(_ event: EventDescriptor?) { bell = event?.bell ?? .none }

    /// Cycles that have come to their end.
    public var count: UInt64 {
        @_noLocks get { endedWord.load(ordering: .relaxed) }
    }

    /// Cycles that have begun.
    public var begunCount: UInt64 { begunWord.load(ordering: .relaxed) }

    /// `[render]` A cycle begins. It makes a system call for the first one after a rest, and for no other.
    @_noLocks
    public borrowing func begin() {
        begunWord.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        isAwaited.store(false, ordering: .relaxed)
        bell.ring()
    }

    /// `[render]` A cycle has come to its end. Relaxed: it is a number, and nothing is published by it.
    @_noLocks
    public borrowing func end() { endedWord.wrappingAdd(1, ordering: .relaxed) }

    /// `[render]` Rings although the cycle is not over, whoever sleeps. One system call.
    @_noLocks
    public borrowing func ring() { bell.ring() }

    /// `[control]` The next cycle is to ring. False when more than `seen` have begun already, and there is nothing to wait for.
    public borrowing func await(after seen: UInt64) -> Bool {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        return begunWord.load(ordering: .sequentiallyConsistent) == seen
    }
}
