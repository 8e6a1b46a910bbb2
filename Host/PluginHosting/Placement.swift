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
        guard let placement else { return }
        let highest = placement.hostRank.realtimePriority - 1
        member.renderer.pointee.seat.seat(
            process: member.unit.processIdentifier, thread: member.unit.renderThread,
            rank: highest > 0 ? max(1, min(highest, highest - 32 + Int32(index))) : 0, processor: placement.processor)
    }
}
