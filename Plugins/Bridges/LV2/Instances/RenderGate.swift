// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the control thread and the render thread from using an instance at the same time. Both threads.

import CLV2Shims
import Glibc
import LinuxSystem
import Synchronization

/// Lets one thread in at a time: the render thread for one block, or the control thread for as long as it takes.
///
/// The render thread never waits: where it cannot enter, it does without the plug-in for a block.
struct RenderGate: @unchecked Sendable {
    // SAFETY: the shared state is atomics, at addresses that last until `destroy`.

    /// Who was inside when the gate was looked at: the render thread, or a closing, each of which has a number of its own.
    struct Occupant {
        let number: UInt64
    }

    /// The number of who is inside, so that one look says whether the gate is closed, and by which closing.
    private let word: UnsafeMutablePointer<Atomic<UInt64>>
    private let wish: UnsafeMutablePointer<Atomic<Bool>>
    /// The number that was given out last, and that of a closing that was waited for in vain, or 0.
    private let lastNumber: UnsafeMutablePointer<Atomic<UInt64>>
    private let stuckNumber: UnsafeMutablePointer<Atomic<UInt64>>

    private static let free: UInt64 = 0
    /// Greater numbers are closings; none comes twice.
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

    /// Enters under a number; returns who is inside if somebody is.
    @_noLocks
    private func enter(as number: UInt64) -> Occupant? {
        // Acquire: a thread that enters sees what the last one did to the instance. So does a thread that cannot, because it may go on
        // beside an occupant that is stuck: what the occupant has put into the word continues the release of the last one to leave.
        let (entered, seen) = word.pointee.compareExchange(
            expected: Self.free, desired: number, successOrdering: .acquiring, failureOrdering: .acquiring)
        return entered ? nil : Occupant(number: seen)
    }

    /// `[render]` Enters; false while the control thread is inside.
    @_noLocks
    func enter() -> Bool { enter(as: Self.rendering) == nil }

    /// `[render]` The same, and wishes to come next if it cannot; with `waits`, for offline rendering, it tries for a second.
    ///
    /// It does not wait for what is stuck. Returns nil if it has entered; otherwise who was inside when it began to wait.
    @_noLocks
    func enter(waits: Bool) -> Occupant? {
        guard let occupant = enter(as: Self.rendering) else { return nil }
        // Relaxed: the wish says nothing of the instance.
        wish.pointee.store(true, ordering: .relaxed)
        guard waits, !isStuck(occupant) else { return occupant }
        let deadline = MonotonicClock.now() &+ 1_000_000_000
        while !enter() {
            guard MonotonicClock.now() < deadline else { return occupant }
            CLV2Shims_rest()
        }
        return nil
    }

    /// `[any]` Whether the render thread has wished to come next since the last call.
    ///
    /// What can wait lets it.
    func takeWish() -> Bool { wish.pointee.exchange(false, ordering: .relaxed) }

    /// `[any]` Whether a wait for this occupant has failed before; the caller may go on beside it.
    @_noLocks
    func isStuck(_ occupant: Occupant) -> Bool {
        // Relaxed: numbers come once, so this number is there only after somebody has given up this very closing, in whatever order
        // the rest is seen. What was done to the instance before, the caller has acquired with the number.
        stuckNumber.pointee.load(ordering: .relaxed) == occupant.number
    }

    /// `[any]` Marks an occupant as stuck, so that no thread waits for it again.
    ///
    /// An occupant that came later is not marked.
    @_noLocks
    func giveUp(_ occupant: Occupant) {
        // Only closings have numbers. A block that is being rendered has none.
        guard occupant.number > Self.rendering else { return }
        // Relaxed: see above. If it takes the place of another number, that one is waited for once more.
        stuckNumber.pointee.store(occupant.number, ordering: .relaxed)
    }

    /// `[render]` Leaves.
    @_noLocks
    func leave() { word.pointee.store(Self.free, ordering: .releasing) }

    /// `[control]` Waits for the end of the present block and enters; false when the block does not end in time.
    func close(milliseconds: Int) -> Bool { close(as: nextNumber(), milliseconds: milliseconds) }

    /// `[control]` The same, and gives up an occupant that does not leave in time; one that was given up is not waited for.
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
        // Relaxed: an addition gives each number once in any order.
        lastNumber.pointee.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// `[control]` Leaves.
    func open() { word.pointee.store(Self.free, ordering: .releasing) }
}
