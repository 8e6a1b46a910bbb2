// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which processes are checked for their work and their resources, and when. Supervisor.

/// Spreads the checks of processes over time.
///
/// A check of a process's work takes microseconds, one of its resources a tenth of a millisecond. So of many processes only some are
/// checked at each tick, one after the other: whether up to 256 are well and the work of up to 64 every 40 ms, the resources of up to 50
/// every second. The end of any of them is noticed at once.
struct LookRota {
    /// What is checked of a process.
    struct Looks {
        var atWork = false
        var atResources = false
    }

    private static let (tick, second): (UInt64, UInt64) = (40_000_000, 1_000_000_000)
    private static let ticksInSecond = Double(second / tick)
    /// A check that comes a little early is not put off to the next.
    private static let earliness: UInt64 = 5_000_000
    /// The most processes that are looked at, whose work, and whose resources are checked at one tick.
    private static let (most, mostWork, mostResources) = (256, 64, 2)

    private var tickDue: UInt64
    private var secondDue: UInt64
    private var (cursor, workCursor, resourceCursor) = (0, 0, 0)
    /// Checks of resources that are due and not made.
    private var owed = 0.0
    private var (work, resources) = (0, 0)
    private var count = 0
    /// Whether a second has passed.
    private(set) var isSecond = false

    init(from now: UInt64) { (tickDue, secondDue) = (now + Self.tick, now + Self.second) }

    /// Goes on to `now`, with so many processes.
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

    /// Whether the process at `index` is looked at now.
    func includes(_ index: Int) -> Bool { isAmong(index, cursor, min(count, Self.most)) }

    /// What is due for the process at `index`.
    func looks(at index: Int) -> Looks {
        Looks(atWork: isAmong(index, workCursor, work), atResources: isAmong(index, resourceCursor, resources))
    }

    private func isAmong(_ index: Int, _ first: Int, _ length: Int) -> Bool {
        length > 0 && (index - first + count) % count < length
    }
}
