// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A rank that a thread of this user's is to have, and may not take. Any thread but a render thread.

import LinuxSystem
import Synchronization

/// What rtkit is asked for, sooner or later and more than once, until it has been granted or refused, or is no longer wanted.
public final class RankWish: Sendable {
    private enum State: UInt32 {
        case open = 0
        case granted = 1
        case withdrawn = 2
        /// It is not asked for any more; who still wants the rank asks anew.
        case refused = 3
    }

    let rank: SchedulingClass
    let thread: Int32
    let process: Int32
    private let state = Atomic<UInt32>(State.open.rawValue)

    private init(_ rank: SchedulingClass, thread: Int32, process: Int32) {
        (self.rank, self.thread, self.process) = (rank, thread, process)
    }

    /// Gives a thread of a process a rank at once if this user may, or asks for it. What has been asked for, to be kept for as long as
    /// the rank is wanted, and `replacing` in what is asked for next; nil for nothing.
    ///
    /// Only who has no ranks at all asks: all those that are given lie below what others take.
    public static func give(
        _ rank: SchedulingClass, toThread thread: Int32, ofProcess process: Int32, replacing old: RankWish? = nil
    ) -> RankWish? {
        if let old, old.isOpen, old.thread == thread, old.rank == rank { return old }
        do throws(SystemError) {
            try Scheduling.set(rank, ofThread: thread)
            return old?.thread == thread ? old : nil
        } catch {
            guard RealtimeKit.isLastResort(after: error) else { return nil }
        }
        old?.withdraw()
        let wish = RankWish(rank, thread: thread, process: process)
        RankClerk.shared.take(wish)
        return wish
    }

    /// The thread is ordinary from here on, whatever has been granted it or still will be.
    public func withdraw() {
        state.store(State.withdrawn.rawValue, ordering: .sequentiallyConsistent)
        if Scheduling.isThread(thread, of: process) { try? Scheduling.set(.ordinary, ofThread: thread) }
    }

    var isOpen: Bool { state.load(ordering: .sequentiallyConsistent) == State.open.rawValue }

    func refuse() {
        _ = state.compareExchange(
            expected: State.open.rawValue, desired: State.refused.rawValue, ordering: .sequentiallyConsistent)
    }

    /// The thread has the rank. Whoever has withdrawn the wish meanwhile cannot have seen that it had.
    func grant() {
        let (isGranted, _) = state.compareExchange(
            expected: State.open.rawValue, desired: State.granted.rawValue, ordering: .sequentiallyConsistent)
        if !isGranted { withdraw() }
    }
}
