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
    let rings: [FloorRings]
    let chains: [MeasuredChain]

    /// Gives the calling thread its place, and a lower rank in the same place to everything that it waits for;
    /// the rank that the system granted.
    func take() throws(SystemError) -> SchedulingClass {
        if let processor { try Scheduling.setProcessors([processor], ofThread: 0) }
        let granted = (try? Scheduling.set(Self.wantedRank, ofThread: 0)) != nil ? Self.wantedRank : .ordinary
        for ring in rings { try place(ring, below: granted) }
        for chain in chains {
            for (number, branch) in chain.branches.enumerated() {
                branch.place(processor: processor, below: granted, branch: number, of: chain.branches.count)
            }
        }
        return granted
    }

    /// As the units of chains are placed.
    private func place(_ side: FloorRings, below rank: SchedulingClass) throws(SystemError) {
        for (number, ring) in side.rings.enumerated() {
            let placement = placement(of: side, number, below: rank)
            for (index, thread) in ring.threads.enumerated() {
                if let processor = placement.processor(ofProcess: index) {
                    try Scheduling.setProcessors([processor], ofThread: thread)
                }
                let rank = placement.rank(ofUnit: index)
                if rank > 0 { try Scheduling.set(SchedulingClass(realtimePriority: rank), ofThread: thread) }
            }
        }
    }

    private func placement(of side: FloorRings, _ number: Int, below rank: SchedulingClass) -> Placement {
        Placement(processor: processor, hostRank: rank, units: side.placement, branch: number, of: side.rings.count)
    }

    private var spreadsBranches: Bool { chains.contains { $0.variant?.placement == .branches && $0.branches.count > 1 } }

    /// All that are measured on; every one of this process's where the kernel chooses, or where branches are spread.
    var processors: Set<Int> {
        guard let processor, !spreadsBranches else { return Scheduling.ownProcessors }
        return rings.reduce(into: [processor]) { all, side in
            for (number, ring) in side.rings.enumerated() {
                let placement = placement(of: side, number, below: .ordinary)
                all.formUnion(ring.threads.indices.compactMap(placement.processor(ofProcess:)))
            }
        }
    }
}
