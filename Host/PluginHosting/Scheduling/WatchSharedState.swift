// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state that all render threads share with the deadline watch. Render threads, and the watch's own.

import LinuxSystem
import Synchronization

/// Atomics in the host's own memory, at one address for as long as the watch lives.
struct WatchSharedState: ~Copyable {
    /// The activity of the watch.
    enum Mode: UInt32 {
        case watching = 0
        /// Nothing has been played for a while; the next wait wakes the watch.
        case resting = 1
        case stopping = 2
    }

    /// The shortest time between looks in nanoseconds, for any deadlines.
    ///
    /// A look costs the render core some ten microseconds, and many deadlines are short exactly when little time is left.
    static var shortestInterval: UInt64 {
        @_noLocks get { 250_000 }
    }

    /// The time of the next look; 0 while the watch does not look.
    let nextLook = Atomic<UInt64>(0)
    /// The number of looks so far.
    let lookCount = Atomic<UInt64>(0)
    /// The minima since the last look: wait, step and deadline; see `Waits`.
    private let shortestWait = Atomic<UInt64>(.max)
    private let shortestStep = Atomic<UInt64>(.max)
    private let firstDeadline = Atomic<UInt64>(.max)
    /// True if a placement has changed since the last look.
    private let hasChanges = Atomic<Bool>(false)
    /// The number of waits so far.
    let waitCount = Atomic<UInt32>(0)
    /// True if the watch has the rank that it needs, and looks.
    let isOnDuty = Atomic<Bool>(false)
    /// True if the watch may not take a rank, and must ask for one.
    let mustAsk = Atomic<Bool>(false)
    /// The watch's thread; 0 until it runs.
    let thread = Atomic<Int32>(0)
    /// The watch's processor; -1 for any.
    let processor = Atomic<Int>(-1)
    private let modeWord = Atomic<UInt32>(Mode.watching.rawValue)
    /// The number of calls so far; the futex word on which the watch sleeps.
    private let callWord: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        callWord = .allocate(capacity: 1)
        callWord.initialize(to: Atomic(0))
    }

    deinit { callWord.deallocate() }

    /// `[render]` Notes a wait until `deadline`.
    ///
    /// `step` is the nanoseconds since the row's last deadline, and `look` the time of the next look.
    @_noLocks
    borrowing func noteWait(_ look: UInt64, _ deadline: UInt64, step: UInt64, _ now: UInt64) {
        let length = deadline &- now
        Self.lower(shortestWait, to: length)
        Self.lower(shortestStep, to: step)
        Self.lower(firstDeadline, to: deadline)
        waitCount.wrappingAdd(1, ordering: .relaxed)
        // The watch rests, or expects longer deadlines than this one.
        let isTooFarOff = look > deadline &+ max(length / 2, Self.shortestInterval)
        if isTooFarOff || modeWord.load(ordering: .relaxed) == Mode.resting.rawValue { set(.watching) }
    }

    /// Lowers a value.
    ///
    /// If several threads do so at once, one value may be lost.
    @_noLocks
    private static func lower(_ word: borrowing Atomic<UInt64>, to value: UInt64) {
        if value < word.load(ordering: .relaxed) { word.store(value, ordering: .relaxed) }
    }

    /// `[render]` Notes that a placement has changed; if it is urgent, the watch looks at once.
    @_noLocks
    borrowing func noteChange(isUrgent: Bool) {
        // Release: a watch that sees the flag sees the placement's state.
        hasChanges.store(true, ordering: .releasing)
        if isUrgent { call() }
    }

    /// Sets the watch's activity, and makes it look.
    ///
    /// Any thread but its own.
    @_noLocks
    borrowing func set(_ mode: Mode) {
        modeWord.store(mode.rawValue, ordering: .releasing)
        call()
    }

    /// Makes the watch look now; no call is lost, even during a look.
    ///
    /// Any thread but its own.
    @_noLocks
    borrowing func call() {
        // Release: a watch that sees the call sees the reason for it.
        callWord.pointee.wrappingAdd(1, ordering: .releasing)
        Futex.wake(callAddress)
    }

    private var callAddress: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(callWord).assumingMemoryBound(to: UInt32.self) }
    }
}

// MARK: - The watch's own side

extension WatchSharedState {
    /// The number of calls so far, to be read before a look.
    var calls: UInt32 { callWord.pointee.load(ordering: .acquiring) }

    /// True if a placement has changed since the last look.
    borrowing func takeChanges() -> Bool { hasChanges.exchange(false, ordering: .acquiring) }

    /// The minima since the last look: the shortest wait and step in nanoseconds, and the first deadline.
    struct Waits {
        var length, step, deadline: UInt64
    }

    /// Takes the minima and resets them; nil without a wait.
    borrowing func takeWaits() -> Waits? {
        let waits = Waits(
            length: shortestWait.exchange(.max, ordering: .relaxed), step: shortestStep.exchange(.max, ordering: .relaxed),
            deadline: firstDeadline.exchange(.max, ordering: .relaxed))
        return waits.length < .max && waits.deadline < .max ? waits : nil
    }

    /// Sleeps until the next look, or while it rests, unless a call came since `calls`; returns the activity to go on with.
    borrowing func doze(until next: UInt64, calls: UInt32) -> Mode {
        let mode = modeWord.load(ordering: .acquiring)
        if mode == Mode.stopping.rawValue { return .stopping }
        let isResting = mode == Mode.resting.rawValue
        _ = Futex.wait(callAddress, while: calls, until: isResting ? 0 : next)
        return Mode(rawValue: modeWord.load(ordering: .acquiring)) ?? .watching
    }

    /// Begins to rest until the next wait, unless a wait relies on the look that this cancels.
    ///
    /// A request to stop is not lost.
    borrowing func rest(unless isWaiting: () -> Bool) {
        nextLook.store(0, ordering: .sequentiallyConsistent)
        guard !isWaiting() else { return }
        _ = modeWord.compareExchange(
            expected: Mode.watching.rawValue, desired: Mode.resting.rawValue, ordering: .sequentiallyConsistent)
    }
}
