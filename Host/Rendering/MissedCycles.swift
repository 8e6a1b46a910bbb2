// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cycles that missed their deadline. Written by the render thread, taken by the control thread.

import Synchronization

/// One missed cycle: its beginning, its end, and the length of its frames, in nanoseconds.
public struct MissedCycle: Sendable {
    /// The beginning of the cycle, on the monotonic clock.
    public let start: UInt64
    /// The end of the cycle, on the monotonic clock.
    public let end: UInt64
    /// The length of the cycle's frames.
    public let length: UInt64

    /// `[any]` Makes a missed cycle with these times.
    @_noLocks
    public init(start: UInt64, end: UInt64, length: UInt64) {
        self.start = start
        self.end = end
        self.length = length
    }
}

/// A ring buffer of missed cycles with one writer and one reader.
///
/// A full ring drops new ones.
struct MissedCycles: ~Copyable {
    private static var capacity: Int {
        @_noLocks get { 256 }
    }

    private let slots: UnsafeMutablePointer<MissedCycle>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    init() {
        slots = .allocate(capacity: Self.capacity)
        slots.initialize(repeating: MissedCycle(start: 0, end: 0, length: 0), count: Self.capacity)
    }

    deinit { slots.deallocate() }

    /// `[render]` Keeps a missed cycle.
    @_noLocks
    func note(_ miss: MissedCycle) {
        let number = written.load(ordering: .relaxed)
        // Acquire: the reader is done with the slot's last content. Release: the new content is complete.
        guard number &- taken.load(ordering: .acquiring) < Self.capacity else { return }
        slots[number % Self.capacity] = miss
        written.store(number &+ 1, ordering: .releasing)
    }

    /// `[control]` Takes the missed cycles since the last call, oldest first.
    func take() -> [MissedCycle] {
        let first = taken.load(ordering: .relaxed)
        let end = written.load(ordering: .acquiring)
        let misses = (first..<end).map { slots[$0 % Self.capacity] }
        taken.store(end, ordering: .releasing)
        return misses
    }
}
