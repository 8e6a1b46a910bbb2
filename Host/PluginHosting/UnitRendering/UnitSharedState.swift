// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The atomics of one unit that its render thread shares with other threads. Render thread and control threads.

import LinuxSystem
import Synchronization
import Wire

/// The thread that may use a unit's region at present.
enum UnitAvailability: UInt32 {
    /// The control thread: the unit is gone, or not ready yet.
    case absent = 0
    /// The render thread, from its next cycle on.
    case ready = 1
    /// The render thread, which is in a cycle.
    case rendering = 2
}

/// Atomics in the host's own memory, at one address while the unit has resources.
///
/// See `UnitRenderer`.
struct UnitSharedState: ~Copyable {
    private let availability = Atomic<UInt32>(UnitAvailability.absent.rawValue)
    /// Set by the supervisor before it hands over a restarted unit, and cleared when the render thread takes the unit.
    let isNew = Atomic<Bool>(false)
    /// The wiring that the unit has taken for a row of units: the row's number and the wiring's, see `RowWiring`; 0 for none.
    let rowWiring = Atomic<UInt64>(0)
    /// Set by the supervisor when the process has ended, for peers without a lifeline.
    let processEnded = Atomic<Bool>(false)
    /// Set by the supervisor while it does not bring the unit back.
    let isGivenUp = Atomic<Bool>(false)
    let isBypassed = Atomic<Bool>(false)
    /// True if the program's events may have changed the unit's state without the control thread's knowledge.
    let hasUntoldChanges = Atomic<Bool>(false)
    /// The nanoseconds that the unit reported for its last block.
    let renderNanoseconds = Atomic<UInt64>(0)
    /// The most of these nanoseconds since the last query.
    let longestRenderNanoseconds = Atomic<UInt64>(0)
    let invalidStretchCount = Atomic<UInt32>(0)
    /// The notes without a sound, and the programs that another one replaced.
    let unplayedNoteCount = Atomic<UInt32>(0)
    let substitutedProgramCount = Atomic<UInt32>(0)
    /// The events that found no room in the unit, or that it did not understand.
    let droppedEventCount = Atomic<UInt32>(0)
    /// The delay of the output in frames, as the unit reported it at its allocation or with its last block.
    let latencyFrameCount = Atomic<Int>(0)
    /// The number of invalid blocks for which the unit is to blame.
    ///
    /// `invalidSince` is the time since which no valid block has come; zero while all is well.
    let invalidBlockCount = Atomic<UInt64>(0)
    let invalidSince = Atomic<UInt64>(0)
    /// The times when the unit answered without ringing: the first of a silence, and the last.
    let silentSince = Atomic<UInt64>(0)
    let silentUntil = Atomic<UInt64>(0)
    /// The number of frames that the unit has rendered, its former processes included.
    let renderedFrameCount = Atomic<UInt64>(0)
    /// The number of blocks that the fallback replaced.
    let replacedBlockCount = Atomic<UInt64>(0)
    /// True if the unit has put out anything but silence; the next is true if it has put out anything but its input.
    let hasSounded = Atomic<Bool>(false)
    let hasChangedSound = Atomic<Bool>(false)
    /// The monotonic time since which an answer is outstanding; zero without one.
    let outstandingSince = Atomic<UInt64>(0)
    /// The request whose answer is outstanding.
    private let outstandingSequence = Atomic<UInt64>(0)
    /// The first frame of the block that the unit renders next.
    ///
    /// If the unit dies before the block has been taken, the unit renders it again.
    let nextSampleTime = Atomic<Int64>(0)
    /// The same frame, read from another thread.
    var nextFrame: Int64 { nextSampleTime.load(ordering: .relaxed) }
    /// The wiring on which the unit sleeps, and the wiring in the newest request.
    let wiring = Atomic<UInt32>(0)
    let namedWiring = Atomic<UInt32>(0)
    /// Its thread's placement on the render core.
    let threadPlacement = ThreadPlacement()
    private let region: Region

    init(region: Region) { self.region = region }

    /// True if the unit is present; false from its death until its return.
    var isPresent: Bool { availability.load(ordering: .acquiring) != UnitAvailability.absent.rawValue }
}

// MARK: - The render thread's side

extension UnitSharedState {
    /// Takes the unit for a cycle; false if it is absent.
    @_noLocks
    func take() -> Bool { change(.ready, to: .rendering) }

    /// Gives the unit back after a cycle, unless it has been released.
    @_noLocks
    func giveBack() { _ = change(.rendering, to: .ready) }

    /// True if the unit has been taken for this cycle.
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

    /// True if the unit's input is passed on instead of its output.
    var isPassedBy: Bool {
        @_noLocks get { isBypassed.load(ordering: .relaxed) || isGivenUp.load(ordering: .relaxed) }
    }

    /// Notes a granted request without an answer, outstanding since `now` unless one was outstanding already.
    @_noLocks
    func beginJudgement(of sequence: UInt64, now: UInt64) {
        guard outstandingSince.load(ordering: .relaxed) == 0 else { return }
        outstandingSequence.store(sequence, ordering: .relaxed)
        // Release: a thread that sees the time sees the number of this request.
        outstandingSince.store(now, ordering: .releasing)
    }
}

// MARK: - The supervisor's side

extension UnitSharedState {
    /// Prepares for a restarted unit that has just allocated in the newly formatted region.
    ///
    /// Call it only while the unit is absent.
    func prepare() {
        threadPlacement.forgive()
        invalidSince.store(0, ordering: .relaxed)
        silentUntil.store(0, ordering: .relaxed)
        outstandingSince.store(0, ordering: .relaxed)
        processEnded.store(false, ordering: .relaxed)
        // A new process has only the wiring of its allocation.
        rowWiring.store(0, ordering: .relaxed)
        wiring.store(0, ordering: .relaxed)
        namedWiring.store(0, ordering: .relaxed)
        isNew.store(true, ordering: .relaxed)
    }

    /// Lets the render thread take the unit from its next cycle on.
    func offer() {
        // Release: the region and all shared state are ready for the render thread.
        availability.store(UnitAvailability.ready.rawValue, ordering: .releasing)
    }

    /// Takes the unit from the render thread between cycles; true if the render thread no longer has it.
    func withdraw() -> Bool {
        let taken = availability.compareExchange(
            expected: UnitAvailability.ready.rawValue, desired: UnitAvailability.absent.rawValue,
            ordering: .acquiringAndReleasing)
        return taken.exchanged || taken.original == UnitAvailability.absent.rawValue
    }

    /// The monotonic time since which an answer is awaited; nil without one.
    ///
    /// After the answer nothing is awaited, even if no cycle follows in which the render thread would notice it.
    var awaitsSince: UInt64? {
        let since = outstandingSince.load(ordering: .acquiring)
        let sequence = outstandingSequence.load(ordering: .relaxed)
        // Read again: if the time is unchanged, the number belongs to it.
        guard since != 0, region.completedSequence.load() != sequence, outstandingSince.load(ordering: .acquiring) == since
        else { return nil }
        return since
    }

    /// Forgets that an answer has been awaited since `since`: the unit is judged from its next ring.
    func forgive(awaitedSince since: UInt64) {
        _ = outstandingSince.compareExchange(expected: since, desired: 0, ordering: .relaxed)
    }

    /// The time since which the unit answers without ringing, if that has lasted longer than `nanoseconds`.
    func silentSince(longerThan nanoseconds: UInt64) -> UInt64? {
        let last = silentUntil.load(ordering: .acquiring)
        let since = silentSince.load(ordering: .relaxed)
        return last > since &+ nanoseconds ? since : nil
    }

    /// The nanoseconds for which the doorbell of a woken unit is watched.
    private static let lookNanoseconds: UInt64 = 200_000

    /// True if the predecessor has written in the doorbell of a unit that is awaited since `since`.
    ///
    /// The unit itself can only read its doorbell. It is woken first, so that a thread that hides the number from it must do so
    /// now.
    func isMisled(awaitedSince since: UInt64, at doorbell: SharedFutexWord) -> Bool {
        let granted = UInt32(truncatingIfNeeded: outstandingSequence.load(ordering: .relaxed))
        // Once without a pause, since the number may soon be right again. Once with pauses, since the other thread may need this
        // processor.
        for isPausing in [false, true] {
            Futex.wake(doorbell.address)
            let end = MonotonicClock.now() + Self.lookNanoseconds
            repeat {
                // After an answer the host goes on to the next number.
                if doorbell.load() != granted { return awaitsSince == since }
                if isPausing { Futex.pause(microseconds: 20) }
            } while MonotonicClock.now() < end
        }
        return false
    }

    /// True if a unit was inside a block when its process ended, by its own mark.
    var diedInsideABlock: Bool {
        let started = region.startedSequence.load()
        return started != 0 && started != region.completedSequence.load()
    }
}
