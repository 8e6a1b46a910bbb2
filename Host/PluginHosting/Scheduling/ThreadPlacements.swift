// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places the render threads of a supervisor's units on the render core. Control threads.

import LinuxSystem
import RTKit
import Synchronization

/// The seat that a row wants for a unit's render thread.
struct ThreadSeat: Hashable, Sendable {
    /// The real-time rank; 0 for none.
    var rank: Int32
    /// The thread's processor, and the host's render core; nil if the kernel chooses.
    var processor: Int?
    var renderCore: Int?
}

/// Changes the placements of units, which may belong to many rows.
final class ThreadPlacements: Sendable {
    /// Locked while threads are being placed or moved.
    ///
    /// Otherwise `clear` would mistake a render thread that is not listed yet for one of the other threads.
    private let order = Mutex(())

    /// Gives the render threads of `members` their seats, and moves all other threads of their processes off the render core.
    ///
    /// `all` holds every unit that may live in these processes.
    func seat(_ members: [UnitResources], among all: [UnitResources]) {
        var processes: Set<Int32> = []
        order.withLock { _ in
            for member in members {
                guard let seat = member.seat.withLock({ $0 }) else { continue }
                let process = member.unit.processIdentifier
                if let process { processes.insert(process) }
                member.rankWish.withLock { wish in
                    member.sharedState.pointee.threadPlacement.place(
                        process: process, thread: member.unit.renderThread, rank: seat.rank, processor: seat.processor,
                        renderCore: seat.renderCore, wish: &wish)
                }
            }
        }
        clearRenderCore(among: all) { processes.contains($0) }
    }

    /// Takes the placements of units that are in time but do not sleep, on the supervisor's thread.
    func take(from restless: [UnitResources], among all: [UnitResources]) {
        for member in restless { member.sharedState.pointee.threadPlacement.bar() }
        if !restless.isEmpty { move(all) }
    }

    /// Gives placements back to units that sleep again, on the supervisor's thread.
    func giveBack(to calm: [UnitResources], among all: [UnitResources]) {
        for member in calm { member.sharedState.pointee.threadPlacement.unbar() }
        if !calm.isEmpty { move(all) }
    }

    /// Moves threads that have lost or regained their placement, on the supervisor's thread.
    ///
    /// It also takes ranks if no watch does.
    func move(_ members: [UnitResources]) {
        let takesRanks = !DeadlineWatch.shared.sharedState.pointee.isOnDuty.load(ordering: .acquiring)
        let moved = order.withLock { _ in
            members.reduce(into: Set<Int32>()) { moved, member in
                let placement = member.sharedState
                if takesRanks { placement.pointee.threadPlacement.takeRank() }
                guard placement.pointee.threadPlacement.isToBeMoved else { return }
                let hasMoved = member.rankWish.withLock { placement.pointee.threadPlacement.move(&$0) }
                if hasMoved, let occupant = placement.pointee.threadPlacement.occupant { moved.insert(occupant.process) }
            }
        }
        if !moved.isEmpty { clearRenderCore(among: members) { moved.contains($0) } }
    }

    /// Moves all threads of these processes except the rendering ones off the render core, on the supervisor's thread.
    ///
    /// A thread that a render thread starts begins on the render core. A thread's start and end contain kernel code that not
    /// every kernel interrupts, not even for a real-time thread.
    func clearRenderCore(among all: [UnitResources], of isMeant: (_ process: Int32) -> Bool = { _ in true }) {
        order.withLock { _ in clear(all, isMeant) }
    }

    private func clear(_ members: [UnitResources], _ isMeant: (_ process: Int32) -> Bool) {
        // Examining a thread takes a system call.
        let meant = members.filter { member in member.unit.processIdentifier.map(isMeant) ?? false }
        let occupants = meant.compactMap { $0.sharedState.pointee.threadPlacement.occupant }
        let renderThreads = Set(occupants.map(\.thread))
        var renderCores: [Int32: Int] = [:]
        for occupant in occupants where isMeant(occupant.process) { renderCores[occupant.process] = occupant.renderCore }
        for (process, renderCore) in renderCores {
            // The processors of its first thread; threads that a render thread started may be bound to the render core only.
            let others = Scheduling.processors(ofThread: process).subtracting([renderCore])
            guard !others.isEmpty else { continue }
            for thread in Scheduling.threads(ofProcess: process) where !renderThreads.contains(thread) {
                guard Scheduling.processors(ofThread: thread).contains(renderCore) else { continue }
                try? Scheduling.setProcessors(others, ofThread: thread)
            }
        }
    }
}
