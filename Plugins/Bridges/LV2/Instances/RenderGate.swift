// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the control thread and the render thread from using an instance at the same time. Both threads.

import CLV2Shims
import Glibc
import Synchronization

/// Lets one thread in at a time: the render thread for one block, or the control thread for as long as it takes.
///
/// The render thread never waits: where it cannot enter, it does without the plug-in for a block.
struct RenderGate: @unchecked Sendable {
    // SAFETY: the shared state is one atomic, at an address that lasts until `destroy`.
    private let word: UnsafeMutablePointer<Atomic<UInt32>>

    private static let free: UInt32 = 0
    private static let rendering: UInt32 = 1
    private static let closed: UInt32 = 2

    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(Self.free))
    }

    func destroy() { word.deallocate() }

    /// `[render]` Enters; false while the control thread is inside.
    @_noLocks
    func enter() -> Bool {
        // Acquire: the render thread sees what the control thread did to the instance.
        word.pointee.compareExchange(expected: Self.free, desired: Self.rendering, ordering: .acquiring).exchanged
    }

    /// `[render]` The same; with `waits`, for offline rendering, it tries for about a second.
    @_noLocks
    func enter(waits: Bool) -> Bool {
        var attemptsLeft = waits ? 50_000 : 0
        while !enter() {
            guard attemptsLeft > 0 else { return false }
            attemptsLeft &-= 1
            CLV2Shims_rest()
        }
        return true
    }

    /// `[render]` Leaves.
    @_noLocks
    func leave() { word.pointee.store(Self.free, ordering: .releasing) }

    /// `[control]` Waits for the end of the present block and enters; false when the block does not end in time.
    func close(milliseconds: Int) -> Bool {
        for _ in 0..<milliseconds * 10 {
            let (entered, _) = word.pointee.compareExchange(
                expected: Self.free, desired: Self.closed, ordering: .acquiring)
            if entered { return true }
            usleep(100)
        }
        return false
    }

    /// `[control]` Leaves.
    func open() { word.pointee.store(Self.free, ordering: .releasing) }
}
