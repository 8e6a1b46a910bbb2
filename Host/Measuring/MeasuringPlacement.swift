// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processors and real-time priorities of a measurement. Measuring thread.

import LinuxSystem
import PluginHosting

/// The processor and the priority of each measured thread.
struct MeasuringPlacement: Sendable {
    /// SCHED_FIFO, below the audio server's own threads.
    static let wantedRank = SchedulingClass(realtimePriority: 60)

    /// The processor; nil leaves the choice to the kernel.
    let processor: Int?
    let rings: [FloorRings]
    let chains: [MeasuredChain]

    /// Places the calling thread, and at lower priorities all threads that it waits for.
    ///
    /// - Returns: the priority that the system granted.
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

    /// Places the processes of rings as units of chains are placed.
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

    /// The measured processors: all of this process's if the kernel chooses or branches are spread.
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
