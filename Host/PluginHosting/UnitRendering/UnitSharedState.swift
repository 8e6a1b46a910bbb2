// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread and the others know of each other's doings with one unit. Render thread and control threads.

import LinuxSystem
import Synchronization
import Wire

/// Who may use a unit's region at the moment.
enum UnitAvailability: UInt32 {
    /// The control thread: the unit is gone, or not there yet.
    case absent = 0
    /// The render thread, from its next cycle on.
    case ready = 1
    /// The render thread is in a cycle.
    case rendering = 2
}

/// Words in the host's own memory, at one address while the unit's chain lives; see `UnitRenderer`.
struct UnitSharedState: ~Copyable {
    private let availability = Atomic<UInt32>(UnitAvailability.absent.rawValue)
    /// Set by the supervisor before it hands over a unit that takes up where another one died; until that is taken.
    let isNew = Atomic<Bool>(false)
    /// Set by the supervisor when the process has ended, for peers without a lifeline.
    let processEnded = Atomic<Bool>(false)
    /// Set by the supervisor while it does not bring the unit back.
    let isGivenUp = Atomic<Bool>(false)
    let isBypassed = Atomic<Bool>(false)
    /// Nanoseconds that the unit itself took for its last block.
    let renderNanoseconds = Atomic<UInt64>(0)
    let invalidStretchCount = Atomic<UInt32>(0)
    /// Blocks that the unit put out and that were not fit to be heard; and since when there has been no other kind, zero
    /// while all is well.
    let invalidBlockCount = Atomic<UInt64>(0)
    let invalidSince = Atomic<UInt64>(0)
    /// When the unit answered and rang nobody: the first time of those that followed each other soon, and the last one.
    let silentSince = Atomic<UInt64>(0)
    let silentUntil = Atomic<UInt64>(0)
    /// Frames that the unit has rendered, its former processes included.
    let renderedFrameCount = Atomic<UInt64>(0)
    /// Blocks in which something stood in for the unit.
    let replacedBlockCount = Atomic<UInt64>(0)
    /// Monotonic time since which an answer is outstanding; zero while none is.
    let outstandingSince = Atomic<UInt64>(0)
    /// The request whose answer is outstanding.
    private let outstandingSequence = Atomic<UInt64>(0)
    /// The first frame of the block that the unit is to render, or to render again should it die before it has been taken.
    let nextSampleTime = Atomic<Int64>(0)
    /// The same, read from another thread.
    var nextFrame: Int64 { nextSampleTime.load(ordering: .relaxed) }
    /// Its thread's place on the render core.
    let threadPlacement = ThreadPlacement()
    private let region: Region
    private let doorbell: SharedFutexWord

    init(region: Region, doorbell: SharedFutexWord) {
        self.region = region
        self.doorbell = doorbell
    }

    /// Whether the unit is there; false from its death until its return.
    var isPresent: Bool { availability.load(ordering: .acquiring) != UnitAvailability.absent.rawValue }
}

// MARK: - The render thread's side

extension UnitSharedState {
    /// Takes the unit for a cycle, if it is there.
    @_noLocks
    func take() -> Bool { change(.ready, to: .rendering) }

    /// Gives the unit back after a cycle, if it is still there.
    @_noLocks
    func giveBack() { _ = change(.rendering, to: .ready) }

    /// Whether the unit has been taken for this cycle.
    var isTaken: Bool {
        @_noLocks get { availability.load(ordering: .relaxed) == UnitAvailability.rendering.rawValue }
    }

    /// Hands the region of a dead unit to the control thread.
    @_noLocks
    func letGo() {
        // Release: this thread is done with the region.
        availability.store(UnitAvailability.absent.rawValue, ordering: .releasing)
    }

    @_noLocks
    private func change(_ old: UnitAvailability, to new: UnitAvailability) -> Bool {
        availability.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing)
            .exchanged
    }

    /// Whether what goes into the unit is to be passed on.
    var isPassedBy: Bool {
        @_noLocks get { isBypassed.load(ordering: .relaxed) || isGivenUp.load(ordering: .relaxed) }
    }

    /// A request has been granted and is not answered; since `now`, unless one was outstanding already.
    @_noLocks
    func beginJudgement(of sequence: UInt64, now: UInt64) {
        guard outstandingSince.load(ordering: .relaxed) == 0 else { return }
        outstandingSequence.store(sequence, ordering: .relaxed)
        // Release: the number is that of this request for whoever sees the time.
        outstandingSince.store(now, ordering: .releasing)
    }
}

// MARK: - The supervisor's side

extension UnitSharedState {
    /// Prepares for a unit that has just allocated in the region, freshly formatted, and takes up where another one died.
    /// Only while the unit is absent.
    func prepare() {
        threadPlacement.forgive()
        invalidSince.store(0, ordering: .relaxed)
        silentUntil.store(0, ordering: .relaxed)
        outstandingSince.store(0, ordering: .relaxed)
        processEnded.store(false, ordering: .relaxed)
        isNew.store(true, ordering: .relaxed)
    }

    /// Lets the render thread have the unit from its next cycle on.
    func offer() {
        // Release: the region and all words are ready for the render thread.
        availability.store(UnitAvailability.ready.rawValue, ordering: .releasing)
    }

    /// Whether the render thread has the unit no more. Between cycles nobody uses it, and it is taken.
    func withdraw() -> Bool {
        let taken = availability.compareExchange(
            expected: UnitAvailability.ready.rawValue, desired: UnitAvailability.absent.rawValue,
            ordering: .acquiringAndReleasing)
        return taken.exchanged || taken.original == UnitAvailability.absent.rawValue
    }

    /// Monotonic time since which an answer is awaited, or nil while none is. One that has come is awaited no more, even
    /// if no cycle follows in which the render thread would notice.
    var awaitsSince: UInt64? {
        let since = outstandingSince.load(ordering: .acquiring)
        let sequence = outstandingSequence.load(ordering: .relaxed)
        // The same time again: the number belongs to it.
        guard since != 0, region.completedSequence.load() != sequence, outstandingSince.load(ordering: .acquiring) == since
        else { return nil }
        return since
    }

    /// Forgets that a unit has been awaited since `since`: it is judged from when it is rung next.
    func forgive(awaitedSince since: UInt64) {
        _ = outstandingSince.compareExchange(expected: since, desired: 0, ordering: .relaxed)
    }

    /// Since when the unit rings nobody, if it has not done so for longer than `nanoseconds`.
    func silentSince(longerThan nanoseconds: UInt64) -> UInt64? {
        let last = silentUntil.load(ordering: .acquiring)
        let since = silentSince.load(ordering: .relaxed)
        return last > since &+ nanoseconds ? since : nil
    }

    /// Nanoseconds for which the doorbell of a unit that has been woken is looked at.
    private static let lookNanoseconds: UInt64 = 200_000

    /// Whether the predecessor has written in the doorbell of a unit that is awaited since `since`: the unit itself has it for
    /// reading only. It is woken first, so that whoever keeps the number from it has to do so now.
    func isMisled(awaitedSince since: UInt64) -> Bool {
        let granted = UInt32(truncatingIfNeeded: outstandingSequence.load(ordering: .relaxed))
        // Once without a pause, since it may be right again soon; and once with, since whoever has been woken too may have to have
        // this processor for what it does.
        for isPausing in [false, true] {
            Futex.wake(doorbell.address)
            let end = MonotonicClock.now() + Self.lookNanoseconds
            repeat {
                // Once it has answered the host goes on to the next number.
                if doorbell.load() != granted { return awaitsSince == since }
                if isPausing { Futex.pause(microseconds: 20) }
            } while MonotonicClock.now() < end
        }
        return false
    }

    /// Whether a unit whose process has ended was inside a block then, as far as it has said so itself.
    var diedInsideABlock: Bool {
        let started = region.startedSequence.load()
        return started != 0 && started != region.completedSequence.load()
    }
}
