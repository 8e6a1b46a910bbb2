// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Spreads units that render at the same time over the processors by how long they take, where no driver waits. Control thread.

import LinuxSystem

/// Binds the render threads of a pipeline's units, so that all processors have as much to do: they are all rung at once, and a cycle
/// lasts as long as the processor takes that has the most. The kernel moves threads for what they have done in the last milliseconds,
/// which is more than such a cycle lasts.
public struct ProcessorBalance {
    /// Nanoseconds between two looks.
    private static let interval: UInt64 = 50_000_000
    /// What has to be won by it before anybody is moved.
    private static let leastGain = 0.05

    private let members: [ChainMember]
    private let processors: [Int]
    /// Nanoseconds that each unit takes for a block, lately.
    private var loads: [Double]
    /// The index in `processors` of each unit, and the thread that has been bound; nil before the first look.
    private var places: [Int]?
    private var threads: [Int32?]
    private var due: UInt64 = 0

    /// Of a chain that nobody else places.
    public init(_ chain: UnitChain) {
        members = chain.members.filter { $0.unit.unitProcess != nil }
        processors = Scheduling.ownProcessors.sorted()
        loads = Array(repeating: 0, count: members.count)
        threads = Array(repeating: nil, count: members.count)
    }

    /// To be called after each block.
    public mutating func update() {
        for (index, member) in members.enumerated() { loads[index] += (Double(member.renderNanoseconds) - loads[index]) / 8 }
        let now = MonotonicClock.now()
        guard now >= due, processors.count > 1 else { return }
        due = now + Self.interval
        let wanted = Self.places(loads, processorCount: processors.count)
        if let places, Self.longest(loads, wanted) > (1 - Self.leastGain) * Self.longest(loads, places) {
            return bind(places)
        }
        places = wanted
        threads = Array(repeating: nil, count: members.count)
        bind(wanted)
    }

    /// Binds whoever is not bound yet; one that was started anew has another thread.
    private mutating func bind(_ places: [Int]) {
        for (index, member) in members.enumerated() {
            guard let thread = member.unit.renderThread, thread != threads[index] else { continue }
            try? Scheduling.setProcessors([processors[places[index]]], ofThread: thread)
            threads[index] = thread
        }
    }

    /// The longest first, each where the least is to be done (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969).
    static func places(_ loads: [Double], processorCount: Int) -> [Int] {
        var sums = [Double](repeating: 0, count: processorCount)
        var places = [Int](repeating: 0, count: loads.count)
        for index in loads.indices.sorted(by: { loads[$0] > loads[$1] }) {
            places[index] = sums.indices.min { sums[$0] < sums[$1] } ?? 0
            sums[places[index]] += loads[index]
        }
        return places
    }

    /// What the processor takes that has the most to do.
    static func longest(_ loads: [Double], _ places: [Int]) -> Double {
        var sums: [Int: Double] = [:]
        for (load, place) in zip(loads, places) { sums[place, default: 0] += load }
        return sums.values.max() ?? 0
    }
}
