// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the render threads of a chain's units run, and at which rank. Control thread.

import LinuxSystem

/// A processor, and the rank that the units stay below.
struct Placement: Hashable, Sendable {
    var processor: Int?
    var hostRank: SchedulingClass

    /// Gives a unit's render thread its place. Ranks rise along the chain, so that a unit that is rung preempts
    /// the one that rings; they stay below the host's. What the system does not grant is left as it is.
    static func apply(_ placement: Placement?, to member: ChainMember, _ index: Int) {
        guard let placement, let thread = member.unit.renderThread else { return }
        if placement.hostRank.realtimePriority > 1 {
            let highest = placement.hostRank.realtimePriority - 1
            let rank = max(1, min(highest, highest - 32 + Int32(index)))
            try? Scheduling.set(SchedulingClass(realtimePriority: rank), ofThread: thread)
        }
        if let processor = placement.processor { try? Scheduling.setProcessors([processor], ofThread: thread) }
    }
}
