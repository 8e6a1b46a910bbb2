// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chooses the processes whose work and resources are checked at each tick. Supervisor.

/// Spreads the checks of processes over time.
///
/// A check of a process's work takes microseconds, one of its resources a tenth of a millisecond. So of many processes each tick
/// checks only some, one after the other. Every 40 ms it judges up to 256 and checks the work of up to 64. Every second it checks
/// the resources of up to 50. The end of any of them is noticed at once.
struct LookRota {
    /// The checks of one process.
    struct Looks {
        var atWork = false
        var atResources = false
    }

    private static let (tick, second): (UInt64, UInt64) = (40_000_000, 1_000_000_000)
    private static let ticksInSecond = Double(second / tick)
    /// A check that comes a little early is made now, and not at the next tick.
    private static let earliness: UInt64 = 5_000_000
    /// The most processes in one tick that are judged, whose work is checked, and whose resources are checked.
    private static let (most, mostWork, mostResources) = (256, 64, 2)

    private var tickDue: UInt64
    private var secondDue: UInt64
    private var (cursor, workCursor, resourceCursor) = (0, 0, 0)
    /// Checks of resources that are due but not made yet.
    private var owed = 0.0
    private var (work, resources) = (0, 0)
    private var count = 0
    /// True if a second has passed.
    private(set) var isSecond = false

    init(from now: UInt64) { (tickDue, secondDue) = (now + Self.tick, now + Self.second) }

    /// Advances to `now`, with this number of processes.
    mutating func advance(to now: UInt64, processCount: Int) {
        (cursor, workCursor, resourceCursor) = (cursor + Self.most, workCursor + work, resourceCursor + resources)
        (work, resources, count) = (0, 0, processCount)
        if count > 0 { cursor %= count }
        isSecond = now + Self.earliness >= secondDue
        if isSecond { secondDue = now + Self.second }
        guard now + Self.earliness >= tickDue, count > 0 else { return }
        tickDue = now + Self.tick
        (workCursor, resourceCursor) = (workCursor % count, resourceCursor % count)
        work = min(count, Self.mostWork)
        owed = min(owed + Double(count) / Self.ticksInSecond, Double(min(count, Self.mostResources)))
        resources = Int(owed)
        owed -= Double(resources)
    }

    /// True if the process at `index` is judged now.
    func includes(_ index: Int) -> Bool { isAmong(index, cursor, min(count, Self.most)) }

    /// The checks that are due for the process at `index`.
    func looks(at index: Int) -> Looks {
        Looks(atWork: isAmong(index, workCursor, work), atResources: isAmong(index, resourceCursor, resources))
    }

    private func isAmong(_ index: Int, _ first: Int, _ length: Int) -> Bool {
        length > 0 && (index - first + count) % count < length
    }
}
