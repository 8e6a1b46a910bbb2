// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rank and the processor of a unit's render thread: given, taken away when it overruns, given back. Three threads.

import Glibc
import LinuxSystem
import RTKit
import Synchronization

/// The state of a render thread's placement.
enum PlacementState: UInt32 {
    /// It has the row's rank and processor.
    case placed = 0
    /// It has overrun, and must lose both.
    case leaving = 1
    /// It runs as an ordinary thread, and can starve no other thread.
    case unranked = 2
    /// It runs as an ordinary thread, off the render core if there is another processor.
    case away = 3
    /// It has answered, and gets both back.
    case returning = 4
}

/// A change of a placement that the watch must know.
enum PlacementChange: Int {
    case none = 0
    /// The next look is early enough.
    case some = 1
    /// Threads that share the processor may be starved already.
    case urgent = 2

    /// The more urgent of two changes.
    @_noLocks
    func or(_ other: PlacementChange) -> PlacementChange { rawValue < other.rawValue ? other : self }
}

/// A unit's placement on the render core, as atomics at one address.
///
/// The render thread only requests a change (`lose`, `claim`): a system call that moves a thread waits for locks of the
/// scheduler. `takeRank` and `move` make the change, each on a thread of its own.
struct ThreadPlacement: ~Copyable {
    private let stateWord = Atomic<UInt32>(PlacementState.placed.rawValue)
    /// True while the thread does not sleep.
    ///
    /// It then renders in its present place, and gets no rank even if it answers promptly.
    private let barred = Atomic<Bool>(false)
    /// The time of the last loss of the placement; all three in nanoseconds.
    ///
    /// `ranWhenLost` is the thread's processor time at the loss, as estimated at the move, or 0 while it is placed. `ranUnplaced`
    /// is its earlier processor time without a placement.
    private let lostAt = Atomic<UInt64>(0)
    private let ranWhenLost = Atomic<UInt64>(0)
    private let ranUnplaced = Atomic<UInt64>(0)
    /// The unit's process and its render thread; 0 for a unit without a process of its own.
    private let process = Atomic<Int32>(0)
    private let thread = Atomic<Int32>(0)
    /// The real-time rank, 0 for none; the processor, -1 for any; the host's render core, -1 for none.
    private let rank = Atomic<Int32>(0)
    private let processor = Atomic<Int32>(-1)
    private let renderCore = Atomic<Int32>(-1)

    // MARK: Render thread, and the supervisor for `bar` and `unbar`

    /// Notes that the unit has overrun; true if the watch must know.
    @_noLocks
    func lose() -> Bool {
        guard isPlaced else { return false }
        lostAt.store(MonotonicClock.now(), ordering: .relaxed)
        return change(.placed, to: .leaving)
    }

    /// Notes that the unit has answered; true if the watch must know.
    ///
    /// Once it `isPlaced` again it can get more requests.
    @_noLocks
    func claim() -> Bool {
        guard !isBarred else { return false }
        return change(.unranked, to: .returning) || change(.away, to: .returning)
    }

    /// Binds an ordinary thread to one processor, if the row gives it none; true if it is bound.
    ///
    /// Offline only: there, moving a thread keeps no driver waiting.
    @_noLocks
    func lend(_ processor: Int32) -> Bool {
        guard self.processor.load(ordering: .relaxed) < 0, let thread = livingThread else { return false }
        return Scheduling.bind(thread, to: processor)
    }

    var isBarred: Bool {
        @_noLocks get { barred.load(ordering: .acquiring) }
    }

    var isPlaced: Bool {
        @_noLocks get { placementState == .placed }
    }

    private var placementState: PlacementState? {
        @_noLocks get { PlacementState(rawValue: stateWord.load(ordering: .acquiring)) }
    }

    @_noLocks
    private func change(_ old: PlacementState, to new: PlacementState) -> Bool {
        // Release: a thread that sees the new state sees the writes before it.
        stateWord.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing)
            .exchanged
    }

    // MARK: Control threads

    /// Places a thread; its numbers are nil for a unit without a thread of its own.
    func place(
        process: Int32?, thread: Int32?, rank: Int32, processor: Int?, renderCore: Int?, wish: inout RankWish?
    ) {
        // Cleared first, so that no reader pairs the thread of one process with another process.
        self.thread.store(0, ordering: .sequentiallyConsistent)
        self.process.store(process ?? 0, ordering: .sequentiallyConsistent)
        self.thread.store(thread ?? 0, ordering: .sequentiallyConsistent)
        self.rank.store(rank, ordering: .relaxed)
        self.processor.store(Int32(processor ?? -1), ordering: .relaxed)
        self.renderCore.store(Int32(renderCore ?? -1), ordering: .relaxed)
        if isPlaced { give(&wish) }
    }

    /// Starts a new thread with a clean record.
    ///
    /// Call it only while nothing renders the unit.
    func forgive() {
        barred.store(false, ordering: .releasing)
        ranUnplaced.store(0, ordering: .relaxed)
        ranWhenLost.store(0, ordering: .relaxed)
        stateWord.store(PlacementState.placed.rawValue, ordering: .releasing)
    }

    // MARK: The watch

    /// Makes the thread an ordinary one, if it must leave.
    func takeRank() {
        guard placementState == .leaving else { return }
        if rank.load(ordering: .relaxed) > 0, let thread = livingThread { try? Scheduling.set(.ordinary, ofThread: thread) }
        _ = change(.leaving, to: .unranked)
    }

    // MARK: The supervisor

    /// Keeps a thread that does not sleep without a rank until `unbar`.
    ///
    /// Call it at each look: the render thread may have claimed the placement just before.
    func bar() {
        barred.store(true, ordering: .releasing)
        if lose() { takeRank() }
    }

    /// Gives a thread that sleeps again its placement back.
    func unbar() {
        barred.store(false, ordering: .releasing)
        _ = claim()
    }

    var isToBeMoved: Bool { placementState == .unranked || placementState == .returning }

    /// Moves the thread to its processor; true if a move was due.
    ///
    /// The rank may come later than the processor, and must not come after the placement has been lost.
    func move(_ wish: inout RankWish?) -> Bool {
        guard isToBeMoved else { return false }
        if placementState == .unranked {
            leave(&wish)
            _ = change(.unranked, to: .away)
        }
        // It may have answered meanwhile, and may not have slept since.
        if placementState == .returning, isBarred {
            leave(&wish)
            _ = change(.returning, to: .away)
        }
        if placementState == .returning {
            ranUnplaced.store(nanosecondsUnplaced(ofAll: processorTime), ordering: .relaxed)
            ranWhenLost.store(0, ordering: .relaxed)
            give(&wish)
            _ = change(.returning, to: .placed)
        }
        return true
    }

    /// The part of `nanoseconds`, the thread's whole processor time, that it ran without its placement.
    func nanosecondsUnplaced(ofAll nanoseconds: UInt64) -> UInt64 {
        let (before, lost) = (ranUnplaced.load(ordering: .relaxed), ranWhenLost.load(ordering: .relaxed))
        return lost > 0 && nanoseconds > lost ? before &+ (nanoseconds &- lost) : before
    }

    /// Estimates the processor time at the loss: the thread may have run ever since.
    private func noteLoss() {
        let (ran, now, lost) = (processorTime, MonotonicClock.now(), lostAt.load(ordering: .relaxed))
        let since = now > lost ? now - lost : 0
        ranWhenLost.store(max(1, ran - min(ran, since)), ordering: .relaxed)
    }

    private var processorTime: UInt64 {
        livingThread.flatMap { ProcessorTime.nanoseconds(ofThread: $0, of: process.load(ordering: .relaxed))?.ran } ?? 0
    }

    /// The unit's process, its render thread and the render core; nil if one of them is unknown or gone.
    var occupant: (process: Int32, thread: Int32, renderCore: Int)? {
        let renderCore = Int(renderCore.load(ordering: .relaxed))
        guard renderCore >= 0, let thread = livingThread else { return nil }
        return (process.load(ordering: .relaxed), thread, renderCore)
    }

    /// Gives the thread its processor, and only then its rank.
    ///
    /// Otherwise a thread that does not sleep would have a rank on the caller's processor, and the caller could not move it for a
    /// second. For a rank that this user may not set, the host asks a service if there is one.
    private func give(_ wish: inout RankWish?) {
        guard let thread = livingThread else { return }
        let processor = Int(processor.load(ordering: .relaxed))
        if processor >= 0 { try? Scheduling.setProcessors([processor], ofThread: thread) }
        let rank = rank.load(ordering: .relaxed)
        guard rank > 0 else { return }
        wish = RankWish.give(
            SchedulingClass(realtimePriority: rank), toThread: thread, ofProcess: process.load(ordering: .relaxed), replacing: wish)
    }

    private func leave(_ wish: inout RankWish?) {
        wish?.withdraw()
        wish = nil
        if ranWhenLost.load(ordering: .relaxed) == 0 { noteLoss() }
        let renderCore = Int(renderCore.load(ordering: .relaxed))
        guard renderCore >= 0, let thread = livingThread else { return }
        // The processors of the unit's first thread.
        let others = Scheduling.processors(ofThread: process.load(ordering: .relaxed)).subtracting([renderCore])
        if !others.isEmpty { try? Scheduling.setProcessors(others, ofThread: thread) }
    }

    /// The thread, if the process still has it: another process may have its number by now.
    private var livingThread: Int32? {
        @_noLocks get {
            let (process, thread) = (process.load(ordering: .relaxed), thread.load(ordering: .relaxed))
            return thread > 0 && Scheduling.isThread(thread, of: process) ? thread : nil
        }
    }
}
