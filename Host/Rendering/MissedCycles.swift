// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cycles that took longer than they last. Written by the render thread, taken by the control thread.

import Synchronization

/// One of them, in nanoseconds: from when to when it was rendered, on the monotonic clock, and how long it lasts.
public struct MissedCycle: Sendable {
    public let start: UInt64
    public let end: UInt64
    public let length: UInt64

    @_noLocks
    public init(start: UInt64, end: UInt64, length: UInt64) {
        self.start = start
        self.end = end
        self.length = length
    }
}

/// A ring of them with one writer and one reader. One that finds no room is not remembered.
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

    /// `[render]`
    @_noLocks
    func note(_ miss: MissedCycle) {
        let number = written.load(ordering: .relaxed)
        // Acquire: whoever took the slot's last content is done with it. Release: the content is there.
        guard number &- taken.load(ordering: .acquiring) < Self.capacity else { return }
        slots[number % Self.capacity] = miss
        written.store(number &+ 1, ordering: .releasing)
    }

    /// `[control]` Those since the last call, oldest first.
    func take() -> [MissedCycle] {
        let first = taken.load(ordering: .relaxed)
        let end = written.load(ordering: .acquiring)
        let misses = (first..<end).map { slots[$0 % Self.capacity] }
        taken.store(end, ordering: .releasing)
        return misses
    }
}
