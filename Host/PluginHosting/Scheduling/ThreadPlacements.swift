// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The placements of all units of a chain on the render core. The deadline watch and the supervisor.

import LinuxSystem
import RTKit
import Synchronization

/// Changes the placements of a chain's units.
///
/// The watch only takes ranks, with one system call each: while it works, no other thread gets the render core.
/// After the machine has stood still every unit has overrun at once. Moving a thread to another processor can
/// take a tenth of a millisecond, so the supervisor does that, on another processor.
final class ThreadPlacements: Sendable {
    // SAFETY: the units' shared state is atomics; it outlives the chain's core, and with it the watch.
    nonisolated(unsafe) private let units: [UnsafeMutablePointer<UnitSharedState>]
    /// Wakes the supervisor.
    private let wakeUp: EventDescriptor
    /// Held while threads are being placed or moved.
    ///
    /// Otherwise `clear` would take a render thread that is not listed yet for one of the other threads. It
    /// guards the ranks that have been asked for, one for each unit.
    private let order: Mutex<[RankWish?]>

    init(of units: [UnsafeMutablePointer<UnitSharedState>], wakeUp: EventDescriptor) {
        self.units = units
        self.wakeUp = wakeUp
        order = Mutex(Array(repeating: nil, count: units.count))
    }

    deinit { order.withLock { $0.forEach { $0?.withdraw() } } }

    /// The watch: takes the ranks of threads that must leave.
    func takeRanks() {
        var hasChanges = false
        for unit in units {
            unit.pointee.threadPlacement.takeRank()
            if unit.pointee.threadPlacement.isToBeMoved { hasChanges = true }
        }
        if hasChanges { wakeUp.ring() }
    }

    /// The placement that a unit gets.
    struct Assignment {
        var index: Int
        var process: Int32?
        var thread: Int32?
        var rank: Int32
        var processor: Int?
        /// The host's render core.
        var renderCore: Int?
    }

    /// Control threads: places render threads, and moves all other threads of these processes off the render
    /// core.
    func occupy(_ occupations: [Assignment]) {
        order.withLock { wishes in
            for it in occupations {
                units[it.index].pointee.threadPlacement.place(
                    process: it.process, thread: it.thread, rank: it.rank, processor: it.processor, renderCore: it.renderCore,
                    wish: &wishes[it.index])
            }
        }
        let processes = Set(occupations.compactMap(\.process))
        clearRenderCore { processes.contains($0) }
    }

    /// The supervisor: takes the placements of units that are in time but do not sleep.
    func take(from restless: Set<Int>) {
        for index in restless { units[index].pointee.threadPlacement.bar() }
        if !restless.isEmpty { move() }
    }

    /// The supervisor: gives placements back to units that sleep again.
    func giveBack(to calm: [Int]) {
        for index in calm { units[index].pointee.threadPlacement.unbar() }
        if !calm.isEmpty { move() }
    }

    /// The supervisor: moves threads that have lost or regained their placement, and takes ranks where no watch
    /// does.
    func move() {
        let takesRanks = !DeadlineWatch.shared.sharedState.pointee.isOnDuty.load(ordering: .acquiring)
        let moved = order.withLock { wishes in
            units.indices.reduce(into: Set<Int32>()) { moved, index in
                let unit = units[index]
                if takesRanks { unit.pointee.threadPlacement.takeRank() }
                if unit.pointee.threadPlacement.move(&wishes[index]), let occupant = unit.pointee.threadPlacement.occupant {
                    moved.insert(occupant.process)
                }
            }
        }
        if !moved.isEmpty { clearRenderCore { moved.contains($0) } }
    }

    /// The supervisor: moves all threads of these processes off the render core, except those that render.
    ///
    /// Whatever a render thread starts begins on the render core. A thread's start and end are stretches in the
    /// kernel that not every kernel interrupts, not even for a real-time thread.
    func clearRenderCore(of isMeant: (_ process: Int32) -> Bool = { _ in true }) {
        order.withLock { _ in clear(isMeant) }
    }

    private func clear(_ isMeant: (_ process: Int32) -> Bool) {
        let occupants = units.compactMap { $0.pointee.threadPlacement.occupant }
        let renderThreads = Set(occupants.map(\.thread))
        var renderCores: [Int32: Int] = [:]
        for occupant in occupants where isMeant(occupant.process) { renderCores[occupant.process] = occupant.renderCore }
        for (process, renderCore) in renderCores {
            // The processors of its first thread; threads that a render thread started may be bound to the
            // render core alone.
            let others = Scheduling.processors(ofThread: process).subtracting([renderCore])
            guard !others.isEmpty else { continue }
            for thread in Scheduling.threads(ofProcess: process) where !renderThreads.contains(thread) {
                guard Scheduling.processors(ofThread: thread).contains(renderCore) else { continue }
                try? Scheduling.setProcessors(others, ofThread: thread)
            }
        }
    }
}
