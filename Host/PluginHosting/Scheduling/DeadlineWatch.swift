// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ends the waits of render threads at their deadlines, so that they need not set timers. A thread of its own.

import Glibc
import LinuxSystem
import RTKit
import Synchronization
import Wire

/// The watch's view of a row; all of it stays valid until `leaveAlone` has returned.
struct WatchedRow: Sendable {
    // SAFETY: only the atomics in it are used.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<DeadlineSharedState>
    /// The doorbell that the render thread sleeps on.
    let doorbell: SharedFutexWord
    /// The row's units, whose ranks the watch takes.
    // SAFETY: only the atomics in them are used.
    nonisolated(unsafe) let units: [UnsafeMutablePointer<UnitSharedState>]
    /// Wakes the supervisor.
    let wakeUp: EventDescriptor

    /// The nanoseconds after a deadline when the watch has certainly missed it: something keeps it from running.
    static let patience: UInt64 = 10_000_000

    /// True if the render thread waits for a ring or a deadline.
    var isWaiting: Bool { sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent) != 0 }

    /// Takes the ranks of threads that must leave the render core, with one system call each.
    ///
    /// After a standstill of the machine every unit has overrun at once, and no other thread gets that core while the watch
    /// works. Moving a thread to another processor can take a tenth of a millisecond: the supervisor does that.
    func takeRanks() {
        var hasChanges = false
        for unit in units {
            unit.pointee.threadPlacement.takeRank()
            if unit.pointee.threadPlacement.isToBeMoved { hasChanges = true }
        }
        if hasChanges { wakeUp.ring() }
    }

    /// Rings as the units do; see the protocol.
    func ring() {
        sharedState.pointee.ringCount.wrappingAdd(1, ordering: .relaxed)
        doorbell.countRing()
        Futex.wake(doorbell.address)
    }

    /// Ends a wait long after its deadline.
    ///
    /// Any thread but the watch's calls it from time to time while the row is played.
    func ringIfForgotten() {
        let deadline = sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent)
        if deadline != 0, MonotonicClock.now() > deadline &+ Self.patience { ring() }
    }
}

/// Checks regularly for waiting render threads, and rings their doorbells at the deadline.
///
/// A bounded sleep makes the render thread set and cancel the processor's timer every cycle, for a deadline that it hardly ever
/// reaches. Inside a virtual machine that takes 12 µs, while the hand-off itself takes 4. This thread sets a timer instead, once
/// a cycle if cycles come at a pace. It looks just before the deadline, when the render thread usually sleeps until its next
/// cycle; see `WatchPace`.
///
/// The watch also takes the rank of units that overrun, when the render thread calls it. Its own rank is above those of units
/// that keep all other threads from running.
///
/// One watch serves all rows of a process. Each look costs the render core two switches and a timer. A plan may have hundreds of
/// rows, and waits for one at a time. The render thread decides for each wait whether it relies on the watch; see
/// `DeadlineSharedState.sleep`.
final class DeadlineWatch: Sendable {
    /// The watch's rank, above all render threads or the highest possible.
    ///
    /// The watch runs briefly, and must come when a unit does not stop.
    private static let rank = SchedulingClass(realtimePriority: 90)
    /// The number of looks without a new wait that show that nothing is played.
    private static let patience = 16

    /// The rows, locked during a look.
    ///
    /// Swift's mutex raises its holder to the rank of the thread that waits for it. So a control thread that adds a row does not
    /// keep the watch waiting.
    final class Rows: Sendable {
        let list = Mutex<[WatchedRow]>([])
    }

    private struct Living {
        weak var watch: DeadlineWatch?
    }
    private static let living = Mutex(Living())

    // SAFETY: allocated and freed here, and only the atomics in it are used.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<WatchSharedState>
    let rows: Rows
    private let thread: LinuxSystem.Thread?

    /// `[control]` The watch of this process; it ends with its last owner.
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
        let rows = Rows()
        self.rows = rows
        // Without the thread the render threads set their own timers, as before it has its rank.
        thread = try? LinuxSystem.Thread(name: "deadline watch") {
            // Cannot trap: the address of memory is not 0.
            Self.run(UnsafeMutablePointer(bitPattern: address)!, rows)
        }
    }

    deinit {
        sharedState.pointee.set(.stopping)
        thread?.join()
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    /// `[control]` Lets the watch check a row.
    func lookAfter(_ row: WatchedRow) { rows.list.withLock { $0.append(row) } }

    /// `[control]` Removes the row with this shared state; after the return no look uses it.
    func leaveAlone(_ sharedState: UnsafeMutablePointer<DeadlineSharedState>) {
        rows.list.withLock { $0.removeAll { $0.sharedState == sharedState } }
    }

    /// `[control]` Binds the watch to the processor of the render thread; the last call counts.
    ///
    /// On another processor the watch could be held up while the render thread is not. Not every kernel interrupts its own work
    /// for another thread, such as the end of a process.
    func follow(_ processor: Int) {
        // Sequentially consistent, as in `run`: at least one side sees the other's store.
        sharedState.pointee.processor.store(processor, ordering: .sequentiallyConsistent)
        guard sharedState.pointee.isOnDuty.load(ordering: .sequentiallyConsistent) else { return }
        Self.move(sharedState)
    }

    /// `[control]` Makes a watch without a rank ask for one, after a row has been placed.
    ///
    /// The row's units get ranks that this user may not set directly, and the watch must outrank them.
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
        // Elsewhere it may be held up, and is late at worst.
        try? Scheduling.setProcessors([processor], ofThread: sharedState.pointee.thread.load(ordering: .relaxed))
    }

    private static func run(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ rows: Rows) {
        Scheduling.raiseRealtimeLimits()
        sharedState.pointee.thread.store(Scheduling.currentThread, ordering: .relaxed)
        // Without a rank it could come too late. Until it has one the render threads set their own timers.
        while hasTakenRank(sharedState) {
            sharedState.pointee.isOnDuty.store(true, ordering: .sequentiallyConsistent)
            move(sharedState)
            guard watch(sharedState, rows) != .stopping else { return }
        }
    }

    /// Looks until it must stop or has lost its rank.
    private static func watch(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ rows: Rows) -> WatchSharedState.Mode {
        var (seenWaits, idleLooks): (UInt32, Int) = (0, 0)
        var pace = WatchPace()
        while true {
            let calls = sharedState.pointee.calls
            guard hasRank else {
                resign(sharedState, rows)
                return .watching
            }
            pace.note(sharedState.pointee.takeWaits())
            let next = rows.list.withLock { look(sharedState, $0, pace) }
            let waits = sharedState.pointee.waitCount.load(ordering: .relaxed)
            idleLooks = waits == seenWaits ? idleLooks + 1 : 0
            seenWaits = waits
            if idleLooks >= patience {
                rows.list.withLock { rows in sharedState.pointee.rest { rows.contains { $0.isWaiting } } }
            }
            if sharedState.pointee.doze(until: next, calls: calls) == .stopping { return .stopping }
        }
    }

    /// True if the thread still has its rank.
    ///
    /// rtkit takes back all ranks that it gave if one thread runs for too long.
    private static var hasRank: Bool { Scheduling.schedulingClass(ofThread: 0).map { $0 != .ordinary } ?? false }

    /// Ends all reliance on the watch, and wakes the waiting threads to set timers of their own.
    private static func resign(_ sharedState: UnsafeMutablePointer<WatchSharedState>, _ rows: Rows) {
        sharedState.pointee.isOnDuty.store(false, ordering: .sequentiallyConsistent)
        // Before it reads which threads wait, as in a look.
        sharedState.pointee.nextLook.store(0, ordering: .sequentiallyConsistent)
        rows.list.withLock { for row in $0 where row.isWaiting { row.ring() } }
    }

    /// Takes its rank, or waits until it gets one; false if it must stop before.
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

    /// Looks once, and returns the time of the next look.
    private static func look(
        _ sharedState: UnsafeMutablePointer<WatchSharedState>, _ rows: [WatchedRow], _ pace: WatchPace
    ) -> UInt64 {
        sharedState.pointee.lookCount.wrappingAdd(1, ordering: .relaxed)
        let hasChanges = sharedState.pointee.takeChanges()
        // In this order, see `DeadlineSharedState.sleep`: a wait that begins after this finds no watch, or the loop below finds
        // the wait.
        sharedState.pointee.nextLook.store(0, ordering: .sequentiallyConsistent)
        let now = MonotonicClock.now()
        var next = pace.next(after: now)
        for row in rows {
            if hasChanges { row.takeRanks() }
            let deadline = row.sharedState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent)
            guard deadline != 0 else { continue }
            if deadline > now {
                next = min(next, deadline)
            } else {
                row.ring()
            }
        }
        sharedState.pointee.nextLook.store(next, ordering: .sequentiallyConsistent)
        return next
    }
}

/// Counts the looks of this process's deadline watch.
///
/// A look takes the processor from the thread that runs there, also from one that is measured beside a row.
package struct DeadlineLooks: Sendable {
    private let watch = DeadlineWatch.shared

    /// `[control]` Starts the watch of this process unless it runs.
    package init() {}

    /// `[any]` The number of looks so far.
    package var count: UInt64 { watch.sharedState.pointee.lookCount.load(ordering: .relaxed) }
}
