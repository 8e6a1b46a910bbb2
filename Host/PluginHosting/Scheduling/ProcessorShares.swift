// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Assigns a pipeline's units to processors offline, and moves one when a processor falls idle. Render thread.

/// The processors of a pipeline that renders offline, and the number of working units on each.
///
/// A unit that is asked for a block goes to the processor with the fewest working units. If one processor is idle while another
/// has several units, one of those moves (R. D. Blumofe, C. E. Leiserson, "Scheduling Multithreaded Computations by Work
/// Stealing", 1999). The kernel would not move it: it leaves a thread that ran in the last half millisecond, and a block takes no
/// longer. So no processor is idle while there is work for it, for units of any speed.
struct ProcessorShares: ~Copyable {
    /// A unit's processor: an index below `count`, or `none` so far.
    typealias Share = Int
    static var none: Share { @_noLocks get { -1 } }

    /// The number of shared processors; 0 if the kernel chooses.
    let count: Int
    private let processors: UnsafeMutablePointer<Int32>
    private let workers: UnsafeMutablePointer<Int>
    /// The number of workers for which the host waits, on each processor.
    private let awaited: UnsafeMutablePointer<Int>
    private var turn: UInt64 = 0

    /// Shares `available` between `unitCount` units that render at the same time.
    ///
    /// If each unit can have a processor of its own, the kernel chooses: it knows the other work on each.
    init(_ available: Set<Int>, unitCount: Int) {
        count = available.count > 1 && available.count < unitCount ? available.count : 0
        processors = .allocate(capacity: max(1, count))
        workers = .allocate(capacity: max(1, count))
        awaited = .allocate(capacity: max(1, count))
        workers.initialize(repeating: 0, count: count)
        awaited.initialize(repeating: 0, count: count)
        for (index, processor) in available.sorted().prefix(count).enumerated() {
            (processors + index).initialize(to: Int32(processor))
        }
    }

    deinit {
        processors.deallocate()
        workers.deallocate()
        awaited.deallocate()
    }

    @_noLocks
    func processor(of share: Share) -> Int32 { processors[share] }

    /// Counts the requests for blocks.
    @_noLocks
    mutating func nextTurn() -> UInt64 {
        turn &+= 1
        return turn
    }

    /// Notes that no unit is at work.
    @_noLocks
    func clear() {
        for share in 0..<count { (workers[share], awaited[share]) = (0, 0) }
    }

    @_noLocks
    func add(_ share: Share, isAwaited: Bool) {
        guard share >= 0 else { return }
        workers[share] += 1
        if isAwaited { awaited[share] += 1 }
    }

    /// The processor with the fewest workers; `former` unless another has fewer.
    @_noLocks
    func best(for former: Share) -> Share {
        var best = max(former, 0)
        for share in 0..<count where workers[share] < workers[best] { best = share }
        return best
    }

    /// True if no ring would wake the host when this processor falls idle.
    @_noLocks
    func isUnheard(_ share: Share) -> Bool { share >= 0 && awaited[share] == 0 }

    /// An idle processor, and the most crowded one; nil unless that has several workers.
    var imbalance: (idle: Share, crowded: Share)? {
        @_noLocks get {
            guard count > 0 else { return nil }
            let crowded = mostCrowded
            let idle = best(for: crowded)
            return workers[idle] == 0 && workers[crowded] > 1 ? (idle, crowded) : nil
        }
    }

    /// True if a unit waits for a processor.
    var hasQueue: Bool {
        @_noLocks get { count > 0 && workers[mostCrowded] > 1 }
    }

    private var mostCrowded: Share {
        @_noLocks get {
            var most = 0
            for share in 0..<count where workers[share] > workers[most] { most = share }
            return most
        }
    }
}
