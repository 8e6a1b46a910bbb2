// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processors and ranks of the render threads of a row's units. Control thread.

import Glibc
import LinuxSystem

/// The processors of a row's units, in relation to the thread that renders the row.
package enum UnitPlacement: String, CaseIterable, Codable, Sendable {
    /// On that thread's processor, one after the other: a hand-off there costs one switch of threads.
    case together
    /// On the other processors, in turn.
    case spread
    /// Together, but on another processor than the units of rows that render at the same time.
    ///
    /// The rows take all processors in turn, the render thread's first.
    case branches
}

/// The processor and rank of the host's render thread, and the placement of the units.
package struct Placement: Hashable, Sendable {
    /// The host's render core; nil if the kernel chooses for all threads.
    var processor: Int?
    var hostRank: SchedulingClass
    var units = UnitPlacement.together
    var waiting = WaitStrategy.futex
    /// True if the units render at the same time.
    ///
    /// The host's thread then has little to do, and its processor is used too.
    var isPipelined = false
    /// The row's index among the rows that render at the same time, and their number.
    var (branch, branchCount) = (0, 1)

    /// A rank for the host's render thread that leaves room for units below it.
    package static let recommendedHostRank: Int32 = 80

    /// The highest rank of any unit.
    ///
    /// It is below PipeWire's own threads (83 and more), and below all threads of this host. A plug-in's process starts with it
    /// as a limit, so that an ordinary user's host may rank it. Root may rank any thread, and needs no such limit.
    static let highestRank: Int32 = 78
    static var highestGrantedRank: Int32 { geteuid() == 0 ? 0 : highestRank }

    /// The seats of a row's units.
    ///
    /// Ranks rise along the row, so that a unit preempts the one that rings it; they stay below the host's. A rank or processor
    /// that the system refuses stays unchanged.
    func seats(of members: [UnitResources]) -> [ThreadSeat] {
        zip(members.indices, processors(of: members)).map { index, processor in
            ThreadSeat(rank: rank(ofUnit: index), processor: processor, renderCore: self.processor)
        }
    }

    /// The sharing of processors among the units with processes of their own.
    func spread(of members: [UnitResources]) -> UnitSpread {
        guard !otherProcessors.isEmpty else { return .together }
        return members.count { $0.unit.unitProcess != nil } <= otherProcessors.count ? .apart : .shared
    }

    /// A processor for each unit; nil if the kernel chooses.
    private func processors(of members: [UnitResources]) -> [Int?] {
        var count = 0
        return members.map { member in
            guard member.unit.unitProcess != nil else { return commonProcessor }
            defer { count += 1 }
            return processor(ofProcess: count)
        }
    }

    /// The processor of the row's process at `index`; nil if the kernel chooses.
    package func processor(ofProcess index: Int) -> Int? {
        var others = otherProcessors
        if isPipelined, let processor, !others.isEmpty { others.append(processor) }
        return others.isEmpty ? commonProcessor : others[index % others.count]
    }

    /// The processor of units that stay together.
    private var commonProcessor: Int? { processor == nil ? nil : branchProcessors[branch % branchProcessors.count] }

    /// The processors for rows that render at the same time and whose units stay together, to take in turn.
    private var branchProcessors: [Int] {
        guard let processor else { return Scheduling.ownProcessors.sorted() }
        return units == .branches ? [processor] + Scheduling.processors(otherThan: processor).sorted() : [processor]
    }

    /// True if other rows render at the same time on this one's processor.
    private var sharesProcessor: Bool { units != .spread && branchCount > branchProcessors.count }

    /// The processors over which the units are spread; empty if they stay together.
    private var otherProcessors: [Int] {
        guard let processor, units == .spread else { return [] }
        return Scheduling.processors(otherThan: processor).sorted()
    }

    /// The real-time rank of the unit at `index`; 0 for none.
    ///
    /// Ranks rise along the row, so that a unit preempts the one that rings it. In a pipeline all are rung at once, and ranks
    /// fall: the first unit that is found late has kept the others waiting.
    ///
    /// All units of rows that share a processor have the same rank. A preempted unit must be switched back to only to fall
    /// asleep, which makes five switches for a row of three. With equal ranks there are three, and units run in the order of
    /// their rings.
    ///
    /// A spinning thread gets no rank: the kernel leaves a twentieth of each second to ordinary threads, and takes it in one
    /// piece.
    package func rank(ofUnit index: Int) -> Int32 {
        if waiting == .spin, units == .spread, !isPipelined { return 0 }
        let highest = min(hostRank.realtimePriority - 1, Self.highestRank)
        guard highest > 0 else { return 0 }
        let lowest = max(1, highest - 32)
        if isPipelined { return max(lowest, highest - Int32(index)) }
        return min(highest, lowest + Int32(sharesProcessor ? 0 : index))
    }
}

extension Placement {
    /// Places processes that hand over to each other but are not units, such as bare ones measured beside a row.
    package init(processor: Int?, hostRank: SchedulingClass, units: UnitPlacement, branch: Int, of branchCount: Int) {
        self.init(processor: processor, hostRank: hostRank, units: units, branch: branch, branchCount: branchCount)
    }
}
