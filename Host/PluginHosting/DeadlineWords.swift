// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a render thread and the watch over its deadline know of each other. Render thread, and the watch's own.

import LinuxSystem
import Synchronization
import Wire

/// Words in the host's own memory, at one address.
struct DeadlineWords: ~Copyable {
    /// What the watch does.
    enum Mode: UInt32 {
        case watching = 0
        /// Nothing has been played for a while; the next wait wakes it.
        case resting = 1
        case stopping = 2
    }

    /// Nanoseconds after a deadline at which a wait ends in any case. Late enough not to be the processor's next
    /// timer, which is the scheduler's tick.
    static let backstop: UInt64 = 10_000_000
    /// Nanoseconds between looks, whatever the deadlines.
    static let shortestInterval: UInt64 = 100_000
    static let longestInterval: UInt64 = 20_000_000

    /// When the watch looks next; 0 while nobody watches.
    let nextLook = Atomic<UInt64>(0)
    /// The deadline of the wait that is going on; 0 when there is none.
    let waitingUntil = Atomic<UInt64>(0)
    /// Nanoseconds from the start of a cycle to its deadline.
    let length = Atomic<UInt64>(0)
    /// Waits so far.
    let waitCount = Atomic<UInt32>(0)
    /// Whether the watch has the rank that it needs, and looks.
    let isOnDuty = Atomic<Bool>(false)
    /// The watch's thread; 0 until it runs.
    let watchThread = Atomic<Int32>(0)
    private let modeWord = Atomic<UInt32>(Mode.watching.rawValue)
    /// Calls so far; what the watch sleeps on.
    private let callWord: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        callWord = .allocate(capacity: 1)
        callWord.initialize(to: Atomic(0))
    }

    deinit { callWord.deallocate() }

    /// `[render]` Sleeps at a doorbell that reads `bell`, until it rings or the deadline has come.
    ///
    /// It relies on the watch when that is going to look before the deadline: it will see the wait then. The two
    /// stores and the two loads after them, here and in a look, are sequentially consistent, so that not both
    /// sides can miss each other.
    @_noLocks
    borrowing func sleep(at doorbell: SharedFutexWord, while bell: UInt32, until deadline: UInt64, now: UInt64) {
        waitingUntil.store(deadline, ordering: .sequentiallyConsistent)
        let look = nextLook.load(ordering: .sequentiallyConsistent)
        let isWatched = look > now && look <= deadline
        waitCount.wrappingAdd(1, ordering: .relaxed)
        if mustCall(look, deadline, now) { set(.watching) }
        _ = Futex.wait(doorbell.address, while: bell, until: isWatched ? deadline &+ Self.backstop : deadline)
        // Relaxed: a look that still sees the deadline rings once too often, which does no harm.
        waitingUntil.store(0, ordering: .relaxed)
    }

    /// Whether the watch rests, or has longer deadlines in mind than this one.
    @_noLocks
    private borrowing func mustCall(_ look: UInt64, _ deadline: UInt64, _ now: UInt64) -> Bool {
        let isTooFarOff = look > deadline &+ max((deadline &- now) / 2, Self.shortestInterval)
        return isTooFarOff || modeWord.load(ordering: .relaxed) == Mode.resting.rawValue
    }

    /// Tells the watch what to do, and has it look, from any thread but its own.
    @_noLocks
    borrowing func set(_ mode: Mode) {
        modeWord.store(mode.rawValue, ordering: .releasing)
        call()
    }

    /// Has the watch look now, from any thread but its own. A call is not lost, whatever the watch does meanwhile.
    @_noLocks
    borrowing func call() {
        // Release: what the watch is to find is there for whoever sees the call.
        callWord.pointee.wrappingAdd(1, ordering: .releasing)
        Futex.wake(callAddress)
    }
}

// MARK: - The watch's own side

extension DeadlineWords {
    /// Calls so far, to be read before a look.
    var calls: UInt32 { callWord.pointee.load(ordering: .acquiring) }

    /// Sleeps until the next look, or for as long as it rests, unless somebody has called since `calls`; what to do now.
    borrowing func doze(until next: UInt64, calls: UInt32) -> Mode {
        let mode = modeWord.load(ordering: .acquiring)
        if mode == Mode.stopping.rawValue { return .stopping }
        let isResting = mode == Mode.resting.rawValue
        _ = Futex.wait(callAddress, while: calls, until: isResting ? 0 : next)
        return Mode(rawValue: modeWord.load(ordering: .acquiring)) ?? .watching
    }

    /// Nobody watches until the next wait. A word to stop is not lost.
    borrowing func rest() {
        nextLook.store(0, ordering: .sequentiallyConsistent)
        // A wait that relied on the look just called off is seen here, and watched on.
        guard waitingUntil.load(ordering: .sequentiallyConsistent) == 0 else { return }
        _ = modeWord.compareExchange(
            expected: Mode.watching.rawValue, desired: Mode.resting.rawValue, ordering: .sequentiallyConsistent)
    }

    private var callAddress: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(callWord).assumingMemoryBound(to: UInt32.self) }
    }
}
