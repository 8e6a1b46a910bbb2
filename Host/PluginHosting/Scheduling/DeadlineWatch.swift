// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ends the waits of render threads at their deadlines, so that these need not set timers. A thread of its own.

import Glibc
import LinuxSystem
import RTKit
import Synchronization
import Wire

/// What the watch looks after of a chain. All of it stays where it is until the chain has been left alone.
struct WatchedChain: Sendable {
    // SAFETY: only the atomics in it are used.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<DeadlineSharedState>
    /// What the render thread sleeps on.
    let doorbell: SharedFutexWord
    let threadPlacements: ThreadPlacements

    /// Nanoseconds after a deadline at which the watch has forgotten it: something keeps it from running.
    static let patience: UInt64 = 10_000_000

    /// Whether the render thread sleeps until somebody rings or a deadline has come.
    var isWaiting: Bool { sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent) != 0 }

    /// As the units ring; see the protocol.
    func ring() {
        sharedState.pointee.ringCount.wrappingAdd(1, ordering: .relaxed)
        doorbell.countRing()
        Futex.wake(doorbell.address)
    }

    /// Ends a wait whose time has long been up. From any thread but the watch's: now and then, while the chain is played.
    func ringIfForgotten() {
        let deadline = sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent)
        if deadline != 0, MonotonicClock.now() > deadline &+ Self.patience { ring() }
    }
}

/// Looks now and then whether a render thread still waits, and rings its doorbell when its time is up.
///
/// A bounded sleep makes the render thread set the processor's timer and set it back, every cycle, for a deadline
/// that is hardly ever reached; inside a virtual machine that is 12 µs where the hand-off itself takes 4. This
/// thread sets a timer instead, once a cycle if cycles come at a pace, and just before the deadline, when the render thread usually
/// sleeps until its next cycle; see `WatchPace`.
///
/// It also takes the rank of units that overrun, when the render thread calls it: it outranks those that would keep
/// anybody else from coming.
///
/// One serves all chains of a process: each look costs the render core two switches and a timer, and a plan may have
/// hundreds of chains, of which it waits for one at a time. The render thread decides for each wait whether it relies on
/// the watch; see `DeadlineSharedState.sleep`.
final class DeadlineWatch: Sendable {
    /// Above all render threads, or as high as there are ranks: it does next to nothing, and has to come when a unit won't stop.
    private static let rank = SchedulingClass(realtimePriority: 90)
    /// Looks without a new wait in between after which nothing is being played.
    private static let patience = 16

    /// Locked during a look. Swift's mutex has whoever holds it run at the rank of whoever waits for it, so that a control
    /// thread that is about to add a chain does not keep the watch waiting.
    final class Chains: Sendable {
        let list = Mutex<[WatchedChain]>([])
    }

    private struct Living {
        weak var watch: DeadlineWatch?
    }
    private static let living = Mutex(Living())

    // SAFETY: allocated and freed here, and only the atomics in it are used.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<WatchSharedState>
    let chains: Chains
    private let thread: LinuxSystem.Thread?

    /// `[control]` The watch of this process. It goes with the last one who holds it.
    static var shared: DeadlineWatch {
        living.withLock { living in
            if let watch = living.watch { return watch }
            let watch = DeadlineWatch()
            living.watch = watch
            return watch
        }
    }

    init() {
        let sharedState = UnsafeMutablePointer<WatchSharedState>.allocate(capacity: 1)
        sharedState.initialize(to: WatchSharedState())
        self.sharedState = sharedState
        let address = UInt(bitPattern: sharedState)
        let chains = Chains()
        self.chains = chains
        thread = try? LinuxSystem.Thread(name: "deadline watch") {
            Self.run(UnsafeMutablePointer(bitPattern: address)!, chains)
        }
    }

    deinit {
        sharedState.pointee.set(.stopping)
        thread?.join()
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    /// `[control]`
    func lookAfter(_ chain: WatchedChain) { chains.list.withLock { $0.append(chain) } }

    /// `[control]` On return no look touches anything of the chain with these words.
    func leaveAlone(_ sharedState: UnsafeMutablePointer<DeadlineSharedState>) {
        chains.list.withLock { $0.removeAll { $0.sharedState == sharedState } }
    }

    /// `[control]` Has it run on the processor of the render thread, of the last one named if there are several. Elsewhere it
    /// could be held up by what does not hold that up: not every kernel interrupts its own work, the end of a process for one,
    /// for anybody's sake.
    func follow(_ processor: Int) {
        // Sequentially consistent, as in `run`: either side sees what the other has stored.
        sharedState.pointee.processor.store(processor, ordering: .sequentiallyConsistent)
        guard sharedState.pointee.isOnDuty.load(ordering: .sequentiallyConsistent) else { return }
        Self.move(sharedState)
    }

    /// `[control]` A chain has been placed, and its units are to have ranks below one that this user may not take: the watch asks for its
    /// own, which must be higher than theirs, if it has none.
    func seekRank() {
        guard !sharedState.pointee.isOnDuty.load(ordering: .sequentiallyConsistent), RealtimeRights.priorityLimit == 0 else {
            return
        }
        sharedState.pointee.mustAsk.store(true, ordering: .releasing)
        sharedState.pointee.call()
    }

    private static func move(_ sharedState: UnsafeMutablePointer<WatchSharedState>) {
        let processor = sharedState.pointee.processor.load(ordering: .sequentiallyConsistent)
        guard processor >= 0 else { return }
        try? Scheduling.setProcessors([processor], ofThread: sharedState.pointee.thread.load(ordering: .relaxed))
    }

    private static func run(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ chains: Chains) {
        Scheduling.raiseRealtimeLimits()
        sharedState.pointee.thread.store(Scheduling.currentThread, ordering: .relaxed)
        // Without a rank it could come too late; while there is none the render threads set their own timers.
        while hasTakenRank(sharedState) {
            sharedState.pointee.isOnDuty.store(true, ordering: .sequentiallyConsistent)
            move(sharedState)
            guard watch(sharedState, chains) != .stopping else { return }
        }
    }

    /// Looks until it is told to stop, or has lost its rank.
    private static func watch(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ chains: Chains) -> WatchSharedState.Mode {
        var (seenWaits, idleLooks): (UInt32, Int) = (0, 0)
        var pace = WatchPace()
        while true {
            let calls = sharedState.pointee.calls
            guard hasRank else {
                resign(sharedState, chains)
                return .watching
            }
            pace.note(sharedState.pointee.takeWaits())
            let next = chains.list.withLock { look(sharedState, $0, pace) }
            let waits = sharedState.pointee.waitCount.load(ordering: .relaxed)
            idleLooks = waits == seenWaits ? idleLooks + 1 : 0
            seenWaits = waits
            if idleLooks >= patience {
                chains.list.withLock { chains in sharedState.pointee.rest { chains.contains { $0.isWaiting } } }
            }
            if sharedState.pointee.doze(until: next, calls: calls) == .stopping { return .stopping }
        }
    }

    /// Whoever gave it may take it back, as rtkit does with all that it has given when one thread takes too much.
    private static var hasRank: Bool { Scheduling.schedulingClass(ofThread: 0).map { $0 != .ordinary } ?? false }

    /// Nobody may rely on it any more, nor go on to: who waits is woken, and looks after itself.
    private static func resign(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ chains: Chains) {
        sharedState.pointee.isOnDuty.store(false, ordering: .sequentiallyConsistent)
        // Before it looks who waits, as in a look.
        sharedState.pointee.nextLook.store(0, ordering: .sequentiallyConsistent)
        chains.list.withLock { for chain in $0 where chain.isWaiting { chain.ring() } }
    }

    /// Takes its rank, or waits until one has been given; false when it is to stop before.
    private static func hasTakenRank(_ sharedState: UnsafeMutablePointer<WatchSharedState>) -> Bool {
        if (try? Scheduling.set(rank, ofThread: 0)) != nil { return true }
        var (roundsLeft, due) = (0, UInt64(0))
        while true {
            let calls = sharedState.pointee.calls
            if sharedState.pointee.mustAsk.exchange(false, ordering: .acquiring) { (roundsLeft, due) = (RealtimeKit.roundCount, 0) }
            if roundsLeft > 0, MonotonicClock.now() >= due {
                do throws(RealtimeKit.Refusal) {
                    _ = try RealtimeKit.give(rank, toThread: Scheduling.currentThread, ofProcess: getpid())
                    return true
                } catch {
                    roundsLeft = error.answer == .busy ? roundsLeft - 1 : 0
                    due = MonotonicClock.now() + RealtimeKit.roundLength
                }
            }
            if sharedState.pointee.doze(until: roundsLeft > 0 ? due : 0, calls: calls) == .stopping { return false }
        }
    }

    /// One look; when the next one is.
    private static func look(
        _ sharedState: UnsafeMutablePointer<WatchSharedState>, _ chains: [WatchedChain], _ pace: WatchPace
    ) -> UInt64 {
        sharedState.pointee.lookCount.wrappingAdd(1, ordering: .relaxed)
        let hasChanges = sharedState.pointee.takeChanges()
        // In this order, see `DeadlineSharedState.sleep`: whoever begins to wait from here on sees that nobody watches,
        // or is seen below.
        sharedState.pointee.nextLook.store(0, ordering: .sequentiallyConsistent)
        let now = MonotonicClock.now()
        var next = pace.next(after: now)
        for chain in chains {
            if hasChanges { chain.threadPlacements.takeRanks() }
            let deadline = chain.sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent)
            guard deadline != 0 else { continue }
            if deadline > now {
                next = min(next, deadline)
            } else {
                chain.ring()
            }
        }
        sharedState.pointee.nextLook.store(next, ordering: .sequentiallyConsistent)
        return next
    }
}

/// How often the watch over the deadlines of all chains has looked. Each look takes the processor from whoever runs there, also from
/// what has nothing to do with a chain and is measured beside one.
public struct DeadlineLooks: Sendable {
    private let watch = DeadlineWatch.shared

    /// `[control]`
    public init() {}

    /// From any thread.
    public var count: UInt64 { watch.sharedState.pointee.lookCount.load(ordering: .relaxed) }
}
