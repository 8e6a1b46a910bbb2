// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rank and the processor of a unit's render thread: given, taken away when it overruns, given back. Three threads.

import Glibc
import LinuxSystem
import RTKit
import Synchronization

/// Where a unit's render thread is in the host's favour.
enum PlacementState: UInt32 {
    /// It has the rank and the processor that the chain gives it.
    case placed = 0
    /// It has overrun, and both are to be taken from it.
    case leaving = 1
    /// It runs as an ordinary thread, and can starve nobody.
    case unranked = 2
    /// It runs as an ordinary thread, and anywhere but on the render core where there is another.
    case away = 3
    /// It has answered, and is to have both back.
    case returning = 4
}

/// What the watch has to be told of a seat.
enum PlacementChange: Int {
    case none = 0
    /// The next look is soon enough.
    case some = 1
    /// Those that share the processor may be starved already.
    case urgent = 2

    /// The more urgent of two.
    @_noLocks
    func or(_ other: PlacementChange) -> PlacementChange { rawValue < other.rawValue ? other : self }
}

/// A unit's place on the render core, as words at one address.
///
/// The render thread only says what is to be done (`lose`, `claim`): a system call that moves a thread waits for locks of
/// the scheduler, and is not for it. `takeRank` and `move` do it, on threads of their own each.
struct ThreadPlacement: ~Copyable {
    private let standingWord = Atomic<UInt32>(PlacementState.placed.rawValue)
    /// Its thread does not sleep: it is asked for blocks where it is, and gets no rank however promptly it answers.
    private let barred = Atomic<Bool>(false)
    /// When the seat was lost last. The thread's processor time then, as far as that can be told when it is moved, 0 while it is
    /// in its seat; and what it had taken without its seat before that. Nanoseconds.
    private let lostAt = Atomic<UInt64>(0)
    private let ranWhenLost = Atomic<UInt64>(0)
    private let ranUnplaced = Atomic<UInt64>(0)
    /// The unit's process and its render thread; 0 where there is none of its own.
    private let process = Atomic<Int32>(0)
    private let thread = Atomic<Int32>(0)
    /// The real-time rank, 0 for none; and the processor, -1 for any. The host's render core, -1 where there is none.
    private let rank = Atomic<Int32>(0)
    private let processor = Atomic<Int32>(-1)
    private let renderCore = Atomic<Int32>(-1)

    // MARK: Render thread, and the supervisor of one that does not sleep or does so again

    /// The unit has overrun. Whether that is news for the watch.
    @_noLocks
    func lose() -> Bool {
        guard isPlaced else { return false }
        lostAt.store(MonotonicClock.now(), ordering: .relaxed)
        return change(.placed, to: .leaving)
    }

    /// The unit has answered. Once it `isPlaced` again it can be asked for more. Whether that is news for the watch.
    @_noLocks
    func claim() -> Bool {
        guard !isBarred else { return false }
        return change(.unranked, to: .returning) || change(.away, to: .returning)
    }

    /// Has an ordinary thread run on one processor, if the chain gives it none; whether it does. Offline, where a thread that is moved
    /// keeps nobody waiting.
    @_noLocks
    func lend(_ processor: Int32) -> Bool {
        guard self.processor.load(ordering: .relaxed) < 0, let thread = livingThread else { return false }
        return Scheduling.bind(thread, to: processor)
    }

    var isBarred: Bool {
        @_noLocks get { barred.load(ordering: .acquiring) }
    }

    var isPlaced: Bool {
        @_noLocks get { standing == .placed }
    }

    private var standing: PlacementState? {
        @_noLocks get { PlacementState(rawValue: standingWord.load(ordering: .acquiring)) }
    }

    @_noLocks
    private func change(_ old: PlacementState, to new: PlacementState) -> Bool {
        // Release: whoever sees the new standing sees what led to it.
        standingWord.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing)
            .exchanged
    }

    // MARK: Control threads

    /// Takes a thread in, with what it is to have; nil for a unit without one of its own.
    func threadPlacement(
        process: Int32?, thread: Int32?, rank: Int32, processor: Int?, renderCore: Int?, wish: inout RankWish?
    ) {
        // Nobody takes the thread of one process for one of another.
        self.thread.store(0, ordering: .sequentiallyConsistent)
        self.process.store(process ?? 0, ordering: .sequentiallyConsistent)
        self.thread.store(thread ?? 0, ordering: .sequentiallyConsistent)
        self.rank.store(rank, ordering: .relaxed)
        self.processor.store(Int32(processor ?? -1), ordering: .relaxed)
        self.renderCore.store(Int32(renderCore ?? -1), ordering: .relaxed)
        if isPlaced { favour(&wish) }
    }

    /// A new thread has overrun nothing. Only while nothing renders the unit.
    func forgive() {
        barred.store(false, ordering: .releasing)
        ranUnplaced.store(0, ordering: .relaxed)
        ranWhenLost.store(0, ordering: .relaxed)
        standingWord.store(PlacementState.placed.rawValue, ordering: .releasing)
    }

    // MARK: The watch

    /// Makes the thread an ordinary one, if it is to leave.
    func takeRank() {
        guard standing == .leaving else { return }
        if rank.load(ordering: .relaxed) > 0, let thread = livingThread { try? Scheduling.set(.ordinary, ofThread: thread) }
        _ = change(.leaving, to: .unranked)
    }

    // MARK: The supervisor

    /// Its thread does not sleep, and is to have no rank before `unbar`. To be called again at each look, as the render thread may have
    /// claimed the seat just before.
    func bar() {
        barred.store(true, ordering: .releasing)
        if lose() { takeRank() }
    }

    /// Its thread sleeps again.
    func unbar() {
        barred.store(false, ordering: .releasing)
        _ = claim()
    }

    var isToBeMoved: Bool { standing == .unranked || standing == .returning }

    /// Moves the thread to where it is to be; whether it was to be moved. Its rank may come later than its seat, and may not come after
    /// that has been lost.
    func move(_ wish: inout RankWish?) -> Bool {
        guard isToBeMoved else { return false }
        if standing == .unranked {
            leave(&wish)
            _ = change(.unranked, to: .away)
        }
        // It may have answered meanwhile; and been found not to sleep since.
        if standing == .returning, isBarred {
            leave(&wish)
            _ = change(.returning, to: .away)
        }
        if standing == .returning {
            ranUnplaced.store(nanosecondsUnplaced(ofAll: processorTime), ordering: .relaxed)
            ranWhenLost.store(0, ordering: .relaxed)
            favour(&wish)
            _ = change(.returning, to: .placed)
        }
        return true
    }

    /// Of `nanoseconds`, the processor time that the thread has taken, what it has taken without its seat.
    func nanosecondsUnplaced(ofAll nanoseconds: UInt64) -> UInt64 {
        let (before, lost) = (ranUnplaced.load(ordering: .relaxed), ranWhenLost.load(ordering: .relaxed))
        return lost > 0 && nanoseconds > lost ? before &+ (nanoseconds &- lost) : before
    }

    /// It has been on its way out since it was lost, and may have run all that time.
    private func noteLoss() {
        let (ran, now, lost) = (processorTime, MonotonicClock.now(), lostAt.load(ordering: .relaxed))
        let since = now > lost ? now - lost : 0
        ranWhenLost.store(max(1, ran - min(ran, since)), ordering: .relaxed)
    }

    private var processorTime: UInt64 {
        livingThread.flatMap { ProcessorTime.nanoseconds(ofThread: $0, of: process.load(ordering: .relaxed))?.ran } ?? 0
    }

    /// The unit's process and its render thread, and the render core; nil where one of them is not known, or is gone.
    var occupant: (process: Int32, thread: Int32, renderCore: Int)? {
        let renderCore = Int(renderCore.load(ordering: .relaxed))
        guard renderCore >= 0, let thread = livingThread else { return nil }
        return (process.load(ordering: .relaxed), thread, renderCore)
    }

    /// Gives the thread its processor, and its rank only then: one that does not sleep would have a rank on the processor of
    /// whoever calls, who would not get to move it for a second. A rank that this user may not take is asked for, if there is
    /// anybody to ask.
    private func favour(_ wish: inout RankWish?) {
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
        // Where the unit's first thread may be.
        let others = Scheduling.processors(ofThread: process.load(ordering: .relaxed)).subtracting([renderCore])
        if !others.isEmpty { try? Scheduling.setProcessors(others, ofThread: thread) }
    }

    /// The thread, if the process still has it: its number may be another's by now.
    private var livingThread: Int32? {
        @_noLocks get {
            let (process, thread) = (process.load(ordering: .relaxed), thread.load(ordering: .relaxed))
            return thread > 0 && Scheduling.isThread(thread, of: process) ? thread : nil
        }
    }
}
