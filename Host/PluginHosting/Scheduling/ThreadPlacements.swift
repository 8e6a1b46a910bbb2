// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places of all units of a chain on the render core. The deadline watch and the supervisor.

import LinuxSystem
import RTKit
import Synchronization

/// Looks after the seats of a chain's units.
///
/// The watch only takes ranks, a single system call: it keeps the render core from all others while it works, and where the
/// machine has stood still every unit has overrun at once. Moving threads from core to core, which can take a
/// tenth of a millisecond each, is the supervisor's, elsewhere.
final class ThreadPlacements: Sendable {
    // SAFETY: the units' words are atomics; they outlive the chain's core, and with it the watch.
    nonisolated(unsafe) private let units: [UnsafeMutablePointer<UnitSharedState>]
    /// Wakes the supervisor.
    private let wakeUp: EventDescriptor
    /// Held by whoever gives out seats, or moves who has none: a render thread that is in nobody's list yet would be taken for
    /// another one. The ranks that have been asked for, a unit's each.
    private let order: Mutex<[RankWish?]>

    init(of units: [UnsafeMutablePointer<UnitSharedState>], wakeUp: EventDescriptor) {
        self.units = units
        self.wakeUp = wakeUp
        order = Mutex(Array(repeating: nil, count: units.count))
    }

    deinit { order.withLock { $0.forEach { $0?.withdraw() } } }

    /// The watch: takes the ranks of those that are to leave.
    func takeRanks() {
        var hasChanges = false
        for unit in units {
            unit.pointee.threadPlacement.takeRank()
            if unit.pointee.threadPlacement.isToBeMoved { hasChanges = true }
        }
        if hasChanges { wakeUp.ring() }
    }

    /// Who is to have a seat, and which one.
    struct Assignment {
        var index: Int
        var process: Int32?
        var thread: Int32?
        var rank: Int32
        var processor: Int?
        /// The host's own.
        var renderCore: Int?
    }

    /// Control threads: gives out seats, and has all other threads of these processes run elsewhere.
    func occupy(_ occupations: [Assignment]) {
        order.withLock { wishes in
            for it in occupations {
                units[it.index].pointee.threadPlacement.threadPlacement(
                    process: it.process, thread: it.thread, rank: it.rank, processor: it.processor, renderCore: it.renderCore,
                    wish: &wishes[it.index])
            }
        }
        let processes = Set(occupations.compactMap(\.process))
        clearRenderCore { processes.contains($0) }
    }

    /// The supervisor: takes the seats of units that are in time and do not sleep.
    func take(from restless: Set<Int>) {
        for index in restless { units[index].pointee.threadPlacement.bar() }
        if !restless.isEmpty { move() }
    }

    /// The supervisor: they sleep again.
    func giveBack(to calm: [Int]) {
        for index in calm { units[index].pointee.threadPlacement.unbar() }
        if !calm.isEmpty { move() }
    }

    /// The supervisor: moves those that have lost their ranks or are to have them back, and takes ranks where no watch does.
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

    /// The supervisor: has all threads of these processes but those that render run elsewhere. Whatever a render thread
    /// starts begins where that is. A thread's start and its end are stretches in the kernel that not every kernel
    /// interrupts, not even for a real-time thread.
    func clearRenderCore(of isMeant: (_ process: Int32) -> Bool = { _ in true }) {
        order.withLock { _ in clear(isMeant) }
    }

    private func clear(_ isMeant: (_ process: Int32) -> Bool) {
        let occupants = units.compactMap { $0.pointee.threadPlacement.occupant }
        let renderThreads = Set(occupants.map(\.thread))
        var renderCores: [Int32: Int] = [:]
        for occupant in occupants where isMeant(occupant.process) { renderCores[occupant.process] = occupant.renderCore }
        for (process, renderCore) in renderCores {
            // Where its first thread may be; those that a render thread has started may be nowhere else than that.
            let others = Scheduling.processors(ofThread: process).subtracting([renderCore])
            guard !others.isEmpty else { continue }
            for thread in Scheduling.threads(ofProcess: process) where !renderThreads.contains(thread) {
                guard Scheduling.processors(ofThread: thread).contains(renderCore) else { continue }
                try? Scheduling.setProcessors(others, ofThread: thread)
            }
        }
    }
}
