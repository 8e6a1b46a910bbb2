// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the wait of one chain and the watch over its deadline know of each other. Render thread, and the watch's own.

import LinuxSystem
import Synchronization
import Wire

/// Words in the host's own memory, at one address.
struct DeadlineSharedState: ~Copyable {
    /// The watch; it lives longer than these words.
    let watch: UnsafeMutablePointer<WatchSharedState>
    /// Whether no unit can do anything with the doorbell but sleep there and ring: one that nothing keeps from other calls could have
    /// the kernel move whoever sleeps there to another word, where nobody ever rings.
    private let mayRely: Bool
    /// The deadline of the wait that is going on; 0 when there is none.
    let waitingUntil = Atomic<UInt64>(0)
    /// Rings of the watch so far.
    let ringCount = Atomic<UInt32>(0)
    /// The deadline of the last wait that had begun. The render thread's alone.
    private let lastDeadline = Atomic<UInt64>(0)

    init(watch: UnsafeMutablePointer<WatchSharedState>, mayRely: Bool = true) { (self.watch, self.mayRely) = (watch, mayRely) }

    /// `[render]` Sleeps at a doorbell that reads `bell`, until it rings or the deadline has come.
    ///
    /// It relies on the watch when that is going to look before the deadline: it will see the wait then. The two
    /// stores and the two loads after them, here and in a look, are sequentially consistent, so that not both
    /// sides can miss each other. It has no end of its own then, not even a late one: a timer that never goes off costs a tenth
    /// of a hand-off, to be set and taken back. Should the watch not come, the supervisor does; see `WatchedChain.ringIfForgotten`.
    @_noLocks
    borrowing func sleep(at doorbell: SharedFutexWord, while bell: UInt32, until deadline: UInt64, now: UInt64) {
        waitingUntil.store(deadline, ordering: .sequentiallyConsistent)
        let look = watch.pointee.nextLook.load(ordering: .sequentiallyConsistent)
        let isWatched = mayRely && look > now && look <= deadline
        let last = lastDeadline.load(ordering: .relaxed)
        // Woken too early it waits on.
        watch.pointee.noteWait(look, deadline, step: deadline == last ? .max : deadline &- last, now)
        lastDeadline.store(deadline, ordering: .relaxed)
        _ = Futex.wait(doorbell.address, while: bell, until: isWatched ? 0 : deadline)
        // Relaxed: a look that still sees the deadline rings once too often, which does no harm.
        waitingUntil.store(0, ordering: .relaxed)
    }
}
