// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts render cycles, and wakes a thread that sleeps while none begins. Render thread and one other.

import LinuxSystem
import Synchronization

/// A count of cycles and a wake-up, in the host's own memory at one address.
///
/// The sleeper sets its flag and then reads the count of beginnings. The render thread counts a beginning and then reads the
/// flag. All four accesses are sequentially consistent, so at least one side sees the other. The wake-up comes at the beginning
/// of a cycle: the sleeper is awake before the cycle waits for a unit.
public struct CycleBell: ~Copyable {
    private let begunWord = Atomic<UInt64>(0)
    private let endedWord = Atomic<UInt64>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let bell: EventBell

    /// Makes a bell that rings `event`; `event` must outlive it.
    public init(_ event: EventDescriptor?) { bell = event?.bell ?? .none }

    /// The number of cycles that have ended.
    public var count: UInt64 {
        @_noLocks get { endedWord.load(ordering: .relaxed) }
    }

    /// The number of cycles that have begun.
    public var begunCount: UInt64 { begunWord.load(ordering: .relaxed) }

    /// `[render]` Counts the beginning of a cycle.
    ///
    /// It makes a system call only if a thread awaits the cycle.
    @_noLocks
    public borrowing func begin() {
        begunWord.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        isAwaited.store(false, ordering: .relaxed)
        bell.ring()
    }

    /// `[render]` Counts the end of a cycle.
    ///
    /// Relaxed: the count publishes nothing else.
    @_noLocks
    public borrowing func end() { endedWord.wrappingAdd(1, ordering: .relaxed) }

    /// `[render]` Rings in the middle of a cycle, even if no thread sleeps.
    ///
    /// It makes one system call.
    @_noLocks
    public borrowing func ring() { bell.ring() }

    /// `[control]` Asks for a ring at the next cycle; false if more than `seen` have already begun.
    public borrowing func await(after seen: UInt64) -> Bool {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        return begunWord.load(ordering: .sequentiallyConsistent) == seen
    }
}
