// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a row's wait, which the render thread shares with the deadline watch. Render thread, and the watch's own.

import LinuxSystem
import Synchronization
import Wire

/// Atomics in the host's own memory, at one address.
struct DeadlineSharedState: ~Copyable {
    /// The watch's shared state; it outlives this one.
    let watch: UnsafeMutablePointer<WatchSharedState>
    /// True if the units can only sleep and ring with the doorbell.
    ///
    /// A unit with other system calls could have the kernel move the sleeper to another futex word, which never rings.
    private let mayRely: Bool
    /// The deadline of the present wait; 0 without one.
    let waitingUntil = Atomic<UInt64>(0)
    /// The number of the watch's rings so far.
    let ringCount = Atomic<UInt32>(0)
    /// The deadline of the last wait that began.
    ///
    /// Render thread only.
    private let lastDeadline = Atomic<UInt64>(0)

    init(watch: UnsafeMutablePointer<WatchSharedState>, mayRely: Bool = true) { (self.watch, self.mayRely) = (watch, mayRely) }

    /// `[render]` Sleeps on a doorbell with the value `bell`, until it rings or the deadline has come.
    ///
    /// The wait relies on the watch if the next look comes before the deadline: that look will see the wait. Here and in a look,
    /// two stores are followed by two loads, all sequentially consistent. So at least one side sees the other.
    ///
    /// A wait that relies on the watch has no timeout of its own, not even a late one: setting and cancelling a timer costs a
    /// tenth of a hand-off. If the watch fails to come, the supervisor ends the wait; see `WatchedRow.ringIfForgotten`.
    @_noLocks
    borrowing func sleep(at doorbell: SharedFutexWord, while bell: UInt32, until deadline: UInt64, now: UInt64) {
        waitingUntil.store(deadline, ordering: .sequentiallyConsistent)
        let look = watch.pointee.nextLook.load(ordering: .sequentiallyConsistent)
        let isWatched = mayRely && look > now && look <= deadline
        let last = lastDeadline.load(ordering: .relaxed)
        // A thread that wakes too early continues to wait.
        watch.pointee.noteWait(look, deadline, step: deadline == last ? .max : deadline &- last, now)
        lastDeadline.store(deadline, ordering: .relaxed)
        _ = Futex.wait(doorbell.address, while: bell, until: isWatched ? 0 : deadline)
        // Relaxed: a look that still sees the deadline rings once too often, which does no harm.
        waitingUntil.store(0, ordering: .relaxed)
    }
}
