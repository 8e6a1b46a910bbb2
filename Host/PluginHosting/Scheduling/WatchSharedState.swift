// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What all render threads and the watch over their deadlines know of each other. Render threads, and the watch's own.

import LinuxSystem
import Synchronization

/// Words in the host's own memory, at one address for as long as the watch lives.
struct WatchSharedState: ~Copyable {
    /// What the watch does.
    enum Mode: UInt32 {
        case watching = 0
        /// Nothing has been played for a while; the next wait wakes it.
        case resting = 1
        case stopping = 2
    }

    /// Nanoseconds between looks at least, whatever the deadlines. A look costs the render core some ten microseconds, and
    /// just when there is little time left many deadlines are short.
    static var shortestInterval: UInt64 {
        @_noLocks get { 250_000 }
    }

    /// When the watch looks next; 0 while nobody watches.
    let nextLook = Atomic<UInt64>(0)
    /// Looks so far.
    let lookCount = Atomic<UInt64>(0)
    /// See `Waits`.
    private let shortestWait = Atomic<UInt64>(.max)
    private let shortestStep = Atomic<UInt64>(.max)
    private let firstDeadline = Atomic<UInt64>(.max)
    /// Something has happened to a seat since the last look.
    private let hasChanges = Atomic<Bool>(false)
    /// Waits so far.
    let waitCount = Atomic<UInt32>(0)
    /// Whether the watch has the rank that it needs, and looks.
    let isOnDuty = Atomic<Bool>(false)
    /// The watch may not take a rank, and is to ask for one.
    let mustAsk = Atomic<Bool>(false)
    /// The watch's thread; 0 until it runs.
    let thread = Atomic<Int32>(0)
    /// The processor that it is to run on; -1 for any.
    let processor = Atomic<Int>(-1)
    private let modeWord = Atomic<UInt32>(Mode.watching.rawValue)
    /// Calls so far; what the watch sleeps on.
    private let callWord: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        callWord = .allocate(capacity: 1)
        callWord.initialize(to: Atomic(0))
    }

    deinit { callWord.deallocate() }

    /// `[render]` A wait until `deadline` begins, `step` nanoseconds after the last one's of this chain, and the next look is to be
    /// at `look`.
    @_noLocks
    borrowing func noteWait(_ look: UInt64, _ deadline: UInt64, step: UInt64, _ now: UInt64) {
        let length = deadline &- now
        Self.lower(shortestWait, to: length)
        Self.lower(shortestStep, to: step)
        Self.lower(firstDeadline, to: deadline)
        waitCount.wrappingAdd(1, ordering: .relaxed)
        // It rests, or has longer deadlines in mind than this one.
        let isTooFarOff = look > deadline &+ max(length / 2, Self.shortestInterval)
        if isTooFarOff || modeWord.load(ordering: .relaxed) == Mode.resting.rawValue { set(.watching) }
    }

    /// Several threads may note at once, of which one may be forgotten.
    @_noLocks
    private static func lower(_ word: borrowing Atomic<UInt64>, to value: UInt64) {
        if value < word.load(ordering: .relaxed) { word.store(value, ordering: .relaxed) }
    }

    /// `[render]` Something has happened to a seat: the watch looks at once if it is urgent, or else when it would have.
    @_noLocks
    borrowing func noteChange(isUrgent: Bool) {
        // Release: the seat's standing is there for whoever sees the news.
        hasChanges.store(true, ordering: .releasing)
        if isUrgent { call() }
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

    private var callAddress: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(callWord).assumingMemoryBound(to: UInt32.self) }
    }
}

// MARK: - The watch's own side

extension WatchSharedState {
    /// Calls so far, to be read before a look.
    var calls: UInt32 { callWord.pointee.load(ordering: .acquiring) }

    /// Whether something has happened to a seat since the last look.
    borrowing func takeChanges() -> Bool { hasChanges.exchange(false, ordering: .acquiring) }

    /// Since the last look: nanoseconds of the shortest wait, and from one deadline of a chain to its next; the first deadline.
    struct Waits {
        var length, step, deadline: UInt64
    }

    /// What has been noted, to be forgotten then; nil if nobody has waited.
    borrowing func takeWaits() -> Waits? {
        let waits = Waits(
            length: shortestWait.exchange(.max, ordering: .relaxed), step: shortestStep.exchange(.max, ordering: .relaxed),
            deadline: firstDeadline.exchange(.max, ordering: .relaxed))
        return waits.length < .max && waits.deadline < .max ? waits : nil
    }

    /// Sleeps until the next look, or for as long as it rests, unless somebody has called since `calls`; what to do now.
    borrowing func doze(until next: UInt64, calls: UInt32) -> Mode {
        let mode = modeWord.load(ordering: .acquiring)
        if mode == Mode.stopping.rawValue { return .stopping }
        let isResting = mode == Mode.resting.rawValue
        _ = Futex.wait(callAddress, while: calls, until: isResting ? 0 : next)
        return Mode(rawValue: modeWord.load(ordering: .acquiring)) ?? .watching
    }

    /// Nobody watches until the next wait, unless one that relied on the look just called off goes on. A word to stop is
    /// not lost.
    borrowing func rest(unless isWaiting: () -> Bool) {
        nextLook.store(0, ordering: .sequentiallyConsistent)
        guard !isWaiting() else { return }
        _ = modeWord.compareExchange(
            expected: Mode.watching.rawValue, desired: Mode.resting.rawValue, ordering: .sequentiallyConsistent)
    }
}
