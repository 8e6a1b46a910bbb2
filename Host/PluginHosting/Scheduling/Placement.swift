// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the render threads of a chain's units run, and at which rank. Control thread.

import Glibc
import LinuxSystem

/// Where the units of a chain run, as seen from the thread that renders it.
public enum UnitPlacement: String, CaseIterable, Codable, Sendable {
    /// On its processor, one after the other: a hand-off there costs a switch of threads and nothing else.
    case together
    /// On the others, taken in turn.
    case spread
    /// Together, but on another processor than the units of chains that are rendered at the same time: all processors are
    /// taken in turn, its own first.
    case branches
}

/// Where the host's render thread runs, and at which rank; where the units are to run.
public struct Placement: Hashable, Sendable {
    /// The host's render core; nil where the kernel chooses for everybody.
    var processor: Int?
    var hostRank: SchedulingClass
    var units = UnitPlacement.together
    var waiting = WaitStrategy.futex
    /// The units render at the same time, while the host's thread has little to do: its processor is one of theirs.
    var isPipelined = false
    /// Which of the chains that are rendered at the same time it is, and of how many.
    var (branch, branchCount) = (0, 1)

    /// A rank for the host's render thread that leaves room for units below it.
    public static let recommendedHostRank: Int32 = 80

    /// The highest rank that any unit gets. An extension is born with this limit, so that an ordinary user's host may rank
    /// it; below those of PipeWire's own threads (83 and more), and of all of this host's. Who may rank anybody, as root may,
    /// needs no such limit.
    static let highestRank: Int32 = 78
    static var highestGrantedRank: Int32 { geteuid() == 0 ? 0 : highestRank }

    /// Gives the render threads of the units at `indices` their places. Ranks rise along the chain, so that a unit that is
    /// rung preempts the one that rings; they stay below the host's. What the system does not grant is left as it is.
    static func apply(_ placement: Placement?, to indices: [Int], of members: [ChainMember], _ threadPlacements: ThreadPlacements) {
        guard let placement else { return }
        for index in indices { allowLongestBlock(of: members[index]) }
        let processors = placement.processors(of: members)
        threadPlacements.occupy(
            indices.map { index in
                ThreadPlacements.Assignment(
                    index: index, process: members[index].unit.processIdentifier, thread: members[index].unit.renderThread,
                    rank: placement.rank(ofUnit: index), processor: processors[index], renderCore: placement.processor)
            })
    }

    /// How the units lie, as far as they have processes of their own.
    func spread(of members: [ChainMember]) -> UnitSpread {
        guard !otherProcessors.isEmpty else { return .together }
        return members.count { $0.unit.unitProcess != nil } <= otherProcessors.count ? .apart : .shared
    }

    /// One for each unit; nil where the kernel chooses.
    private func processors(of members: [ChainMember]) -> [Int?] {
        var count = 0
        return members.map { member in
            guard member.unit.unitProcess != nil else { return commonProcessor }
            defer { count += 1 }
            return processor(ofProcess: count)
        }
    }

    /// Of the `index`th process of the chain; nil where the kernel chooses.
    public func processor(ofProcess index: Int) -> Int? {
        var others = otherProcessors
        if isPipelined, let processor, !others.isEmpty { others.append(processor) }
        return others.isEmpty ? commonProcessor : others[index % others.count]
    }

    /// Where the units are that stay together.
    private var commonProcessor: Int? { processor == nil ? nil : branchProcessors[branch % branchProcessors.count] }

    /// Those that the chains take in turn which are rendered at the same time and whose units stay together.
    private var branchProcessors: [Int] {
        guard let processor else { return Scheduling.ownProcessors.sorted() }
        return units == .branches ? [processor] + Scheduling.processors(otherThan: processor).sorted() : [processor]
    }

    /// Whether other chains are rendered at the same time on this one's processor.
    private var sharesProcessor: Bool { units != .spread && branchCount > branchProcessors.count }

    /// Those that the units are spread over; none where they stay together.
    private var otherProcessors: [Int] {
        guard let processor, units == .spread else { return [] }
        return Scheduling.processors(otherThan: processor).sorted()
    }

    /// A thread that has a rank may run for as long as its longest block lasts.
    private static func allowLongestBlock(of member: ChainMember) {
        guard let process = member.unit.processIdentifier else { return }
        let format = member.wiring.format
        let seconds = Double(format.maximumFrameCount) / format.sampleRate
        ProcessLimits.raise(realtimeMicroseconds: UInt64(seconds * 1e6), to: process)
    }

    /// Ranks rise along the chain, so that a unit that is rung preempts the one that rings. In a pipeline all are rung at once, and they
    /// fall: whoever is found late first has kept the others waiting, not they it.
    ///
    /// Of chains that share a processor all have the same. Who was preempted has to be switched back to, only to fall asleep: five
    /// switches for a chain of three. Without that there are three, and whoever was rung first comes first.
    ///
    /// A thread that does not sleep gets none: the kernel leaves a twentieth of each second to ordinary threads, and takes it all
    /// at once. 0 for none.
    public func rank(ofUnit index: Int) -> Int32 {
        if waiting == .spin, units == .spread, !isPipelined { return 0 }
        let highest = min(hostRank.realtimePriority - 1, Self.highestRank)
        guard highest > 0 else { return 0 }
        let lowest = max(1, highest - 32)
        if isPipelined { return max(lowest, highest - Int32(index)) }
        return min(highest, lowest + Int32(sharesProcessor ? 0 : index))
    }
}

extension Placement {
    /// Of processes that hand on to each other and may be no units, as bare ones that are measured beside a chain.
    public init(processor: Int?, hostRank: SchedulingClass, units: UnitPlacement, branch: Int, of branchCount: Int) {
        self.init(processor: processor, hostRank: hostRank, units: units, branch: branch, branchCount: branchCount)
    }
}
