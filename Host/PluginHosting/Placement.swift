// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the render threads of a chain's units run, and at which rank. Control thread.

import Glibc
import LinuxSystem

/// A processor, and the rank that the units stay below.
public struct Placement: Hashable, Sendable {
    var processor: Int?
    var hostRank: SchedulingClass

    /// A rank for the host's render thread that leaves room for units below it.
    public static let recommendedHostRank: Int32 = 80

    /// The highest rank that any unit gets. An extension is born with this limit, so that an ordinary user's host may rank
    /// it; below those of PipeWire's own threads (83 and more), and of all of this host's. Who may rank anybody, as root may,
    /// needs no such limit.
    static let highestRank: Int32 = 78
    static var highestGrantedRank: Int32 { geteuid() == 0 ? 0 : highestRank }

    /// Gives a unit's render thread its place. Ranks rise along the chain, so that a unit that is rung preempts
    /// the one that rings; they stay below the host's. What the system does not grant is left as it is.
    static func apply(_ placement: Placement?, to member: ChainMember, _ index: Int) {
        guard let placement, let thread = member.unit.renderThread else { return }
        if placement.hostRank.realtimePriority > 1 {
            let highest = min(placement.hostRank.realtimePriority - 1, highestRank)
            let rank = max(1, min(highest, highest - 32 + Int32(index)))
            try? Scheduling.set(SchedulingClass(realtimePriority: rank), ofThread: thread)
        }
        if let processor = placement.processor { try? Scheduling.setProcessors([processor], ofThread: thread) }
    }
}
