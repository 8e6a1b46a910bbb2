// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ends a render thread's wait at its deadline, so that the render thread need not set a timer. A thread of its own.

import LinuxSystem
import Wire

/// Looks now and then whether a render thread still waits, and rings its doorbell when its time is up.
///
/// A bounded sleep makes the render thread set the processor's timer and set it back, every cycle, for a deadline
/// that is hardly ever reached; inside a virtual machine that is 12 µs where the hand-off itself takes 4. This
/// thread sets a timer instead, once in the length of a deadline: a cycle that begins after a look is not due
/// before that length has passed again, and one that is waited for at a look is looked at next when it is due.
///
/// It also moves the threads of units that overrun, when the render thread calls it: it outranks those that would keep
/// anybody else from coming.
///
/// The render thread decides for each wait whether it relies on that; see `DeadlineWords.sleep`.
final class DeadlineWatch {
    /// Above all render threads: it does next to nothing, and has to come when a unit won't stop.
    private static let rank = SchedulingClass(realtimePriority: 90)
    /// Looks without a new wait in between after which nothing is being played.
    private static let patience = 16

    /// `[control]` At one address for as long as the watch lives.
    let words: UnsafeMutablePointer<DeadlineWords>
    private let thread: LinuxSystem.Thread?

    /// `doorbell` is what the render thread sleeps on; it stays mapped for as long as the watch lives. `attend` is called
    /// at each look.
    init(doorbell: SharedFutexWord, attend: @escaping @Sendable () -> Void = {}) {
        let words = UnsafeMutablePointer<DeadlineWords>.allocate(capacity: 1)
        words.initialize(to: DeadlineWords())
        self.words = words
        let address = UInt(bitPattern: words)
        thread = try? LinuxSystem.Thread(name: "deadline watch") {
            Self.run(UnsafeMutablePointer(bitPattern: address)!, doorbell, attend)
        }
    }

    deinit {
        words.pointee.set(.stopping)
        thread?.join()
        words.deinitialize(count: 1)
        words.deallocate()
    }

    /// Has it run on the processor of the render thread. Elsewhere it could be held up by what does not hold that up: not
    /// every kernel interrupts its own work, the end of a process for one, for anybody's sake.
    func follow(_ processor: Int) {
        guard words.pointee.isOnDuty.load(ordering: .acquiring) else { return }
        let thread = words.pointee.watchThread.load(ordering: .relaxed)
        try? Scheduling.setProcessors([processor], ofThread: thread)
    }

    private static func run(
        _ words: UnsafeMutablePointer<DeadlineWords>, _ doorbell: SharedFutexWord, _ attend: () -> Void
    ) {
        Scheduling.raiseRealtimeLimits()
        // Without the rank it could come too late; the render threads then set their own timers.
        guard (try? Scheduling.set(rank, ofThread: 0)) != nil else { return }
        words.pointee.watchThread.store(Scheduling.currentThread, ordering: .relaxed)
        words.pointee.isOnDuty.store(true, ordering: .releasing)
        var (seenWaits, idleLooks): (UInt32, Int) = (0, 0)
        while true {
            let calls = words.pointee.calls
            attend()
            let next = look(words, doorbell)
            let waits = words.pointee.waitCount.load(ordering: .relaxed)
            idleLooks = waits == seenWaits ? idleLooks + 1 : 0
            seenWaits = waits
            if idleLooks >= patience { words.pointee.rest() }
            if words.pointee.doze(until: next, calls: calls) == .stopping { return }
        }
    }

    /// One look; when the next one is.
    private static func look(_ words: UnsafeMutablePointer<DeadlineWords>, _ doorbell: SharedFutexWord) -> UInt64 {
        // In this order, see `DeadlineWords.sleep`: whoever begins to wait from here on sees that nobody watches,
        // or is seen below.
        words.pointee.nextLook.store(0, ordering: .sequentiallyConsistent)
        let deadline = words.pointee.waitingUntil.load(ordering: .sequentiallyConsistent)
        let now = MonotonicClock.now()
        if deadline != 0, now >= deadline {
            // As the units ring; see the protocol.
            doorbell.countRing()
            Futex.wake(doorbell.address)
        }
        let length = words.pointee.length.load(ordering: .relaxed)
        let interval = min(max(length, DeadlineWords.shortestInterval), DeadlineWords.longestInterval)
        let next = deadline > now ? min(deadline, now + interval) : now + interval
        words.pointee.nextLook.store(next, ordering: .sequentiallyConsistent)
        return next
    }
}
