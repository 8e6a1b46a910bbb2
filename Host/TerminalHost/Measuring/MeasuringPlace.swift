// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where everything that is measured runs, and at which rank. Measuring thread.

import LinuxSystem
import PluginHosting

/// Where and how urgently everything that is measured runs.
struct MeasuringPlace: Sendable {
    /// SCHED_FIFO, below the audio server's own threads.
    static let wantedRank = SchedulingClass(realtimePriority: 60)

    /// Nil leaves it to the kernel.
    let processor: Int?
    let peers: [UnitPlacement: FloorPeer]
    let chains: [MeasuredChain]

    /// Gives the calling thread its place, and a lower rank in the same place to everything that it waits for;
    /// the rank that the system granted.
    func take() throws(SystemError) -> SchedulingClass {
        if let processor { try Scheduling.setProcessors([processor], ofThread: 0) }
        let rank = Self.wantedRank
        let below = SchedulingClass(realtimePriority: rank.realtimePriority - 1)
        let isGranted = (try? Scheduling.set(rank, ofThread: 0)) != nil
        for (placement, peer) in peers {
            if let number = self.processor(ofPeer: placement) { try Scheduling.setProcessors([number], ofThread: peer.thread) }
            if isGranted { try Scheduling.set(below, ofThread: peer.thread) }
        }
        for chain in chains.flatMap(\.branches) { chain.place(processor: processor, below: isGranted ? rank : .ordinary) }
        return isGranted ? rank : .ordinary
    }

    /// The second process of a floor runs where the first unit does.
    private func processor(ofPeer placement: UnitPlacement) -> Int? {
        guard let processor, placement == .spread else { return processor }
        return Scheduling.processors(otherThan: processor).min()
    }

    /// All that are measured on; every one of this process's where the kernel chooses.
    var processors: Set<Int> {
        let numbers = peers.keys.compactMap { self.processor(ofPeer: $0) } + [processor].compactMap(\.self)
        return numbers.isEmpty ? Scheduling.ownProcessors : Set(numbers)
    }
}
