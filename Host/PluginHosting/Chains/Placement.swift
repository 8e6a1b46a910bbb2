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

    /// Gives the render threads of the units at `indices` their places. Ranks rise along the chain, so that a unit that is
    /// rung preempts the one that rings; they stay below the host's. What the system does not grant is left as it is.
    static func apply(_ placement: Placement?, to indices: [Int], of members: [ChainMember], _ seats: RenderSeats) {
        guard let placement else { return }
        for index in indices { allowLongestBlock(of: members[index]) }
        seats.occupy(
            indices.map { index in
                RenderSeats.Occupation(
                    index: index, process: members[index].unit.processIdentifier, thread: members[index].unit.renderThread,
                    rank: placement.rank(ofUnit: index), processor: placement.processor)
            })
    }

    /// A thread that has a rank may run for as long as its longest block lasts.
    private static func allowLongestBlock(of member: ChainMember) {
        guard let process = member.unit.processIdentifier else { return }
        let format = member.wiring.format
        let seconds = Double(format.maximumFrameCount) / format.sampleRate
        ResourceLimits.grant(realtimeMicroseconds: UInt64(seconds * 1e6), to: process)
    }

    private func rank(ofUnit index: Int) -> Int32 {
        let highest = min(hostRank.realtimePriority - 1, Self.highestRank)
        return highest > 0 ? max(1, min(highest, highest - 32 + Int32(index))) : 0
    }
}
