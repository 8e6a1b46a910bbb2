// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the control thread and the render thread from using an instance at the same time. Both threads.

import CLV2Shims
import Glibc
import LinuxSystem
import Synchronization

/// Lets one thread in at a time: the render thread for one block, or the control thread for any time.
///
/// The render thread never waits: if it cannot enter, it renders a block without the plug-in.
struct RenderGate: @unchecked Sendable {
    // SAFETY: the shared state is atomics, at addresses that last until `destroy`.

    /// The occupant at one look: the render thread, or a closing, which has its own number.
    struct Occupant {
        let number: UInt64
    }

    /// The number of the occupant, so that one look shows whether the gate is closed, and by which closing.
    private let word: UnsafeMutablePointer<Atomic<UInt64>>
    private let wish: UnsafeMutablePointer<Atomic<Bool>>
    /// The newest number, and the number of a stuck closing, or 0.
    private let lastNumber: UnsafeMutablePointer<Atomic<UInt64>>
    private let stuckNumber: UnsafeMutablePointer<Atomic<UInt64>>

    private static let free: UInt64 = 0
    /// Larger numbers are closings; no number is used twice.
    private static let rendering: UInt64 = 1

    init() {
        (word, wish, lastNumber) = (.allocate(capacity: 1), .allocate(capacity: 1), .allocate(capacity: 1))
        stuckNumber = .allocate(capacity: 1)
        word.initialize(to: Atomic(Self.free))
        wish.initialize(to: Atomic(false))
        lastNumber.initialize(to: Atomic(Self.rendering))
        stuckNumber.initialize(to: Atomic(0))
    }

    func destroy() {
        word.deallocate()
        wish.deallocate()
        lastNumber.deallocate()
        stuckNumber.deallocate()
    }

    /// Enters under a number; returns the present occupant, if there is one.
    @_noLocks
    private func enter(as number: UInt64) -> Occupant? {
        // Acquire: a thread that enters sees the last thread's changes to the instance. So does a thread that cannot enter,
        // because it may continue beside a stuck occupant. The occupant's write to the word continues the release of the last
        // thread that left.
        let (entered, seen) = word.pointee.compareExchange(
            expected: Self.free, desired: number, successOrdering: .acquiring, failureOrdering: .acquiring)
        return entered ? nil : Occupant(number: seen)
    }

    /// `[render]` Enters; false while the control thread is inside.
    @_noLocks
    func enter() -> Bool { enter(as: Self.rendering) == nil }

    /// `[render]` Enters, or asks to be next; with `waits`, for offline rendering, it tries for a second.
    ///
    /// It does not wait for a stuck occupant. Returns nil after entering, otherwise the occupant at the start of the wait.
    @_noLocks
    func enter(waits: Bool) -> Occupant? {
        guard let occupant = enter(as: Self.rendering) else { return nil }
        // Relaxed: the wish carries no data of the instance.
        wish.pointee.store(true, ordering: .relaxed)
        guard waits, !isStuck(occupant) else { return occupant }
        let deadline = MonotonicClock.now() &+ 1_000_000_000
        while !enter() {
            guard MonotonicClock.now() < deadline else { return occupant }
            CLV2Shims_rest()
        }
        return nil
    }

    /// `[any]` True if the render thread has asked to be next since the last call.
    ///
    /// A thread that can wait then lets it enter.
    func takeWish() -> Bool { wish.pointee.exchange(false, ordering: .relaxed) }

    /// `[any]` True if a wait for this occupant has already failed; the caller may then continue beside it.
    @_noLocks
    func isStuck(_ occupant: Occupant) -> Bool {
        // Relaxed: numbers are used once. So this number is here only after a thread gave up this very closing, in any order of
        // the other stores. The caller acquired earlier changes of the instance together with the number.
        stuckNumber.pointee.load(ordering: .relaxed) == occupant.number
    }

    /// `[any]` Marks an occupant as stuck, so that no thread waits for it again.
    ///
    /// A later occupant is not marked.
    @_noLocks
    func giveUp(_ occupant: Occupant) {
        // Only closings have numbers. A block has none.
        guard occupant.number > Self.rendering else { return }
        // Relaxed: see above. If it replaces another number, that one is waited for once more.
        stuckNumber.pointee.store(occupant.number, ordering: .relaxed)
    }

    /// `[render]` Leaves.
    @_noLocks
    func leave() { word.pointee.store(Self.free, ordering: .releasing) }

    /// `[control]` Waits for the end of the present block and enters; false if the block does not end in time.
    func close(milliseconds: Int) -> Bool { close(as: nextNumber(), milliseconds: milliseconds) }

    /// `[control]` The same, and marks an occupant that does not leave in time; a marked one is not waited for.
    func closeOrGiveUp(milliseconds: Int) -> Bool {
        let number = nextNumber()
        guard let occupant = enter(as: number) else { return true }
        guard !close(as: number, milliseconds: isStuck(occupant) ? 1 : milliseconds) else { return true }
        giveUp(occupant)
        return false
    }

    private func close(as number: UInt64, milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while enter(as: number) != nil {
            guard MonotonicClock.now() < deadline else { return false }
            usleep(100)
        }
        return true
    }

    private func nextNumber() -> UInt64 {
        // Relaxed: an addition gives each number once, in any order.
        lastNumber.pointee.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// `[control]` Leaves.
    func open() { word.pointee.store(Self.free, ordering: .releasing) }
}
