// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A request for a priority that a thread of this user needs and cannot take itself. Any thread but a render thread.

import LinuxSystem
import Synchronization

/// `[control]` A request to rtkit, repeated until it is granted, refused or withdrawn.
package final class RankWish: Sendable {
    private enum State: UInt32 {
        case open = 0
        case granted = 1
        case withdrawn = 2
        /// The request is not repeated any more.
        ///
        /// A caller that still needs the priority makes a new request.
        case refused = 3
    }

    let rank: SchedulingClass
    let thread: Int32
    let process: Int32
    private let state = Atomic<UInt32>(State.open.rawValue)

    private init(_ rank: SchedulingClass, thread: Int32, process: Int32) {
        (self.rank, self.thread, self.process) = (rank, thread, process)
    }

    /// `[control]` Gives a thread of a process a priority, or requests one from rtkit if this user may not.
    ///
    /// Returns the request, or nil if there is none. The caller keeps it as long as it needs the priority, and passes it as
    /// `replacing` next time.
    ///
    /// rtkit serves only users who may take no real-time priority at all. Its priorities are lower than those that other users
    /// take.
    package static func give(
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

    /// `[control]` Makes the thread ordinary and drops any grant, even one that is still on its way.
    package func withdraw() {
        state.store(State.withdrawn.rawValue, ordering: .sequentiallyConsistent)
        if Scheduling.isThread(thread, of: process) { try? Scheduling.set(.ordinary, ofThread: thread) }
    }

    var isOpen: Bool { state.load(ordering: .sequentiallyConsistent) == State.open.rawValue }

    func refuse() {
        _ = state.compareExchange(
            expected: State.open.rawValue, desired: State.refused.rawValue, ordering: .sequentiallyConsistent)
    }

    /// Marks the request as granted: the thread has the priority.
    ///
    /// If the caller withdrew it meanwhile, the thread becomes ordinary again.
    func grant() {
        let (isGranted, _) = state.compareExchange(
            expected: State.open.rawValue, desired: State.granted.rawValue, ordering: .sequentiallyConsistent)
        if !isGranted { withdraw() }
    }
}
