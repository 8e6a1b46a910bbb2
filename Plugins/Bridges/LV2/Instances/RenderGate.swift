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
    private let word: UnsafeMutablePointer<Atomic<UInt32>>
    private let wish: UnsafeMutablePointer<Atomic<Bool>>
    /// Counts how often the gate was closed; the second is the count of a closing that was waited for in vain, or 0.
    private let closings: UnsafeMutablePointer<Atomic<UInt64>>
    private let stuckClosing: UnsafeMutablePointer<Atomic<UInt64>>

    private static let free: UInt32 = 0
    private static let rendering: UInt32 = 1
    private static let closed: UInt32 = 2

    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(Self.free))
        wish = .allocate(capacity: 1)
        wish.initialize(to: Atomic(false))
        (closings, stuckClosing) = (.allocate(capacity: 1), .allocate(capacity: 1))
        closings.initialize(to: Atomic(0))
        stuckClosing.initialize(to: Atomic(0))
    }

    func destroy() {
        word.deallocate()
        wish.deallocate()
        closings.deallocate()
        stuckClosing.deallocate()
    }

    /// `[render]` Enters; false while the control thread is inside.
    @_noLocks
    func enter() -> Bool {
        // Acquire: the render thread sees what the control thread did to the instance.
        word.pointee.compareExchange(expected: Self.free, desired: Self.rendering, ordering: .acquiring).exchanged
    }

    /// `[render]` The same, and wishes to come next if it cannot; with `waits`, for offline rendering, it tries for a second.
    ///
    /// It does not wait for what is stuck.
    @_noLocks
    func enter(waits: Bool) -> Bool {
        if enter() { return true }
        // Relaxed: the wish says nothing of the instance.
        wish.pointee.store(true, ordering: .relaxed)
        guard waits, !isStuck else { return false }
        let deadline = MonotonicClock.now() &+ 1_000_000_000
        while !enter() {
            guard MonotonicClock.now() < deadline else { return false }
            CLV2Shims_rest()
        }
        return true
    }

    /// `[any]` Whether the render thread has wished to come next since the last call.
    ///
    /// What can wait lets it.
    func takeWish() -> Bool { wish.pointee.exchange(false, ordering: .relaxed) }

    /// `[any]` Whether whoever is inside was waited for in vain.
    var isStuck: Bool {
        // Relaxed: it decides how long to wait, and nothing else.
        @_noLocks get { stuckClosing.pointee.load(ordering: .relaxed) == max(1, closings.pointee.load(ordering: .relaxed)) }
    }

    /// `[any]` Gives up: nobody waits for whoever is inside again.
    @_noLocks
    func giveUp() { stuckClosing.pointee.store(closings.pointee.load(ordering: .relaxed), ordering: .relaxed) }

    /// `[render]` Leaves.
    @_noLocks
    func leave() { word.pointee.store(Self.free, ordering: .releasing) }

    /// `[control]` Waits for the end of the present block and enters; false when the block does not end in time.
    func close(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while true {
            let (entered, _) = word.pointee.compareExchange(
                expected: Self.free, desired: Self.closed, ordering: .acquiring)
            if entered {
                closings.pointee.wrappingAdd(1, ordering: .relaxed)
                return true
            }
            guard MonotonicClock.now() < deadline else { return false }
            usleep(100)
        }
    }

    /// `[control]` Leaves.
    func open() { word.pointee.store(Self.free, ordering: .releasing) }
}
