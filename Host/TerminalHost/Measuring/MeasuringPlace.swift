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
        let rank = Self.wantedRank
        let isGranted = (try? Scheduling.set(rank, ofThread: 0)) != nil
        for ring in rings { try place(ring, below: isGranted ? rank : nil) }
        for chain in chains {
            for (number, branch) in chain.branches.enumerated() {
                branch.place(
                    processor: processor, below: isGranted ? rank : .ordinary, branch: number, of: chain.branches.count)
            }
        }
        return isGranted ? rank : .ordinary
    }

    /// As the units of chains are placed: where they run, and with ranks that rise along a ring that has its processor to itself.
    private func place(_ side: FloorRings, below rank: SchedulingClass?) throws(SystemError) {
        let processors = self.processors(of: side.placement)
        let places = processor == nil ? Scheduling.ownProcessors.count : processors.count
        let rises = side.placement == .spread || side.rings.count <= places
        for (number, ring) in side.rings.enumerated() {
            for (index, thread) in ring.threads.enumerated() {
                if !processors.isEmpty {
                    let turn = side.placement == .branches ? number : index
                    try Scheduling.setProcessors([processors[turn % processors.count]], ofThread: thread)
                }
                guard let rank else { continue }
                let risen = Placement.risingRank(at: rises ? index : 0, below: rank)
                try Scheduling.set(SchedulingClass(realtimePriority: risen), ofThread: thread)
            }
        }
    }

    /// Those that the other processes of rings run on; none where the kernel chooses.
    private func processors(of placement: UnitPlacement) -> [Int] {
        guard let processor else { return [] }
        let others = Scheduling.processors(otherThan: processor).sorted()
        return switch placement {
        case .together: [processor]
        case .spread: others
        case .branches: [processor] + others
        }
    }

    private var spreadsBranches: Bool { chains.contains { $0.variant?.placement == .branches && $0.branches.count > 1 } }

    /// All that are measured on; every one of this process's where the kernel chooses, or where branches are spread.
    var processors: Set<Int> {
        if spreadsBranches { return Scheduling.ownProcessors }
        let numbers =
            rings.flatMap { side in self.processors(of: side.placement).prefix(side.rings.reduce(0) { $0 + $1.threads.count }) }
            + [processor].compactMap(\.self)
        return numbers.isEmpty ? Scheduling.ownProcessors : Set(numbers)
    }
}
